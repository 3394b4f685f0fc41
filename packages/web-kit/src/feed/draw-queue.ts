import { steadyNow } from '../clock.ts';

/**
 * How long the scripts of a frame may draw before the rest waits for the next one: styles, layout, paint and the
 * handing over of what was painted take three times as long again.
 */
const SHARE_MS = 1.5;

/**
 * The queue rests after a frame for this part of what the whole frame took. A quick one leaves the next one where it
 * is; a slow device draws less often and has time left for the person at it, for messages and for the collector.
 */
const REST = 0.5;

type Draw = () => void | Promise<void>;

const waiting = new Map<Draw, string | undefined>();
let isAsked = false;
let restsUntilMs = Number.NEGATIVE_INFINITY;

/**
 * Draws in the next animation frame, or in one of those after it when several topics changed at once and the
 * device is slow: first come, first served, and each once however often it asks meanwhile. What waits under one name
 * is drawn in one frame, however long that takes.
 */
export function drawSoon(draw: Draw, together?: string): void {
  waiting.set(draw, together);
  if (!isAsked) ask();
}

function ask(): void {
  isAsked = true;
  const leftMs = restsUntilMs - steadyNow();
  if (leftMs <= 0) requestAnimationFrame(begin);
  else setTimeout(() => requestAnimationFrame(begin), leftMs);
}

function begin(): void {
  void drawWhatFits();
}

async function drawWhatFits(): Promise<void> {
  const beganMs = steadyNow();
  const begun = new Set<string>();
  let isFull = false;
  for (const [draw, together] of waiting) {
    if (isFull && (together === undefined || !begun.has(together))) continue;
    waiting.delete(draw);
    if (together !== undefined) begun.add(together);
    try {
      // React renders what was drawn in a promise of its own; awaiting it shows how long that took.
      await draw();
    } catch (failure) {
      queueMicrotask(() => {
        throw failure;
      });
    }
    isFull ||= steadyNow() - beganMs >= SHARE_MS;
  }
  // A timer waits until the frame has been laid out, painted and handed over.
  setTimeout(() => rest(beganMs), 0);
}

function rest(beganMs: number): void {
  const endedMs = steadyNow();
  restsUntilMs = endedMs + (endedMs - beganMs) * REST;
  isAsked = false;
  if (waiting.size > 0) ask();
}
