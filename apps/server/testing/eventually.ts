import { vi } from 'vitest';

/** Longer than anything takes, however busy the machine is; only a test that fails ever waits as long. */
const PATIENCE_MS = 60_000;

/** Asks again every few milliseconds until `expected` no longer throws; gives what it gives, or throws what it threw last. */
export function eventually<T>(expected: () => T | Promise<T>, interval = 20): Promise<T> {
  return vi.waitFor(expected, { timeout: PATIENCE_MS, interval });
}
