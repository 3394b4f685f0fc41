import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The caller's address: the socket's, or, behind a configured proxy, the one that this proxy reports in
 * its header. Of a list the last entry counts, since the proxy appends and everything before it is the
 * caller's own claim.
 */
export function addressOf(request: IncomingMessage, proxyHeader: string | undefined): string {
  if (proxyHeader !== undefined) {
    const header = request.headers[proxyHeader];
    const reported =
      (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').at(-1)?.trim() ?? '';
    if (isIP(reported) !== 0) return withoutMapping(reported);
  }
  return withoutMapping(request.socket.remoteAddress ?? 'unknown');
}

function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
