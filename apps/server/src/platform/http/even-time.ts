import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../clock.ts';

/**
 * Runs `work` and settles as it does, but only at a multiple of `everyMs` after the start (without a delay for 0),
 * so that smaller differences in its duration do not reveal its result.
 */
export async function withConstantTime<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  if (everyMs === 0) return work();
  const startedMs = systemClock.monotonicMs();
  try {
    return await work();
  } finally {
    const until = startedMs + Math.ceil((systemClock.monotonicMs() - startedMs) / everyMs) * everyMs;
    // Timers have millisecond resolution, which would reveal fractions; the rest is waited for by polling.
    await sleep(Math.max(0, until - systemClock.monotonicMs() - 1));
    while (systemClock.monotonicMs() < until) await nextTurn();
  }
}
