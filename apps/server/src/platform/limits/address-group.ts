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
