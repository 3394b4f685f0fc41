/**
 * Returns the secret key for ids that are generated in steps of the sequencer. It is derived from the
 * server's secret.
 */
export function stepIdSecret(secret: { key(purpose: string): Buffer }): Uint32Array {
  const key = secret.key('step ids');
  return new Uint32Array([0, 4, 8, 12].map((offset) => key.readUInt32LE(offset)));
}

const HEX_CODES = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const ROUNDS = 4;
/**
 * Shared buffer for formatting an id. Converting it to a string is faster than concatenating parts, because a
 * concatenated string must be flattened when it becomes a map key.
 */
const text = Buffer.alloc(36, '-');

/**
 * Returns the id with number `count` (from 1) of step `sequence` at `nowMs`. It depends only on these values and the
 * secret, so that a replay generates the same ids. The id is a UUID version 7, ordered by time. Its last part is a
 * keyed permutation of (sequence, count), so it is unique and cannot be guessed.
 */
export function stepId(secret: Uint32Array, sequence: number, count: number, nowMs: number): string {
  // 52 bits of sequence and 12 bits of count fill two 32-bit halves, which Feistel rounds permute.
  let left = Math.floor(sequence / 0x100000) >>> 0;
  let right = ((sequence % 0x100000) * 0x1000 + (count & 0xfff)) >>> 0;
  const overflow = count >>> 12;
  for (let round = 0; round < ROUNDS; round += 1) {
    const mixed = mix(right ^ secret[round]!);
    const next = (left ^ mixed) >>> 0;
    left = right;
    right = next;
  }
  // 62 of the 64 bits fit after the variant. The field `rand_a` contains the other two bits and the count's upper bits.
  const randA = ((left >>> 30) | ((overflow & 0x3ff) << 2)) & 0xfff;
  const high = Math.floor(nowMs / 0x10000) >>> 0;
  put(0, high >>> 16);
  put(4, high & 0xffff);
  put(9, nowMs % 0x10000);
  put(14, 0x7000 | randA);
  put(19, 0x8000 | ((left >>> 16) & 0x3fff));
  put(24, left & 0xffff);
  put(28, right >>> 16);
  put(32, right & 0xffff);
  return text.toString('latin1');
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Writes 16 bits as four hexadecimal digits at an offset of the id's buffer. */
function put(at: number, value: number): void {
  text[at] = HEX_CODES[value >>> 12]!;
  text[at + 1] = HEX_CODES[(value >>> 8) & 0xf]!;
  text[at + 2] = HEX_CODES[(value >>> 4) & 0xf]!;
  text[at + 3] = HEX_CODES[value & 0xf]!;
}

/** A journal step and the number of an id generated within it, from 1. */
export interface IdOrigin {
  readonly sequence: number;
  readonly count: number;
}

/**
 * Reverses `stepId`: returns the step in which an id was generated with this secret, and the id's number. For
 * any other id the result is meaningless.
 */
export function originOfId(secret: Uint32Array, id: string): IdOrigin {
  const randA = Number.parseInt(id.slice(15, 18), 16);
  let left = (((randA & 3) << 30) | ((partAt(id, 19) & 0x3fff) << 16) | partAt(id, 24)) >>> 0;
  let right = ((partAt(id, 28) << 16) | partAt(id, 32)) >>> 0;
  for (let round = ROUNDS - 1; round >= 0; round -= 1) {
    const previous = (right ^ mix(left ^ secret[round]!)) >>> 0;
    right = left;
    left = previous;
  }
  return {
    sequence: left * 0x100000 + (right >>> 12),
    count: ((randA >>> 2) << 12) | (right & 0xfff),
  };
}

/** Reads a number from four hexadecimal digits of an id, at an offset. */
function partAt(id: string, at: number): number {
  return Number.parseInt(id.slice(at, at + 4), 16);
}
