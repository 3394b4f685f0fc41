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

/** What is counted as one caller: an IPv4 address, or the /64 network that one IPv6 line is given. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%')[0]?.toLowerCase().split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  return `${groups.slice(0, 4).map(withoutLeadingZeros).join(':')}::/64`;
}

function withoutLeadingZeros(group: string): string {
  return group.replace(/^0+(?=.)/, '');
}

function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
