import { steadyNow } from '../clock.ts';

/** How much of a frame drawing may take before the rest waits for the next one: layout and paint come after it. */
const SHARE_MS = 5;

/** Told how many milliseconds of the frame after it a drawing has taken. */
type OnDrawn = (tookMs: number) => void;

const waiting = new Map<() => void, OnDrawn | undefined>();
let frame: number | undefined;

/**
 * Draws in the next animation frame, or in one of those after it when several topics changed at once and the
 * device is slow: first come, first served, and each once however often it asks meanwhile.
 */
export function drawSoon(draw: () => void): void {
  wait(draw, undefined);
}

/** The same for what only sets off a drawing, as a chart does whose canvases draw in the frame after. */
export function drawInTwoFrames(draw: () => void, onDrawn: OnDrawn): void {
  wait(draw, onDrawn);
}

function wait(draw: () => void, onDrawn: OnDrawn | undefined): void {
  waiting.set(draw, onDrawn);
  frame ??= requestAnimationFrame(begin);
}

function begin(): void {
  drawFrom(steadyNow());
}

/** The frame belongs to what the last drawing set off, and that has run before this. */
function leaveOut(frameMs: number, onDrawn: OnDrawn): void {
  frame = requestAnimationFrame(begin);
  onDrawn(steadyNow() - frameMs);
}

function drawFrom(beganMs: number): void {
  const [next] = waiting;
  if (next === undefined) {
    frame = undefined;
    return;
  }
  const [draw, onDrawn] = next;
  waiting.delete(draw);
  try {
    draw();
  } finally {
    // What was drawn is rendered in a microtask; the one queued behind it sees how long that took.
    queueMicrotask(() => {
      if (onDrawn !== undefined) frame = requestAnimationFrame((frameMs) => leaveOut(frameMs, onDrawn));
      else if (steadyNow() - beganMs < SHARE_MS) drawFrom(beganMs);
      else frame = requestAnimationFrame(begin);
    });
  }
}
