import { drawSoon } from '@exchange/web-kit/feed/draw-queue.ts';
import type { RefusalListener, TopicMessage } from '@exchange/web-kit/feed/feed-client.ts';
import { feed } from '@exchange/web-kit/feed/feed.ts';
import { pairOf } from '@exchange/web-kit/market/pair.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { stopClock } from '@exchange/web-kit/market/testing/stopped-clock.ts';
import { topicPublisher } from '@exchange/web-kit/market/testing/topic-publisher.ts';
import type { DealMessage } from '@exchange/wire/feed.ts';
import { act, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import { RecentDeals } from './recent-deals.tsx';

const fixtures = setUpFixtures();
afterEach(() => vi.restoreAllMocks());

const deal = (id: string, price: string, direction: 'buy' | 'sell'): DealMessage => ({
  id,
  ts: 0,
  price,
  amount: '0.25',
  direction,
  seeded: 0,
});
const columns = () => [...document.querySelectorAll('pre')].map(({ textContent }) => textContent.split('\n'));
const spoken = () =>
  within(screen.getByRole('group', { name: 'Recent trades' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

it('DESK-163 states that there are no deals only after the feed has confirmed it', async () => {
  fixtures.answers(() => undefined);
  const received = new Map<string, (message: TopicMessage) => void>();
  vi.spyOn(feed, 'subscribe').mockImplementation((topic, listener) => {
    received.set(topic, listener);
    return () => undefined;
  });
  const publish = (topic: string, data: unknown) =>
    act(async () => {
      received.get(topic)?.({ topic, type: 'snapshot', seq: 1, data } as TopicMessage);
      await new Promise<void>((resolve) => drawSoon(resolve));
    });
  draw(<RecentDeals pair={{ ...pairOf(LISTED), symbol: 'dogeusdt' }} />);
  const day = { open: '1', close: '1', high: '1', low: '1', vol: '1', amount: '1' };
  await publish('tickers', [{ symbol: 'dogeusdt', ...day }]);
  expect(screen.queryByText('No trades yet.')).toBeNull();
  await publish('trade.dogeusdt', []);
  expect(screen.getByText('No trades yet.')).toBeTruthy();
});

it('WEB-219 shows why the feed refuses the deals, and retries', async () => {
  fixtures.answers(() => undefined);
  let refuse: RefusalListener | undefined;
  vi.spyOn(feed, 'subscribe').mockImplementation((topic, _, onRefused) => {
    if (topic === 'trade.xrpusdt') refuse = onRefused;
    return () => undefined;
  });
  const requestSpy = vi.spyOn(feed, 'resubscribe').mockImplementation(() => undefined);
  const user = draw(<RecentDeals pair={{ ...pairOf(LISTED), symbol: 'xrpusdt' }} />);
  await act(async () => {
    refuse?.({ errKey: 'l.topics_max', data: { limit: '100' } });
    await new Promise<void>((resolve) => drawSoon(resolve));
  });
  expect(screen.getByRole('alert').textContent).toContain('100');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(requestSpy).toHaveBeenCalledWith('trade.xrpusdt');
});

it('DESK-114 renders a deal immediately on top in the column of its side, and announces it within a second', async () => {
  const passASecond = stopClock();
  fixtures.answers(() => undefined);
  const publish = topicPublisher('trade.btcusdt');
  draw(<RecentDeals pair={pairOf(LISTED)} />);
  await publish([deal('2', '101', 'sell'), deal('1', '100', 'buy')]);
  expect(columns().slice(0, 3)).toEqual([
    ['', '100.00'],
    ['101.00', ''],
    ['0.25000', '0.25000'],
  ]);
  expect(spoken()).toHaveLength(2);

  await publish([deal('3', '102', 'buy')]);
  expect(columns()[0]).toEqual(['102.00', '', '100.00']);
  expect(spoken()).toHaveLength(2);
  await passASecond();
  expect(spoken()[0]).toContain('Buy 102.00, 0.25000');
});

it('DESK-114 renders only the visible lines, also after scrolling', async () => {
  fixtures.answers(() => undefined);
  const publish = topicPublisher('trade.ethusdt');
  draw(<RecentDeals pair={{ ...pairOf(LISTED), symbol: 'ethusdt' }} />);
  await publish(Array.from({ length: 50 }, (_, index) => deal(`${50 - index}`, `${50 - index}`, 'buy')));
  expect(columns()[0]?.[0]).toBe('50.00');
  expect(columns()[0]?.length).toBeLessThan(10);

  const list = screen.getByRole('group', { name: 'Recent trades' });
  list.scrollTop = 400;
  list.dispatchEvent(new Event('scroll'));
  expect(columns()[0]?.[0]).toBe('34.00');
});
