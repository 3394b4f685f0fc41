import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Restarts } from './restarts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createRestarts() {
  let nowMs = 0;
  const startTimes: number[] = [];
  const restarts = new Restarts({
    clock: { monotonicMs: () => nowMs } as never,
    startRun: () => startTimes.push(nowMs),
    firstPauseMs: 100,
    longestPauseMs: 1_000,
  });
  const pass = (ms: number) => {
    nowMs += ms;
    vi.advanceTimersByTime(ms);
  };
  return { restarts, begun: startTimes, pass };
}

it('MKT-940 pauses between restarts double up to the maximum and are reset after a steady run', () => {
  const { restarts, begun, pass } = createRestarts();
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

it('MKT-940 nothing starts after a stop', () => {
  const { restarts, begun, pass } = createRestarts();
  restarts.start();
  restarts.schedule();
  restarts.stop();
  expect(restarts.schedule()).toBeUndefined();
  pass(10_000);
  expect(begun).toHaveLength(1);
});
