import { steadyNow } from '../clock.ts';

/** How much of a frame drawing may take before the rest waits for the next one: layout and paint come after it. */
const SHARE_MS = 5;

const waiting = new Map<() => void, Draws>();
let frame: number | undefined;

/** Whether all is drawn at once, or something is set off that draws in the frame after (a chart's canvases). */
export type Draws = 'atOnce' | 'inTwoFrames';

/**
 * Draws in the next animation frame, or in one of those after it when several topics changed at once and the
 * device is slow: first come, first served, and each once however often it asks meanwhile.
 */
export function drawSoon(draw: () => void, draws: Draws = 'atOnce'): void {
  waiting.set(draw, draws);
  frame ??= requestAnimationFrame(begin);
}

function begin(): void {
  drawFrom(steadyNow());
}

/** The frame belongs to what the last drawing set off. */
function leaveOut(): void {
  frame = requestAnimationFrame(begin);
}

function drawFrom(beganMs: number): void {
  const [next] = waiting;
  if (next === undefined) {
    frame = undefined;
    return;
  }
  const [draw, draws] = next;
  waiting.delete(draw);
  try {
    draw();
  } finally {
    // What was drawn is rendered in a microtask; the one queued behind it sees how long that took.
    queueMicrotask(() => {
      if (draws === 'inTwoFrames') frame = requestAnimationFrame(leaveOut);
      else if (steadyNow() - beganMs < SHARE_MS) drawFrom(beganMs);
      else frame = requestAnimationFrame(begin);
    });
  }
}
