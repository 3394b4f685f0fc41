import { kline } from '@exchange/wire/market.ts';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { Providers } from '../shell/providers.tsx';
import { AccountServer } from '../market/testing/account-server.ts';
import type { Candle } from '../market/queries.ts';
import { interpolatePast, useGeneratedPast } from './past-line.ts';

const MINUTE = 60_000;
const BEGIN = 1_795_000_020_000;
/**
 * Test data: consecutive minute candles. Each opens at the previous close; its high is 1 above, its low 1 below its
 * open and close.
 */
const candle = (minute: number, isSeeded = true): Candle => {
  const open = 100 + Math.sin(minute);
  const close = 100 + Math.sin(minute + 1);
  const [high, low] = [Math.max(open, close) + 1, Math.min(open, close) - 1];
  return {
    id: BEGIN / 1_000 + 60 * minute,
    open,
    close,
    high,
    low,
    vol: 1,
    amount: 100,
    isSeeded,
  };
};
const minutes = Array.from({ length: 62 }, (_, minute) => candle(minute));
/** The first index price, 24 seconds after the beginning of the last of the minutes. */
const FIRST = { t: BEGIN + 61 * MINUTE + 24_000, price: 100.2 };

describe('CON-041 generated history before the index', () => {
  it('ends before the first price without a visible step', () => {
    const line = [...interpolatePast(minutes, FIRST), FIRST];
    const steps = line.slice(1).map(({ t, price }, at) => ({
      ms: t - line[at]!.t,
      jump: Math.abs(price - line[at]!.price),
    }));
    expect(line[0]).toEqual({ t: BEGIN, price: minutes[0]!.open });
    expect(steps.every(({ ms }) => ms > 0 && ms <= 5_000)).toBe(true);
    const widest = Math.max(...steps.slice(0, -12).map(({ jump }) => jump));
    expect(Math.max(...steps.slice(-12).map(({ jump }) => jump))).toBeLessThanOrEqual(widest);
  });

  it('shows open, high and low of each candle, and nothing beyond', () => {
    const line = interpolatePast(minutes, FIRST);
    for (const { id, open, high, low } of minutes.slice(0, -1)) {
      const prices = line.filter(({ t }) => Math.floor(t / MINUTE) * 60 === id).map(({ price }) => price);
      expect(prices[0]).toBe(open);
      expect([Math.max(...prices), Math.min(...prices)]).toEqual([high, low]);
    }
  });

  it('is deterministic, with at most twelve points per minute', () => {
    expect(interpolatePast(minutes, FIRST)).toEqual(interpolatePast(minutes, FIRST));
    expect(interpolatePast(minutes, FIRST)).toHaveLength(62 * 12);
  });

  it('fills neither gaps nor minutes with trades or without data', () => {
    expect(interpolatePast(minutes, { ...FIRST, t: FIRST.t + 3 * MINUTE })).toEqual([]);
    expect(
      interpolatePast(
        minutes.map((minute) => ({ ...minute, isSeeded: false })),
        FIRST,
      ),
    ).toEqual([]);
    expect(interpolatePast([], FIRST)).toEqual([]);
  });
});

describe('the generated history on screen', () => {
  let server: AccountServer;
  beforeAll(async () => {
    server = await AccountServer.start();
  });
  afterEach(() => {
    cleanup();
    queryClient.clear();
  });
  afterAll(() => server.stop());

  const rows = minutes.map(({ isSeeded: _, ...rest }) => ({ ...rest, seeded: 1 }));
  const points = [
    { t: FIRST.t - 1_000, price: null },
    { t: FIRST.t, price: String(FIRST.price) },
    { t: FIRST.t + 1_000, price: '100.3' },
  ];
  const show = (isDemo: boolean, reach: number) => {
    server.serve({ [kline.path]: () => ({ code: 1, status: 'ok', data: rows }) });
    const options = { symbol: 'btcusdt', line: { points, reach }, span: 3600, isDemo } as const;
    return renderHook(() => useGeneratedPast(options), { wrapper: Providers }).result;
  };
  const requestCount = () => server.received.filter(({ path }) => path === kline.path).length;

  it('CON-041 is shown in demo mode once the tape has been loaded that far back', async () => {
    const view = show(true, 3_600);
    await waitFor(() => expect(view.current.length).toBeGreaterThan(600));
    expect(view.current.at(-1)!.t).toBeLessThan(FIRST.t);
    expect(requestCount()).toBe(1);
  });

  it.each([
    ['in live mode', false, 3_600],
    ['before the tape has answered', true, 0],
  ] as const)('CON-041 is neither shown nor fetched %s', async (_, isDemo, reach) => {
    const view = show(isDemo, reach);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(view.current).toEqual([]);
    expect(requestCount()).toBe(0);
  });
});
