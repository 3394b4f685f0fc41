const BITS_LOG2 = 27;
const PROBES = 5;

/**
 * A Bloom filter: says of a name that it was certainly never added, or that it may have been. 16 MiB serve
 * ten million names with three wrong guesses in a thousand; more names only mean more wrong guesses.
 */
export class KeyFilter {
  private readonly bits: Uint32Array;
  private readonly mask: number;

  /** `bitsLog2` is the size: 2 to this power, in bits. */
  constructor(bitsLog2: number = BITS_LOG2) {
    this.bits = new Uint32Array(2 ** (bitsLog2 - 5));
    this.mask = 2 ** bitsLog2 - 1;
  }

  add({ first, second }: NameHash): void {
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = (first + Math.imul(probe, second)) & this.mask;
      this.bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  mayHave({ first, second }: NameHash): boolean {
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = (first + Math.imul(probe, second)) & this.mask;
      if ((this.bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

export interface NameHash {
  readonly first: number;
  readonly second: number;
}

/** Two independent 32-bit hashes in one pass (FNV-1a, and a multiplicative one), each mixed at the end. */
export function hashOf(name: string): NameHash {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second + code, 0x5bd1e995) ^ (second >>> 15);
  }
  return { first: mixed(first), second: mixed(second) | 1 };
}

function mixed(value: number): number {
  let result = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  result = Math.imul(result ^ (result >>> 13), 0xc2b2ae35);
  return result ^ (result >>> 16);
}
