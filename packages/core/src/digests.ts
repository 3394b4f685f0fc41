/**
 * The digests that screens and server compute alike: SHA-256 (FIPS 180-4), and Keccak-256 with Ethereum's
 * padding.
 */
export { sha256 } from '@noble/hashes/sha2.js';
export { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
