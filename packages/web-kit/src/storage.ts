/** Returns the text stored under a key in local storage; null if none is stored or the storage is blocked. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // The browser denies access to the storage (blocked cookies, sandbox); the app works without stored values.
    return null;
  }
}

/**
 * Stores a text under a key in local storage; null removes the key. Failures, for example in private windows, are
 * ignored.
 */
export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The storage is denied or full, so the value is lost when the page is closed or reloaded.
  }
}

/** Parses a stored text as JSON; undefined for null and for invalid JSON, because users can edit the storage. */
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
 * Calls `changed` when another tab changes the value of the key or clears the storage. Returns a function that removes
 * the listener.
 */
export function onStoredChange(key: string, changed: () => void): () => void {
  const handleStorage = (event: StorageEvent): void => {
    if (event.key === key || event.key === null) changed();
  };
  window.addEventListener('storage', handleStorage);
  return () => window.removeEventListener('storage', handleStorage);
}
