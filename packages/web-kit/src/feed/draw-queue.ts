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

/** So many promises after a candle a chart has asked for all of its frames; it takes about ten. */
const PROMISES = 32;

/** No animation frame has it: to cancel it cancels nothing. */
const NO_FRAME = 0;

/** Told how many milliseconds a drawing has taken, all of its parts together. */
type OnDrawn = (tookMs: number) => void;

type Draw = () => void | Promise<void>;

const waiting = new Set<Draw>();
let isAsked = false;
let restsUntilMs = Number.NEGATIVE_INFINITY;

/**
 * Draws in the next animation frame, or in one of those after it when several topics changed at once and the
 * device is slow: first come, first served, and each once however often it asks meanwhile.
 */
export function drawSoon(draw: Draw): void {
  waiting.add(draw);
  if (!isAsked) ask();
}

/**
 * The same for what asks for animation frames of its own, as a chart does for each of its canvases: these are
 * parts that come into the queue one after the other, so that a slow device need not draw them all in one frame.
 */
export function drawInParts(draw: () => void, onDrawn: OnDrawn = () => undefined): void {
  drawSoon(async () => {
    const beganMs = steadyNow();
    const parts = await partsOf(draw);
    drawNext(parts, steadyNow() - beganMs, onDrawn);
  });
}

/**
 * What would have been drawn in the next frame. Nothing but promises runs before it is known, so that no frame of
 * anyone else's is taken.
 */
async function partsOf(draw: () => void): Promise<readonly FrameRequestCallback[]> {
  const parts: FrameRequestCallback[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  const { requestAnimationFrame: ask } = window;
  window.requestAnimationFrame = (part) => {
    parts.push(part);
    return NO_FRAME;
  };
  try {
    draw();
    for (let passed = 0; passed < PROMISES; passed += 1) await Promise.resolve();
  } finally {
    window.requestAnimationFrame = ask;
  }
  return parts;
}

function drawNext(
  [part, ...others]: readonly FrameRequestCallback[],
  tookMs: number,
  onDrawn: OnDrawn,
): void {
  if (part === undefined) {
    onDrawn(tookMs);
    return;
  }
  drawSoon(() => {
    const beganMs = steadyNow();
    try {
      part(beganMs);
    } finally {
      drawNext(others, tookMs + steadyNow() - beganMs, onDrawn);
    }
  });
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
  for (const draw of waiting) {
    waiting.delete(draw);
    try {
      // React renders what was drawn in a promise of its own; awaiting it tells how long that took.
      await draw();
    } catch (failure) {
      queueMicrotask(() => {
        throw failure;
      });
    }
    if (steadyNow() - beganMs >= SHARE_MS) break;
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
