import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Restarts } from './restarts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function restartsOf() {
  let nowMs = 0;
  const begun: number[] = [];
  const restarts = new Restarts({
    clock: { monotonicMs: () => nowMs } as never,
    begin: () => begun.push(nowMs),
    firstPauseMs: 100,
    longestPauseMs: 1_000,
  });
  const pass = (ms: number) => {
    nowMs += ms;
    vi.advanceTimersByTime(ms);
  };
  return { restarts, begun, pass };
}

it('MKT-940 the pauses before a restart double up to the longest, and begin anew after a steady life', () => {
  const { restarts, begun, pass } = restartsOf();
  expect(restarts.start()).toBe(true);
  expect(restarts.start()).toBe(false);
  const pauses = Array.from({ length: 6 }, () => {
    const pauseMs = restarts.schedule()!;
    pass(pauseMs);
    return pauseMs;
  });
  expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  expect(begun).toHaveLength(7);
  expect(restarts.count).toBe(7);
  pass(60_001);
  expect(restarts.schedule()).toBe(100);
});

it('MKT-940 nothing begins after a stop', () => {
  const { restarts, begun, pass } = restartsOf();
  restarts.start();
  restarts.schedule();
  restarts.stop();
  expect(restarts.schedule()).toBeUndefined();
  pass(10_000);
  expect(begun).toHaveLength(1);
});
