/**
 * The page's refresh interval in milliseconds: every five seconds while the page is visible, listeners
 * refetch data that the live feed does not deliver, or that it does not deliver while it is interrupted.
 */

export const REFRESH_MS = 5_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `listener` every five seconds while the page is visible. Returns a function that ends the calls. */
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
