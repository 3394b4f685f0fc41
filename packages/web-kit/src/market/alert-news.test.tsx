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

  it('WATCH-1023 the sound plays if enabled on this device, and once when it is enabled', async () => {
    const user = userEvent.setup();
    await user.click(screen.getByRole('switch', { name: 'Sound on this device' }));
    expect(sound.hasAlertSound()).toBe(true);
    await vi.waitFor(() => expect(tones).toBe(2));
    await publish([ALERT]);
    await vi.waitFor(() => expect(tones).toBe(4));
    await user.click(screen.getByRole('switch', { name: 'Sound on this device' }));
    await publish([ALERT]);
    expect([sound.hasAlertSound(), tones]).toEqual([false, 4]);
  });
});
