/** How much of a frame drawing may take before the rest waits for the next one: layout and paint come after it. */
const SHARE_MS = 5;

const waiting = new Set<() => void>();
let frame: number | undefined;

/**
 * Draws in the next animation frame, or in one of those after it when several topics changed at once and the
 * device is slow: first come, first served, and each once however often it asks meanwhile.
 */
export function drawSoon(draw: () => void): void {
  waiting.add(draw);
  frame ??= requestAnimationFrame(begin);
}

function begin(): void {
  drawFrom(performance.now());
}

function drawFrom(beganMs: number): void {
  const [draw] = waiting;
  if (draw === undefined) {
    frame = undefined;
    return;
  }
  waiting.delete(draw);
  try {
    draw();
  } finally {
    // What was drawn is rendered in a microtask; the one queued behind it sees how long that took.
    queueMicrotask(() => {
      if (performance.now() - beganMs < SHARE_MS) drawFrom(beganMs);
      else frame = waiting.size === 0 ? undefined : requestAnimationFrame(begin);
    });
  }
}
