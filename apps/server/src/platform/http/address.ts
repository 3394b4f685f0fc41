import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The client's IP address: behind a configured proxy the address in the proxy's header, if it has a valid one,
 * otherwise that of the socket (`unknown` after it has closed). In a list the last entry counts, because the proxy
 * appends it and earlier entries may be set by the client.
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
 * Removes the port that some proxies append: `203.0.113.5:4711`, `[2001:db8::1]:4711`. Brackets may also come
 * without a port.
 */
function withoutPort(reported: string): string {
  return (
    /^\[([^\]]+)\](?::\d{1,5})?$/.exec(reported)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(reported)?.[1] ?? reported
  );
}

/** Whether the text is an IPv6 address or an IPv4 address with four numbers, not a short form. */
function isAddress(text: string): boolean {
  // `isIP` is checked first, because the library throws and catches an error for every invalid text, which
  // would cost time in each call.
  const kind = isIP(text);
  return kind === 4 || (kind === 6 && ipaddr.IPv6.isValid(text));
}

/** Normal form of an address; an IPv4 address that is mapped into IPv6 becomes IPv4. */
function plain(address: string): string {
  return ipaddr.process(address).toString();
}
