import { reloadForNewBuild } from './build.ts';

/** How long a part of the site may take to load before it counts as lost. */
export const CHUNK_TIMEOUT_MS = 120_000;

/** A part of the site, script or style, that did not load: `timeout` when nothing came in time, `error` otherwise. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type: 'timeout' | 'error';
  /** The missing file where the browser names it, else the name of the part. */
  readonly url: string;

  constructor(type: 'timeout' | 'error', url: string, cause?: unknown) {
    super(`Loading failed (${type}: ${url})`, { cause });
    this.type = type;
    this.url = url;
  }
}

/**
 * Style sheets that failed to load, by the function whose part needs them. The build tool's loader counts them as
 * loaded and would not fetch them again.
 */
const failedStyles = new Map<() => Promise<unknown>, string>();

/**
 * Loads a part of the site; `name` is the screen's address or the part's name, for the error where the browser names
 * no file. Rejects with a `ChunkLoadError` after 120 s or when loading fails. A failure because the file belongs to a
 * build that the server no longer has reloads the page, once per build.
 */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>, name: string): Promise<Chunk> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timeout', name)), CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([withStyle(load), late]);
  } catch (cause) {
    if (cause instanceof ChunkLoadError) throw cause;
    const url = urlIn(String(cause));
    if (url?.endsWith('.css') === true) failedStyles.set(load, url);
    if (url !== undefined) void reloadForNewBuild(url);
    throw new ChunkLoadError('error', url ?? name, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** Pauses before a screen that failed is fetched again. */
const SCREEN_PAUSES_MS = [500, 2_000] as const;

/**
 * Loads a screen as `loadChunk` does, and fetches it again after short pauses where it fails although there is a
 * network: connections also fail in the moment in which a network comes back.
 */
export async function loadScreen<Screen>(load: () => Promise<Screen>, address: string): Promise<Screen> {
  for (const pauseMs of SCREEN_PAUSES_MS) {
    try {
      return await loadChunk(load, address);
    } catch (error) {
      if (!navigator.onLine || (error instanceof ChunkLoadError && error.type === 'timeout')) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return loadChunk(load, address);
}

/** The file that a browser's own message names, be it a script or a style sheet. */
function urlIn(message: string): string | undefined {
  return /(?:https?:\/\/|\/)\S+\.(?:js|css)/.exec(message)?.[0];
}

/** Loads a part, with the style sheet that failed when it was last loaded. */
async function withStyle<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
  const style = failedStyles.get(load);
  if (style !== undefined) {
    await refetchStyle(style);
    failedStyles.delete(load);
  }
  return load();
}

function refetchStyle(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = url;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new ChunkLoadError('error', url));
    });
    document.head.append(link);
  });
}
