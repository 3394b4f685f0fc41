import type { IncomingMessage } from 'node:http';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a browser says that a page of another site wants to change something here. */
export function isCrossSiteWrite({ method, headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'cross-site' && !READING.has(method ?? '');
}

/** Whether a body ended before its time because the caller went away: nobody is there to be answered. */
export function isCutOff(request: IncomingMessage, error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isBroken = code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
  return !request.complete && (isBroken || request.destroyed);
}
