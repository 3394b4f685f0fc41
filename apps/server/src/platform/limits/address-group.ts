import ipaddr from 'ipaddr.js';

/**
 * Returns the address group of an IP address, which is the range of addresses that counts as one caller: an
 * IPv4 address alone, or the /64 network of an IPv6 address, which providers assign to a connection.
 */
export function addressGroup(address: string): string {
  return address.includes(':') ? networkOf(address, 4) : address;
}

/**
 * Returns the network of an IP address that a provider may assign to one customer: the /24 of an IPv4
 * address, or the /48 of an IPv6 address.
 */
export function addressNetwork(address: string): string {
  if (address.includes(':')) return networkOf(address, 3);
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}

/** Returns the network of an IPv6 address that consists of its first `groups` groups of 16 bits. */
function networkOf(address: string, groups: number): string {
  const { parts } = ipaddr.IPv6.parse(address);
  const prefix = parts.slice(0, groups).map((part) => part.toString(16));
  return `${prefix.join(':')}::/${groups * 16}`;
}
