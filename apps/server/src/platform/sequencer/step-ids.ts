/**
 * Ids made inside steps are a function of (secret, sequence, count, time), so that a replay makes the same
 * ones: UUID version 7, ordered by time, whose tail is a keyed permutation of (sequence, count) and thus
 * unique and not to be guessed by counting.
 */
export function stepIds(secret: Uint32Array, sequence: number, nowMs: number): () => string {
  let count = 0;
  return () => {
    count += 1;
    return uuidOf(secret, sequence, count, nowMs);
  };
}

/** The server's key for ids made in steps. */
export function stepIdSecret(secret: { key(purpose: string): Buffer }): Uint32Array {
  const key = secret.key('step ids');
  return new Uint32Array([0, 4, 8, 12].map((offset) => key.readUInt32LE(offset)));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const ROUNDS = 4;

function uuidOf(secret: Uint32Array, sequence: number, count: number, nowMs: number): string {
  // 52 bits of sequence and 12 of count fill two 32-bit halves; Feistel rounds permute them.
  let left = Math.floor(sequence / 0x100000) >>> 0;
  let right = ((sequence % 0x100000) * 0x1000 + (count & 0xfff)) >>> 0;
  const overflow = count >>> 12;
  for (let round = 0; round < ROUNDS; round += 1) {
    const mixed = mix(right ^ secret[round]!);
    const next = (left ^ mixed) >>> 0;
    left = right;
    right = next;
  }
  // 62 of the 64 bits fit behind the variant; the other two, and counts beyond 4095, go to `rand_a`.
  const randA = ((left >>> 30) | ((overflow & 0x3ff) << 2)) & 0xfff;
  const high = Math.floor(nowMs / 0x10000) >>> 0;
  const low = nowMs % 0x10000;
  return (
    `${hex32(high)}-${hex16(low)}-${hex16(0x7000 | randA)}-` +
    `${hex16(0x8000 | ((left >>> 16) & 0x3fff))}-${hex16(left & 0xffff)}${hex32(right)}`
  );
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hex16(value: number): string {
  return HEX[(value >>> 8) & 0xff]! + HEX[value & 0xff]!;
}

function hex32(value: number): string {
  return hex16(value >>> 16) + hex16(value & 0xffff);
}
