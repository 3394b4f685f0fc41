import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { drawSoon } from '../../feed/draw-queue.ts';

/**
 * Timers of at least this many milliseconds are controlled by the test; the draw queue's timers are shorter.
 */
const LONG_MS = 500;

/**
 * Stops the page's steady clock and holds back long timers, so that tests do not depend on the machine's speed.
 * Returns a function that runs the timers and waits until everything is drawn. Undone when the test's mocks are
 * restored.
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
      // The draw queue is first in, first out: everything queued earlier is drawn before this.
      await new Promise<void>((resolve) => drawSoon(resolve));
    });
}
