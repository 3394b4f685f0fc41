import ipaddr from 'ipaddr.js';

/**
 * The range of IP addresses that counts as one caller: an IPv4 address, or a /64 network of IPv6,
 * which providers assign to a connection.
 */
export function addressGroup(address: string): string {
  return address.includes(':') ? networkOf(address, 4) : address;
}

/**
 * The IP network that providers may assign to one customer: the /24 of an IPv4 address, the /48 of
 * an IPv6 address.
 */
export function addressNetwork(address: string): string {
  if (address.includes(':')) return networkOf(address, 3);
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}

/** The network of an IPv6 address that consists of its first `groups` groups of 16 bits. */
function networkOf(address: string, groups: number): string {
  const { parts } = ipaddr.IPv6.parse(address);
  const prefix = parts.slice(0, groups).map((part) => part.toString(16));
  return `${prefix.join(':')}::/${groups * 16}`;
}
