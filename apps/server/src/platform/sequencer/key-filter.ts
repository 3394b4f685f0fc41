const BITS_LOG2 = 27;
const PROBES = 5;

/**
 * A Bloom filter of names. A lookup returns that a name was certainly never added, or that it may have been added. By
 * default the filter takes 16 MiB and has 0.3 per cent false positives at ten million names. Further names only raise
 * this rate.
 */
export class KeyFilter {
  private readonly bits: Uint32Array;
  private readonly mask: number;

  /** `bitsLog2` is the base-2 logarithm of the filter's number of bits. */
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

/**
 * Maximum number of names per bit of a filter layer. With this number, 0.3 per cent of the lookups of other names are
 * false positives.
 */
const NAMES_PER_BIT = 10_000_000 / 2 ** BITS_LOG2;

interface FilterLayer {
  readonly filter: KeyFilter;
  count: number;
  /**
   * The latest of the times with which the names of this layer were added (see `add`), in milliseconds UTC.
   */
  latest: number;
}

/**
 * A Bloom filter without a size limit. When a layer is full, another one is added. A layer is dropped when all of its
 * names are old. By default a layer takes 16 MiB for ten million names. A lookup probes every layer.
 */
export class LayeredKeyFilter {
  private readonly bitsLog2: number;
  private readonly capacity: number;
  private readonly layers: FilterLayer[] = [];

  /** `bitsLog2` is the base-2 logarithm of a layer's number of bits. */
  constructor(bitsLog2: number = BITS_LOG2) {
    this.bitsLog2 = bitsLog2;
    this.capacity = Math.floor(2 ** bitsLog2 * NAMES_PER_BIT);
  }

  /**
   * Adds a name to the filter with its time `at` (milliseconds UTC), from which `dropBefore` judges its age.
   */
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

  /**
   * Drops the layers whose names are all older than `before` (milliseconds UTC). The caller guarantees that
   * none of these names is used any more.
   */
  dropBefore(before: number): void {
    for (let index = this.layers.length - 1; index >= 0; index -= 1) {
      if (this.layers[index]!.latest < before) this.layers.splice(index, 1);
    }
  }

  get layerCount(): number {
    return this.layers.length;
  }
}

/**
 * Computes two independent 32-bit hashes of a name in one pass (FNV-1a and a multiplicative hash), each with a final
 * mix.
 */
export function hashOf(name: string): NameHash {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
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
