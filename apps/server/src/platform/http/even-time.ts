import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../clock.ts';

/**
 * Answers and refuses at full multiples of `everyMs` after it was asked, at once for 0: how long the work took tells
 * nobody what was found.
 */
export async function inEvenTime<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  if (everyMs === 0) return work();
  const began = systemClock.monotonicMs();
  try {
    return await work();
  } finally {
    const until = began + Math.ceil((systemClock.monotonicMs() - began) / everyMs) * everyMs;
    // Timers count whole milliseconds, and what they cut off would tell; the rest is waited for turn by turn.
    await sleep(Math.max(0, until - systemClock.monotonicMs() - 1));
    while (systemClock.monotonicMs() < until) await nextTurn();
  }
}
