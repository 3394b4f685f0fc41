const FIRST_SLOTS = 1_024;
/** Marks an empty slot of the index. Hashes are never negative. */
const FREE = -1;

/**
 * Maps hashes to file offsets of entries: a hash table with open addressing and 16 bytes per slot. Different names may
 * have the same hash, so the caller must compare the name in the file.
 */
export class OffsetIndex {
  private hashes = new Float64Array(FIRST_SLOTS).fill(FREE);
  private offsets = new Float64Array(FIRST_SLOTS);
  private size = 0;

  /** Adds an entry to the index. `hash` is a non-negative safe integer, `offset` a position in the file in bytes. */
  add(hash: number, offset: number): void {
    if (2 * this.size >= this.hashes.length) this.grow();
    this.insert(hash, offset);
    this.size += 1;
  }

  /** Returns the file offsets of all entries with this hash, in no particular order. */
  *offsetsOf(hash: number): Generator<number> {
    const slots = this.hashes.length;
    for (let slot = hash % slots; this.hashes[slot] !== FREE; slot = (slot + 1) % slots)
      if (this.hashes[slot] === hash) yield this.offsets[slot]!;
  }

  private insert(hash: number, offset: number): void {
    const slots = this.hashes.length;
    let slot = hash % slots;
    while (this.hashes[slot] !== FREE) slot = (slot + 1) % slots;
    this.hashes[slot] = hash;
    this.offsets[slot] = offset;
  }

  private grow(): void {
    const { hashes, offsets } = this;
    this.hashes = new Float64Array(2 * hashes.length).fill(FREE);
    this.offsets = new Float64Array(2 * hashes.length);
    for (const [slot, hash] of hashes.entries()) if (hash !== FREE) this.insert(hash, offsets[slot]!);
  }
}
