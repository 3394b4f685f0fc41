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

/** A filter of 2²⁷ bits answers wrongly for three names in a thousand when it has as many. */
const NAMES_PER_BIT = 10_000_000 / 2 ** BITS_LOG2;

interface FilterLayer {
  readonly filter: KeyFilter;
  count: number;
  /** The latest time of a name in it. */
  latest: number;
}

/**
 * A filter for any number of names: when one Bloom filter is full, the next is begun. A full one is dropped when all
 * of its names are old. Each ten million names that are not old cost 16 MiB, and a look-up costs one more look.
 */
export class LayeredKeyFilter {
  private readonly bitsLog2: number;
  private readonly capacity: number;
  private readonly layers: FilterLayer[] = [];

  /** `bitsLog2` is the size of one layer. */
  constructor(bitsLog2: number = BITS_LOG2) {
    this.bitsLog2 = bitsLog2;
    this.capacity = Math.floor(2 ** bitsLog2 * NAMES_PER_BIT);
  }

  /** Adds a name that belongs to time `at`, in milliseconds. */
  add(hash: NameHash, at: number): void {
    let layer = this.layers.at(-1);
    if (layer === undefined || layer.count >= this.capacity) {
      layer = { filter: new KeyFilter(this.bitsLog2), count: 0, latest: at };
      this.layers.push(layer);
    }
    layer.filter.add(hash);
    layer.count += 1;
    if (at > layer.latest) layer.latest = at;
  }

  mayHave(hash: NameHash): boolean {
    for (const { filter } of this.layers) if (filter.mayHave(hash)) return true;
    return false;
  }

  /** Drops the layers of which all names are older than `before`. The caller knows that none of them is stored any more. */
  dropBefore(before: number): void {
    for (let at = this.layers.length - 1; at >= 0; at -= 1) {
      if (this.layers[at]!.latest < before) this.layers.splice(at, 1);
    }
  }

  get layerCount(): number {
    return this.layers.length;
  }
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
