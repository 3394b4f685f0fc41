import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { drawSoon } from '../../feed/draw-queue.ts';

/**
 * Timers of at least this many milliseconds are held until the test runs them; shorter ones, such as those of
 * the draw queue, run normally.
 */
const LONG_MS = 500;

/**
 * Stops the page's steady clock and holds back long timers, so that tests do not depend on the speed of the machine.
 * Returns a function that runs the held timers and resolves when everything is drawn. Restoring the test's mocks
 * restores the clock and the timers.
 */
export function stopClock(): () => Promise<void> {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const heldTimers: (() => void)[] = [];
  const soon = globalThis.setTimeout.bind(globalThis);
  const holdTimer = (run: () => void, ms = 0): unknown =>
    ms < LONG_MS ? soon(run, ms) : heldTimers.push(run);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(holdTimer as typeof setTimeout);
  return () =>
    act(async () => {
      for (const run of heldTimers.splice(0)) run();
      // The draw queue draws in the order of the requests, so all earlier requests have been drawn when this one runs.
      await new Promise<void>((resolve) => drawSoon(resolve));
    });
}
