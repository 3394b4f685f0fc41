import { randomBytes, randomInt } from 'node:crypto';
import type { Instant } from '@exchange/core/time.ts';

/** The only source of chance outside of steps. Tests hand in one of their own where they must know the outcome. */
export interface Chance {
  bytes(count: number): Buffer;
  /** A whole number from `min` up to, not including, `max`. */
  whole(min: number, max: number): number;
}

/** The operating system's generator. */
export const systemChance: Chance = { bytes: (count) => randomBytes(count), whole: randomInt };

/** A fresh UUID, version 7: ordered by time, 74 random bits behind it. */
export function newId(chance: Chance, now: Instant): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now, 0, 6);
  chance.bytes(10).copy(bytes, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** `length` characters drawn evenly from `alphabet`. */
export function randomText(chance: Chance, alphabet: string, length: number): string {
  let text = '';
  while (text.length < length) text += alphabet.charAt(chance.whole(0, alphabet.length));
  return text;
}
