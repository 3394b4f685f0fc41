import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { feed } from '../feed/feed.ts';
import type { TopicListener, TopicMessage } from '../feed/feed-client.ts';
import { followCandle } from './candle-stream.ts';

const FIRST = 1_700_000_040;
const candle = (id: number, close = 1) => ({
  id,
  open: 1,
  close,
  high: 1,
  low: 1,
  vol: 1,
  amount: 1,
  seeded: 0,
});

describe('the current candle', () => {
  let publish: (type: TopicMessage['type'], id: number, close?: number) => void;
  let storedIds: number[];
  let isAway: boolean;
  let loadCount: number;
  let emitted: [number, number][];
  let lost: number;
  let stopFollowing: () => void;

  const settled = () => vi.advanceTimersByTimeAsync(10);

  beforeEach(() => {
    vi.useFakeTimers({ now: FIRST * 1_000 });
    storedIds = [];
    isAway = false;
    loadCount = 0;
    emitted = [];
    lost = 0;
    vi.spyOn(feed, 'subscribe').mockImplementation((topic, listener: TopicListener) => {
      if (topic.startsWith('kline.')) {
        publish = (type, id, close) => listener({ topic, type, seq: 1, ts: 1, data: candle(id, close) });
      }
      return () => undefined;
    });
    vi.stubGlobal('fetch', async (_url: string, { body }: { body?: URLSearchParams } = {}) => {
      loadCount += 1;
      if (isAway) throw new TypeError('away');
      const size = Number(body?.get('size') ?? new URL(_url, 'http://x').searchParams.get('size'));
      const data = storedIds.slice(-size).map((id) => candle(id, 7));
      return new Response(JSON.stringify({ code: 1, status: 'ok', data }));
    });
    stopFollowing = followCandle(
      'btcusdt',
      '1min',
      ({ id, close }) => emitted.push([id, close]),
      () => (lost += 1),
    );
  });
  afterEach(() => {
    stopFollowing();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('WEB-199 after a gap the missed candles are delivered first, the last known one with its close, in order and without duplicates', async () => {
    publish('snapshot', FIRST, 2);
    publish('update', FIRST, 3);
    const now = FIRST + 4 * 60;
    storedIds = [0, 1, 2, 3, 4].map((minute) => FIRST + minute * 60);
    vi.setSystemTime(now * 1_000);
    publish('snapshot', now, 5);
    publish('update', now, 6);
    await settled();
    await expect.poll(() => emitted.at(-1)).toEqual([now, 6]);
    const ids = emitted.map(([id]) => id);
    expect(ids).toEqual(ids.toSorted((left, right) => left - right));
    expect(new Set(ids)).toEqual(new Set(storedIds));
    expect(emitted).toContainEqual([FIRST, 7]);
  });

  it('WEB-199 newer candles wait until the missed ones are loaded', async () => {
    publish('snapshot', FIRST, 2);
    isAway = true;
    const now = FIRST + 2 * 60;
    storedIds = [FIRST, FIRST + 60, now];
    vi.setSystemTime(now * 1_000);
    publish('snapshot', now, 5);
    await settled();
    expect(emitted).toEqual([[FIRST, 2]]);
    isAway = false;
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => emitted.at(-1)).toEqual([now, 5]);
    expect(emitted.map(([id]) => id)).toContain(FIRST + 60);
  });

  it('WEB-199 a minute without a trade is no gap, and a gap within one candle loads nothing', async () => {
    publish('snapshot', FIRST);
    publish('update', FIRST + 3 * 60);
    publish('snapshot', FIRST + 3 * 60, 4);
    await settled();
    expect(loadCount).toBe(0);
    expect(emitted.map(([id]) => id)).toEqual([FIRST, FIRST + 180, FIRST + 180]);
  });

  it('WEB-199 after a sleep of days the chart is reloaded instead', async () => {
    publish('snapshot', FIRST);
    const now = FIRST + 3 * 86_400;
    vi.setSystemTime(now * 1_000);
    publish('snapshot', now);
    await settled();
    expect(lost).toBe(1);
    publish('update', now, 9);
    expect(emitted.at(-1)).toEqual([now, 9]);
  });
});
