import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadAllWords } from '../i18n/words.ts';
import { topicPublisher } from '../market/testing/topic-publisher.ts';
import { notify } from '../notify.ts';
import FillNews from './fill-news.tsx';
import { order } from './testing/fixtures.ts';

describe('notices of fills', () => {
  let publish: (data: unknown) => Promise<void>;
  let notices: string[];

  beforeAll(() => loadAllWords());
  beforeEach(async () => {
    notices = [];
    publish = topicPublisher('order');
    vi.spyOn(notify, 'success').mockImplementation((text) => void notices.push(text));
    render(<FillNews />);
    await publish({ orders: [], fills: [] });
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
  });

  const filled = (changes: Parameters<typeof order>[1]) =>
    publish({ orders: [order('1', { avgPrice: '100.5', ...changes })], fills: [{ orderId: '1' }] });
  const LATER = { createTime: 1, updateTime: 2 };

  it('WEB-200 a resting order is announced on its first partial fill and when it is filled', async () => {
    await filled({ ...LATER, status: 1, filledAmount: '0.25' });
    await filled({ ...LATER, status: 1, filledAmount: '0.5' });
    await filled({ ...LATER, status: 2, filledAmount: '1' });
    expect(notices).toEqual([
      'Buy order partially filled: 0.25\u00A0BTC at 100.5\u00A0USDT.',
      'Buy order filled: 1\u00A0BTC at an average of 100.5\u00A0USDT.',
    ]);
  });

  it('WEB-200 fills at placement, cancellations and other changes are not announced', async () => {
    await filled({ createTime: 2, updateTime: 2, status: 2, filledAmount: '1' });
    await filled({ ...LATER, status: 4, filledAmount: '0.5' });
    await publish({ orders: [order('1', { ...LATER, status: 1, filledAmount: '0.5' })], fills: [] });
    expect(notices).toEqual([]);
  });

  it('WEB-200 a sale is announced as a sale', async () => {
    await filled({ ...LATER, tradeType: 2, status: 2, filledAmount: '1' });
    expect(notices).toEqual(['Sell order filled: 1\u00A0BTC at an average of 100.5\u00A0USDT.']);
  });
});
