import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { drawSoon } from '../feed/draw-queue.ts';
import type { TopicListener, TopicMessage } from '../feed/feed-client.ts';
import { feed } from '../feed/feed.ts';
import { followCandle } from './candle-stream.ts';
import { followDeals, useDeals, useDepth, useTicker } from './live.ts';

/**
 * The listeners of the mocked feed topics. They are not removed, because a topic stays subscribed for some seconds
 * after its last watcher has left.
 */
const received = new Map<string, Set<TopicListener>>();

beforeEach(() => {
  vi.spyOn(feed, 'subscribe').mockImplementation((topic, listener) => {
    received.set(topic, (received.get(topic) ?? new Set()).add(listener));
    return () => undefined;
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const MINUTE = 1_800_000_000;
const deal = (id: string, price: string) => ({
  id,
  price,
  ts: MINUTE * 1_000,
  amount: '1',
  direction: 'buy',
  seeded: 0,
});
const ticker = (close: string) => [
  { symbol: 'btcusdt', open: '100', close, high: '110', low: '90', vol: '1', amount: '100' },
];
const candle = (close: string) => ({
  id: MINUTE,
  open: '100',
  close,
  high: '101',
  low: '100',
  vol: '1',
  amount: '100',
});

/**
 * Shows a pair's last price and change as a page header does, and the price of the newest trade in the list of trades.
 */
function Page() {
  const shownPrices = useTicker('btcusdt');
  return (
    <p>
      {shownPrices?.last} {shownPrices?.change} {useDeals('btcusdt')[0]?.price}
    </p>
  );
}

it('WEB-222 header, trade list and chart show the price of the newest trade in any order of their topics', async () => {
  const closes: number[] = [];
  const stopFollowing = followCandle('btcusdt', '1min', ({ close }) => closes.push(close));
  const { container } = render(<Page />);
  const seqs = new Map<string, number>();
  const publish = (topic: string, data: unknown) =>
    act(async () => {
      const seq = (seqs.get(topic) ?? 0) + 1;
      seqs.set(topic, seq);
      const type = seq === 1 ? 'snapshot' : 'update';
      for (const listener of received.get(topic) ?? []) listener({ topic, type, seq, ts: 0, data });
      await new Promise<void>((resolve) => drawSoon(resolve));
    });
  const shownPrices = () => [container.textContent?.trim(), closes.at(-1)];

  await publish('tickers', ticker('100'));
  await publish('trade.btcusdt', [deal('1', '101')]);
  await publish('kline.btcusdt.1min', candle('100'));
  expect(shownPrices()).toEqual(['101 0.01 101', 101]);
  await publish('trade.btcusdt', [deal('2', '105')]);
  expect(shownPrices()).toEqual(['105 0.05 105', 105]);
  // The ticker and the candle have a price other than that of the newest trade in the list of trades; the trade's price
  // stays on screen.
  await publish('tickers', ticker('104'));
  await publish('kline.btcusdt.1min', candle('104'));
  expect(shownPrices()).toEqual(['105 0.05 105', 105]);
  stopFollowing();
});

it('WEB-222 header and trade list change in one frame on slow devices too', async () => {
  const publish = (topic: string, data: unknown) => {
    const message = { topic, type: 'snapshot', seq: 1, ts: 0, data } as TopicMessage;
    for (const listener of received.get(topic) ?? []) listener(message);
  };
  let tape: string | undefined;
  const stopFollowing = followDeals('ethusdt', ([newest]) => (tape = newest?.price));
  function Header() {
    useDepth('ethusdt', { rows: 1 });
    return <p>{useTicker('ethusdt')?.last}</p>;
  }
  const { container } = render(<Header />);
  const shownPrices = () => [container.textContent, tape];

  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'setTimeout', 'clearTimeout'] });
  let passedMs = performance.now();
  // The mocked clock advances so far at each call that every draw takes longer than the time budget of a frame.
  vi.spyOn(performance, 'now').mockImplementation(() => (passedMs += 9));
  const frames = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 16));
  publish('tickers', [{ ...ticker('100')[0], symbol: 'ethusdt' }]);
  await frames(20);
  publish('depth.ethusdt', { bids: [['99', '1']], asks: [['100', '1']] });
  publish('trade.ethusdt', [deal('1', '101')]);
  const seenPrices = [shownPrices()];
  for (let count = 0; count < 20; count += 1) {
    await frames(1);
    seenPrices.push(shownPrices());
  }
  vi.useRealTimers();
  stopFollowing();
  const changes = seenPrices.filter(
    (now, index) => index > 0 && now.join(' ') !== seenPrices[index - 1]?.join(' '),
  );
  expect(seenPrices[0]).toEqual(['100', undefined]);
  expect(changes).toEqual([['101', '101']]);
});
