import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../clock.ts';

/**
 * Runs `work` and returns its result or throws its error, but delays this to a multiple of `everyMs` milliseconds after
 * the start, so that smaller differences in the duration do not reveal the result. Does not delay if `everyMs` is 0.
 */
export async function withConstantTime<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  if (everyMs === 0) return work();
  const startedMs = systemClock.monotonicMs();
  try {
    return await work();
  } finally {
    const until = startedMs + Math.ceil((systemClock.monotonicMs() - startedMs) / everyMs) * everyMs;
    // Timers are only accurate to a millisecond, so during the last millisecond the clock is polled.
    await sleep(Math.max(0, until - systemClock.monotonicMs() - 1));
    while (systemClock.monotonicMs() < until) await nextTurn();
  }
}
