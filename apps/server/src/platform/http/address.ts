import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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
    const address = withoutPort(reported);
    if (isAddress(address)) return plain(address);
  }
  const { remoteAddress } = request.socket;
  return remoteAddress === undefined ? 'unknown' : plain(remoteAddress);
}

/** Some proxies append the port: `203.0.113.5:4711`, `[2001:db8::1]:4711`; brackets come without one, too. */
function withoutPort(reported: string): string {
  return (
    /^\[([^\]]+)\](?::\d{1,5})?$/.exec(reported)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(reported)?.[1] ?? reported
  );
}

/** Four numbers and no short form of them, or an IPv6 address. */
function isAddress(text: string): boolean {
  // The library throws and catches an error for all that is none, for each call without the header.
  const kind = isIP(text);
  return kind === 4 || (kind === 6 && ipaddr.IPv6.isValid(text));
}

/** An IPv4 address that a socket for both kinds maps into IPv6 is written as what it is. */
function plain(address: string): string {
  return ipaddr.process(address).toString();
}
