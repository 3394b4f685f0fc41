import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';

/**
 * Milliseconds after which `eventually` throws. More than any awaited change takes on a busy machine, so only a failing
 * test waits this long.
 */
const TIMEOUT_MS = 60_000;
/** First pause between polls in milliseconds. Later pauses grow, because most polls send a request. */
const FIRST_PAUSE_MS = 20;
const PAUSE_GROWS_BY = 1.25;
const LONGEST_PAUSE_MS = 100;

/**
 * Timeout in milliseconds of a test that runs the short form of a reliability programme, which takes up to two minutes
 * on an idle machine.
 */
export const PROGRAMME_TIMEOUT_MS = 900_000;

/**
 * Maximum time in milliseconds until a server is ready or has stopped. It is generous for a busy machine. On a
 * dedicated machine the programmes require seconds.
 */
export const RECOVERY_MAX_MS = 90_000;

/**
 * Retries `expected` until it does not throw: after 20 ms, then after growing pauses of up to 100 ms, or always after
 * `pauseMs` if that is given. Returns its result, or throws its last error after the timeout.
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
    // If the test uses fake timers, they advance here while it waits.
    if (vi.isFakeTimers()) vi.advanceTimersByTime(nextMs);
    if (pauseMs === undefined) nextMs = Math.min(LONGEST_PAUSE_MS, nextMs * PAUSE_GROWS_BY);
  }
}
