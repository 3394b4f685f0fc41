import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { drawSoon } from '../feed/draw-queue.ts';
import type { TopicListener } from '../feed/feed-client.ts';
import { feed } from '../feed/feed.ts';
import { followCandle } from './candle-stream.ts';
import { useDeals, useTicker } from './live.ts';

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
  ...{ id: MINUTE, open: '100', close, high: '101', low: '100', vol: '1', amount: '100' },
});

/** Every place that tells a last price, as they are drawn together. */
function Page() {
  const shown = useTicker('btcusdt');
  return (
    <p>
      {shown?.last} {shown?.change} {useDeals('btcusdt')[0]?.price}
    </p>
  );
}

it('WEB-222 header, tape and chart tell the price of the newest deal, in whatever order their topics arrive', async () => {
  const heard = new Map<string, Set<TopicListener>>();
  vi.spyOn(feed, 'listen').mockImplementation((topic, listener) => {
    heard.set(topic, (heard.get(topic) ?? new Set()).add(listener));
    return () => undefined;
  });
  const closes: number[] = [];
  const stop = followCandle('btcusdt', '1min', ({ close }) => closes.push(close));
  const { container } = render(<Page />);
  const seqs = new Map<string, number>();
  const tell = (topic: string, data: unknown) =>
    act(async () => {
      const seq = (seqs.get(topic) ?? 0) + 1;
      seqs.set(topic, seq);
      const type = seq === 1 ? 'snapshot' : 'update';
      for (const listener of heard.get(topic) ?? []) listener({ topic, type, seq, ts: 0, data });
      await new Promise<void>((resolve) => drawSoon(resolve));
    });
  const shown = () => [container.textContent?.trim(), closes.at(-1)];

  await tell('tickers', ticker('100'));
  await tell('trade.btcusdt', [deal('1', '101')]);
  await tell('kline.btcusdt.1min', candle('100'));
  expect(shown()).toEqual(['101 0.01 101', 101]);
  await tell('trade.btcusdt', [deal('2', '105')]);
  expect(shown()).toEqual(['105 0.05 105', 105]);
  // What was worked out before that deal, or after one that the tape does not tell yet.
  await tell('tickers', ticker('104'));
  await tell('kline.btcusdt.1min', candle('104'));
  expect(shown()).toEqual(['105 0.05 105', 105]);
  stop();
});
