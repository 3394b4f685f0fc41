/**
 * The application's heartbeat: every five seconds, while the page is visible, whoever polls what no stream
 * delivers is asked to.
 */

export const REFRESH_MS = 5_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `listener` at every heartbeat; gives the way to stop it. */
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
