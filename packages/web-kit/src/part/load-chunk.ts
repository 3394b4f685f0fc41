import { reloadForNewBuild } from './build.ts';

/** Milliseconds within which a chunk of the app must load. */
export const CHUNK_TIMEOUT_MS = 120_000;

/**
 * Thrown when a script or style sheet of the app failed to load: `timeout` when the time limit passed,
 * otherwise `error`.
 */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type: 'timeout' | 'error';
  /** URL of the missing file if the browser names it, otherwise the path of the screen or the name of the component. */
  readonly url: string;

  constructor(type: 'timeout' | 'error', url: string, cause?: unknown) {
    super(`Loading failed (${type}: ${url})`, { cause });
    this.type = type;
    this.url = url;
  }
}

/**
 * Style sheets that failed to load, by the load function that needs them. The bundler's loader treats them as loaded
 * and would not fetch them again.
 */
const failedStyles = new Map<() => Promise<unknown>, string>();

/**
 * Loads a chunk of the app. `name` (screen path or component name) is used in the error when the browser
 * names no file. Rejects with a `ChunkLoadError` after 120 s or when loading fails. When the file belongs to
 * a build that the server no longer has, the page reloads as described at `reloadForNewBuild`.
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

/** Pauses in milliseconds before a screen that failed to load is fetched again. */
const SCREEN_PAUSES_MS = [500, 2_000] as const;

/**
 * Like `loadChunk`, but retries twice after short pauses while the device is online, not after a timeout: connections
 * often fail just when the network returns.
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

/** URL of a script or style sheet within a browser's error message. */
function urlIn(message: string): string | undefined {
  return /(?:https?:\/\/|\/)\S+\.(?:js|css)/.exec(message)?.[0];
}

/** Loads a chunk of the app, and first its style sheet if that failed last time. */
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
