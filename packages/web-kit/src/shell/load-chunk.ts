/** How long a part of the site may take to load before it counts as lost. */
export const CHUNK_TIMEOUT_MS = 120_000;

/** A part of the site, script or style, that did not load: `timeout` when nothing came in time, `error` otherwise. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type: 'timeout' | 'error';
  /** What did not come: the file where the browser names it, else the address of the screen. */
  readonly url: string;

  constructor(type: 'timeout' | 'error', url: string, cause?: unknown) {
    super(`Loading failed (${type}: ${url})`, { cause });
    this.type = type;
    this.url = url;
  }
}

/** Loads a part of the site for the screen at `address`; rejects with a `ChunkLoadError` after 120 s, or when it fails. */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>, address: string): Promise<Chunk> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('timeout', address)), CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (cause) {
    if (cause instanceof ChunkLoadError) throw cause;
    throw new ChunkLoadError('error', urlIn(String(cause)) ?? address, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** The file that a browser's own message names, be it a script or a style sheet. */
function urlIn(message: string): string | undefined {
  return /(?:https?:\/\/|\/)\S+\.(?:js|css)/.exec(message)?.[0];
}
