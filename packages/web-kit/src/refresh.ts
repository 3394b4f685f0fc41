/**
 * The application's heartbeat: every five seconds while the page is visible, listeners refetch data that the feed does
 * not deliver, or not while it is interrupted.
 */

export const REFRESH_MS = 5_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `listener` on every heartbeat; returns a function that stops it. */
export function onRefresh(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(heartbeat, REFRESH_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function heartbeat(): void {
  if (document.visibilityState === 'hidden') return;
  for (const listener of listeners) listener();
}
