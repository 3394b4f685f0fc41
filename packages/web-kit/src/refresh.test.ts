import { afterEach, expect, it, vi } from 'vitest';
import { onRefresh, REFRESH_MS } from './refresh.ts';

afterEach(() => vi.useRealTimers());

it('SPEC-004 the heartbeat calls listeners every five seconds, and stops with the last one', () => {
  vi.useFakeTimers();
  expect(REFRESH_MS).toBe(5_000);
  let [first, second] = [0, 0];
  const stopFirst = onRefresh(() => (first += 1));
  const stopSecond = onRefresh(() => (second += 1));
  vi.advanceTimersByTime(4_999);
  expect([first, second]).toEqual([0, 0]);
  vi.advanceTimersByTime(5_001);
  expect([first, second]).toEqual([2, 2]);
  stopFirst();
  vi.advanceTimersByTime(5_000);
  expect([first, second]).toEqual([2, 3]);
  stopSecond();
  expect(vi.getTimerCount()).toBe(0);
});
