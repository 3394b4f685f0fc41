/** Local storage that a private window or a full disk cannot break: what cannot be kept is only forgotten. */

/** The remembered text, or null. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Reason: the browser refuses storage to this page (blocked cookies, sandbox); we go on without memory.
    return null;
  }
}

/** Remembers a text; null forgets it. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Reason: as above, or the quota is full; the setting then lives as long as the page.
  }
}

/** What a remembered text says as JSON; undefined where it is none, because somebody edited the storage by hand. */
export function jsonIn(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Calls `changed` when another tab changed what is remembered under a key, or forgot all; gives the way to stop. */
export function onRemembered(key: string, changed: () => void): () => void {
  const follow = (event: StorageEvent): void => {
    if (event.key === key || event.key === null) changed();
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}
