import { reloadForNewBuild } from './build.ts';

/** Maximum time in milliseconds for loading a chunk of the app. */
export const CHUNK_TIMEOUT_MS = 120_000;

/**
 * Thrown when a script or style sheet of the app could not be loaded: type `timeout` when the time limit has passed,
 * otherwise `error`.
 */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type: 'timeout' | 'error';
  /**
   * URL of the file that failed, if the browser names it; otherwise the path of the screen or the name of the
   * component.
   */
  readonly url: string;

  constructor(type: 'timeout' | 'error', url: string, cause?: unknown) {
    super(`Loading failed (${type}: ${url})`, { cause });
    this.type = type;
    this.url = url;
  }
}

/**
 * Style sheets that failed to load, by the load function of the chunk that needs them. The bundler's loader would not
 * fetch such a style sheet again, because it regards it as loaded.
 */
const failedStyles = new Map<() => Promise<unknown>, string>();

/**
 * Loads a chunk of the app. `name` is the path of the screen or the name of the component; the error contains it if the
 * browser names no file. Rejects with a `ChunkLoadError` when loading fails or takes longer than 120 seconds. If the
 * server has a newer build that lacks the file, `reloadForNewBuild` reloads the page.
 */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>, name: string): Promise<Chunk> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timeout', name)), CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([withStyle(load), timeout]);
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

/** Pauses in milliseconds before the first and the second repeated attempt to load a screen. */
const SCREEN_PAUSES_MS = [500, 2_000] as const;

/**
 * Like `loadChunk`, but repeats a failed load twice, after short pauses, because connections often fail just after the
 * network has returned. Does not repeat after a timeout, nor while the device is offline.
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

/**
 * Returns the URL of a script or style sheet that a browser's error message contains; undefined if it
 * contains none.
 */
function urlIn(message: string): string | undefined {
  return /(?:https?:\/\/|\/)\S+\.(?:js|css)/.exec(message)?.[0];
}

/** Loads a chunk of the app; fetches the chunk's style sheet first if that failed at the previous attempt. */
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
