/** The text stored under a key in local storage; null without one, and when storage is blocked. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // The browser denies storage (blocked cookies, sandbox); continue without stored values.
    return null;
  }
}

/** Stores a text in local storage; null removes the key. Failures, as in private windows, are ignored. */
export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is denied or full; the setting then lasts as long as the page.
  }
}

/** Parses a stored text as JSON; undefined when it is invalid, because users can edit the storage. */
export function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Calls `changed` when another tab changes the key or clears the storage; returns a function that stops it.
 */
export function onStoredChange(key: string, changed: () => void): () => void {
  const handleStorage = (event: StorageEvent): void => {
    if (event.key === key || event.key === null) changed();
  };
  window.addEventListener('storage', handleStorage);
  return () => window.removeEventListener('storage', handleStorage);
}
