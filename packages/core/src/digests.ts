/**
 * Hash functions that the screens and the server both use: SHA-256 (FIPS 180-4), and Keccak-256 with Ethereum's
 * padding.
 */
import { sha256 } from '@noble/hashes/sha2.js';

export { sha256 };
export { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

/** Returns the SHA-256 of a text in UTF-8, as 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  const bytes = sha256(new TextEncoder().encode(text));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
