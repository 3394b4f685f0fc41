import { randomBytes, randomInt } from 'node:crypto';
import type { Instant } from '@exchange/core/time.ts';

/** Source of random bytes and integers for code outside of the sequencer's steps. Tests may use their own. */
export interface Random {
  bytes(count: number): Buffer;
  /** Returns a random integer from `min` (inclusive) to `max` (exclusive). */
  whole(min: number, max: number): number;
}

/** Node's cryptographic random generator. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count), whole: randomInt };

/** Generates a UUID version 7: the time in milliseconds, followed by 74 random bits. */
export function newId(random: Random, now: Instant): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now, 0, 6);
  random.bytes(10).copy(bytes, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns a random text of `length` characters, each character chosen from `alphabet` with equal probability. */
export function randomText(random: Random, alphabet: string, length: number): string {
  let text = '';
  while (text.length < length) text += alphabet.charAt(random.whole(0, alphabet.length));
  return text;
}
