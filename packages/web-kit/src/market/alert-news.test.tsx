import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import AlertNews from './alert-news.tsx';
import * as sound from './alert-sound.ts';
import { AlertSoundSwitch } from './alert-sound-switch.tsx';
import { topicPublisher } from './testing/topic-publisher.ts';

const ALERT = {
  id: 'a',
  symbol: 'btcusdt',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  condition: 'gte',
  price: '51000',
  from: '50000.00',
  lastPrice: '51000.10',
  time: 1,
};

describe('notices of price alerts', () => {
  let publish: (data: unknown) => Promise<void>;
  let notices: string[];
  let tones: number;

  beforeAll(() => loadAllWords());
  beforeEach(async () => {
    notices = [];
    tones = 0;
    localStorage.clear();
    class Output {
      state = 'running';
      currentTime = 0;
      destination = {};
      resume = () => Promise.resolve();
      createGain = () => ({
        gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
        connect: () => undefined,
      });
      createOscillator = () => ({
        frequency: { value: 0 },
        connect: () => ({ connect: () => undefined }),
        start: () => (tones += 1),
        stop: () => undefined,
      });
    }
    vi.stubGlobal('AudioContext', Output);
    publish = topicPublisher('alert');
    vi.spyOn(notify, 'alert').mockImplementation((text) => void notices.push(text));
    render(
      <QueryClientProvider client={queryClient}>
        <AlertNews />
        <AlertSoundSwitch />
      </QueryClientProvider>,
    );
    await publish([]);
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('WATCH-1022 a triggered alert is shown at once with the price and its condition', async () => {
    await publish([ALERT]);
    await publish([
      { ...ALERT, condition: 'lte', price: '48000', lastPrice: '47999.50' },
      { ...ALERT, condition: 'pct', price: '4', lastPrice: '47900.00' },
    ]);
    expect(notices).toEqual([
      'BTC/USDT rose to 51,000.10\u00A0USDT. Your alert: 51,000.00\u00A0USDT.',
      'BTC/USDT fell to 47,999.50\u00A0USDT. Your alert: 48,000.00\u00A0USDT.',
      'BTC/USDT fell by 4% or more, to 47,900.00\u00A0USDT.',
    ]);
    expect(tones).toBe(0);
  });

  it('ALRT-126 moves, crossings and what became of an order are shown at once', async () => {
    const order = { tradeType: 1, orderType: 'limit', price: '50000', amount: '0.5' };
    await publish([
      { ...ALERT, condition: 'move', price: '2', windowMinutes: 15, order: null },
      {
        ...ALERT,
        condition: 'crossDown',
        average: 'ma',
        averagePeriod: 20,
        averageTimer: '60min',
        order: null,
      },
      {
        ...ALERT,
        condition: 'crossUp',
        average: 'macd',
        averagePeriod: 12,
        averageSlow: 26,
        averageLevel: '0',
        averageTimer: '4hour',
        order: null,
      },
      { ...ALERT, order, outcome: { orderId: 'o' } },
      {
        ...ALERT,
        order,
        outcome: { errKey: 'l.insufficient_balance', data: { limit: '1', value: '25000', unit: 'USDT' } },
      },
    ]);
    expect(notices.map((notice) => notice.replaceAll('\u00A0', ' '))).toEqual([
      'BTC/USDT rose by 2% or more within 15m, to 51,000.10 USDT.',
      'BTC/USDT closed below its MA(20) (1h) at 51,000.10 USDT.',
      'BTC/USDT: MACD(12, 26) crossed above the signal line (9) (4h). Close: 51,000.10 USDT.',
      'Your alert for BTC/USDT placed its order: Buy 0.5 BTC at 50,000.00 USDT (limit).',
      'Your alert for BTC/USDT could not place its order (Buy 0.5 BTC at 50,000.00 USDT (limit)). Insufficient balance: 1 USDT available, 25,000 needed.',
    ]);
  });

  it('WATCH-1023 the sound plays if enabled on this device, and once when it is enabled', async () => {
    const user = userEvent.setup();
    await user.click(screen.getByRole('switch', { name: 'Sound on this device' }));
    expect(sound.hasAlertSound()).toBe(true);
    await expect.poll(() => tones).toBe(2);
    await publish([ALERT]);
    await expect.poll(() => tones).toBe(4);
    await user.click(screen.getByRole('switch', { name: 'Sound on this device' }));
    await publish([ALERT]);
    expect([sound.hasAlertSound(), tones]).toEqual([false, 4]);
  });
});
