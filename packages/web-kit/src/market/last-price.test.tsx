import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { drawSoon } from '../feed/draw-queue.ts';
import type { TopicListener, TopicMessage } from '../feed/feed-client.ts';
import { feed } from '../feed/feed.ts';
import { followCandle } from './candle-stream.ts';
import { followDeals, useDeals, useDepth, useTicker } from './live.ts';

/** Whom the feed publishes to; a topic is kept for some seconds after the last one who looked at it. */
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

/** Every place that shows a last price, as they are drawn together. */
function Page() {
  const shown = useTicker('btcusdt');
  return (
    <p>
      {shown?.last} {shown?.change} {useDeals('btcusdt')[0]?.price}
    </p>
  );
}

it('WEB-222 header, tape and chart tell the price of the newest deal, in whatever order their topics arrive', async () => {
  const closes: number[] = [];
  const stop = followCandle('btcusdt', '1min', ({ close }) => closes.push(close));
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
  const shown = () => [container.textContent?.trim(), closes.at(-1)];

  await publish('tickers', ticker('100'));
  await publish('trade.btcusdt', [deal('1', '101')]);
  await publish('kline.btcusdt.1min', candle('100'));
  expect(shown()).toEqual(['101 0.01 101', 101]);
  await publish('trade.btcusdt', [deal('2', '105')]);
  expect(shown()).toEqual(['105 0.05 105', 105]);
  // What was worked out before that deal, or after one that the tape does not show yet.
  await publish('tickers', ticker('104'));
  await publish('kline.btcusdt.1min', candle('104'));
  expect(shown()).toEqual(['105 0.05 105', 105]);
  stop();
});

it('WEB-222 header and tape change in one frame on a slow device, too', async () => {
  const publish = (topic: string, data: unknown) => {
    const message = { topic, type: 'snapshot', seq: 1, ts: 0, data } as TopicMessage;
    for (const listener of received.get(topic) ?? []) listener(message);
  };
  let tape: string | undefined;
  const stop = followDeals('ethusdt', ([newest]) => (tape = newest?.price));
  function Header() {
    useDepth('ethusdt', { rows: 1 });
    return <p>{useTicker('ethusdt')?.last}</p>;
  }
  const { container } = render(<Header />);
  const shown = () => [container.textContent, tape];

  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'setTimeout', 'clearTimeout'] });
  let passedMs = performance.now();
  // Whatever is drawn fills a frame.
  vi.spyOn(performance, 'now').mockImplementation(() => (passedMs += 9));
  const frames = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 16));
  publish('tickers', [{ ...ticker('100')[0], symbol: 'ethusdt' }]);
  await frames(20);
  publish('depth.ethusdt', { bids: [['99', '1']], asks: [['100', '1']] });
  publish('trade.ethusdt', [deal('1', '101')]);
  const seen = [shown()];
  for (let count = 0; count < 20; count += 1) {
    await frames(1);
    seen.push(shown());
  }
  vi.useRealTimers();
  stop();
  const changes = seen.filter((now, index) => index > 0 && now.join(' ') !== seen[index - 1]?.join(' '));
  expect(seen[0]).toEqual(['100', undefined]);
  expect(changes).toEqual([['101', '101']]);
});
