/** What is counted as one caller: an IPv4 address, or the /64 network that one IPv6 line is given. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** The network that one customer may be given many addresses of: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function addressNetwork(address: string): string {
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  return `${groupsOf(address).slice(0, 3).join(':')}::/48`;
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('%')[0]?.toLowerCase().split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  return groups.map(withoutLeadingZeros);
}

function withoutLeadingZeros(group: string): string {
  return group.replace(/^0+(?=.)/, '');
}
