import type { IncomingMessage } from 'node:http';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns whether the browser reports that a page of another site sent this request, and its method may change data.
 */
export function isCrossSiteWrite({ method, headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'cross-site' && !SAFE_METHODS.has(method ?? '');
}

/** Returns whether a request's body is incomplete because the client has disconnected. No answer can be sent then. */
export function isCutOff(request: IncomingMessage, error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isBroken = code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
  return !request.complete && (isBroken || request.destroyed);
}
