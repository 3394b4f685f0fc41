import { vi } from 'vitest';

/** Longer than anything takes, however busy the machine is; only a test that fails ever waits as long. */
const TIMEOUT_MS = 60_000;

/** For the short form of a reliability programme, which takes up to two minutes on a quiet machine. */
export const PROGRAMME_TIMEOUT_MS = 900_000;

/** What is not ready or ended by then is broken: the programmes hold it to seconds, on a machine that is there for them. */
export const BROKEN_MS = 90_000;

/** Asks again every few milliseconds until `expected` no longer throws; gives what it gives, or throws what it threw last. */
export function eventually<T>(expected: () => T | Promise<T>, interval = 20): Promise<T> {
  return vi.waitFor(expected, { timeout: TIMEOUT_MS, interval });
}
