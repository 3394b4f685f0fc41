import type { IncomingMessage } from 'node:http';

/**
 * Whether a request to connect comes from a page of ours. A browser names the page's origin; what is no
 * browser names none, and cannot be tricked into calling.
 */
export function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || (publicUrl !== undefined && new URL(publicUrl).origin === origin);
}
