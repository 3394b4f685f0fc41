import ipaddr from 'ipaddr.js';

/** What is counted as one caller: an IPv4 address, or the /64 network that one IPv6 line is given. */
export function addressGroup(address: string): string {
  return address.includes(':') ? networkOf(address, 4) : address;
}

/** The network that one customer may be given many addresses of: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function addressNetwork(address: string): string {
  if (address.includes(':')) return networkOf(address, 3);
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}

/** The first so many groups of 16 bits of an IPv6 address. */
function networkOf(address: string, groups: number): string {
  const { parts } = ipaddr.IPv6.parse(address);
  const kept = parts.slice(0, groups).map((part) => part.toString(16));
  return `${kept.join(':')}::/${groups * 16}`;
}
