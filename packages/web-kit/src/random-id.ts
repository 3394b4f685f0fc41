const BYTES = 16;

/**
 * Returns a random UUID, version 4 (RFC 9562). Uses `crypto.getRandomValues`, because `crypto.randomUUID`
 * exists only in secure contexts, which excludes pages over plain HTTP from any host but localhost.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
