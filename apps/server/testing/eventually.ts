import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';

/** Longer than anything takes, however busy the machine is; only a test that fails ever waits as long. */
const TIMEOUT_MS = 60_000;
/** What comes at once is seen at once; what takes seconds is looked for less often, for each look is often a call. */
const FIRST_PAUSE_MS = 20;
const PAUSE_GROWS_BY = 1.25;
const LONGEST_PAUSE_MS = 100;

/** For the short form of a reliability programme, which takes up to two minutes on a quiet machine. */
export const PROGRAMME_TIMEOUT_MS = 900_000;

/** What is not ready or ended by then is broken: the programmes hold it to seconds, on a machine that is there for them. */
export const BROKEN_MS = 90_000;

/**
 * Calls `expected` again until it no longer throws: after 20 ms, then after growing pauses of up to 100 ms, or always after
 * `pauseMs` where that is given. Returns what it returns, or throws what it threw last, after a minute.
 */
export async function eventually<T>(expected: () => T | Promise<T>, pauseMs?: number): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let nextMs = pauseMs ?? FIRST_PAUSE_MS; ;) {
    try {
      return await expected();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(nextMs);
    // A test that holds timers sees them go on while it waits.
    if (vi.isFakeTimers()) vi.advanceTimersByTime(nextMs);
    if (pauseMs === undefined) nextMs = Math.min(LONGEST_PAUSE_MS, nextMs * PAUSE_GROWS_BY);
  }
}
