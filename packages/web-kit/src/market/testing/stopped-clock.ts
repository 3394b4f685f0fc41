import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { drawSoon } from '../../feed/draw-queue.ts';

/** Timers from here on wait for the test; the turns of the draw queue are shorter. */
const LONG_MS = 500;

/**
 * Stops the page's steady clock and holds its long timers back; gives the way to let them run, after which all is
 * drawn. However slow the machine is, a test then sees what stood before a timer and what stands after it. Ends
 * with the test's mocks.
 */
export function stopClock(): () => Promise<void> {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const held: (() => void)[] = [];
  const soon = globalThis.setTimeout.bind(globalThis);
  const holding = (run: () => void, ms = 0): unknown => (ms < LONG_MS ? soon(run, ms) : held.push(run));
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(holding as typeof setTimeout);
  return () =>
    act(async () => {
      for (const run of held.splice(0)) run();
      // First come, first served: what they wanted drawn is drawn before this.
      await new Promise<void>((resolve) => drawSoon(resolve));
    });
}
