import { steadyNow } from '../clock.ts';

/**
 * Milliseconds of JavaScript that the draw queue may use per animation frame; the remaining draws wait for the next
 * frame. The browser's style, layout and paint after these draws take about three times as long in addition.
 */
const FRAME_BUDGET_MS = 1.5;

/**
 * Pause of the draw queue after a frame, as a fraction of the time that the frame took. On a slow device frames take
 * long, so the queue draws less often and leaves time for input, messages and garbage collection.
 */
const PAUSE_RATIO = 0.5;

type Draw = () => void | Promise<void>;

const waiting = new Map<Draw, string | undefined>();
let isScheduled = false;
let pausedUntilMs = Number.NEGATIVE_INFINITY;

/**
 * Runs `draw` in the next animation frame, or in a later one if the frame's time budget is used up or the device is
 * slow. Draws run in the order of the requests, except that draws with the same `together` name run in the same frame.
 * A draw that is requested again before it has run is run only once.
 */
export function drawSoon(draw: Draw, together?: string): void {
  waiting.set(draw, together);
  if (!isScheduled) scheduleFrame();
}

function scheduleFrame(): void {
  isScheduled = true;
  const leftMs = pausedUntilMs - steadyNow();
  if (leftMs <= 0) requestAnimationFrame(startDrawing);
  else setTimeout(() => requestAnimationFrame(startDrawing), leftMs);
}

function startDrawing(): void {
  void drawWithinBudget();
}

async function drawWithinBudget(): Promise<void> {
  const startedMs = steadyNow();
  const startedGroups = new Set<string>();
  let isFull = false;
  for (const [draw, together] of waiting) {
    if (isFull && (together === undefined || !startedGroups.has(together))) continue;
    waiting.delete(draw);
    if (together !== undefined) startedGroups.add(together);
    try {
      // `draw` may return a promise, because React renders asynchronously; awaiting it includes the rendering in the
      // measured time.
      await draw();
    } catch (failure) {
      queueMicrotask(() => {
        throw failure;
      });
    }
    isFull ||= steadyNow() - startedMs >= FRAME_BUDGET_MS;
  }
  // A timer set in an animation frame fires after the frame has been laid out and painted.
  setTimeout(() => pauseAfterFrame(startedMs), 0);
}

function pauseAfterFrame(startedMs: number): void {
  const endedMs = steadyNow();
  pausedUntilMs = endedMs + (endedMs - startedMs) * PAUSE_RATIO;
  isScheduled = false;
  if (waiting.size > 0) scheduleFrame();
}
