import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the client's IP address. If `proxyHeader` is set and the request has a valid address in this
 * header, it is that address. Otherwise it is the socket's address, or `unknown` after the socket has closed.
 * If the header contains a list of addresses, its last entry is used, because the proxy appends it, and the
 * client may have sent earlier entries.
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

/**
 * Removes the port that some proxies append, as in `203.0.113.5:4711` and `[2001:db8::1]:4711`. Also removes brackets
 * without a port.
 */
function withoutPort(reported: string): string {
  return (
    /^\[([^\]]+)\](?::\d{1,5})?$/.exec(reported)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(reported)?.[1] ?? reported
  );
}

/** Returns whether the text is an IPv6 address or an IPv4 address with four numbers, not a short form. */
function isAddress(text: string): boolean {
  // `isIP` comes first, because the library is slow for invalid texts: it throws and catches an error.
  const kind = isIP(text);
  return kind === 4 || (kind === 6 && ipaddr.IPv6.isValid(text));
}

/**
 * Returns the normal form of an address. An IPv4 address that is mapped into IPv6 becomes an IPv4 address.
 */
function plain(address: string): string {
  return ipaddr.process(address).toString();
}
