/** So few that what is looked up stays near, so many that a million items make none of them large. */
const SHARDS = 64;
const FIRST_CAPACITY = 16;
/** The end of an id: the head of a time-ordered id is the same for all of a second. */
const HASHED_CHARACTERS = 7;

/**
 * Items by id, for the millions of orders that come and go. Open addressing with linear probing: an item
 * needs no entry of its own, and a removal leaves nothing behind that later look-ups would walk over.
 * Sharded, because one huge table stops the process for hundreds of milliseconds when it grows. The order
 * in which it yields its items depends on their ids alone and on what was there before, so not on time.
 */
export class IdTable<Item extends { readonly id: string }> {
  size = 0;
  private readonly shards: Shard<Item>[] = Array.from({ length: SHARDS }, () => new Shard<Item>());

  get(id: string): Item | undefined {
    const hash = hashOfId(id);
    return this.shards[hash & (SHARDS - 1)]!.get(id, hash);
  }

  /** Puts an item in; one with the same id that is there already is replaced. */
  set(item: Item): void {
    const hash = hashOfId(item.id);
    if (this.shards[hash & (SHARDS - 1)]!.set(item, hash)) this.size += 1;
  }

  /** Takes an item out; gives whether it was there. */
  delete(id: string): boolean {
    const hash = hashOfId(id);
    const isGone = this.shards[hash & (SHARDS - 1)]!.delete(id, hash);
    if (isGone) this.size -= 1;
    return isGone;
  }

  clear(): void {
    for (const shard of this.shards) shard.clear();
    this.size = 0;
  }

  /** Items per shard; a lopsided hash would bring the stalls back. */
  shardSizes(): number[] {
    return this.shards.map((shard) => shard.size);
  }

  *[Symbol.iterator](): IterableIterator<Item> {
    for (const shard of this.shards) yield* shard.items();
  }
}

class Shard<Item extends { readonly id: string }> {
  size = 0;
  /** Beside the items their hashes, which are compared first and lie together; 0 where there is none. */
  private hashes = new Int32Array(FIRST_CAPACITY);
  private slots: (Item | undefined)[] = Array.from({ length: FIRST_CAPACITY });

  get(id: string, hash: number): Item | undefined {
    const at = this.find(id, hash);
    return at < 0 ? undefined : this.slots[at];
  }

  /** Gives whether the item is new. */
  set(item: Item, hash: number): boolean {
    const present = this.find(item.id, hash);
    if (present >= 0) {
      this.slots[present] = item;
      return false;
    }
    if (this.size * 2 >= this.hashes.length) this.grow();
    this.put(item, hash);
    this.size += 1;
    return true;
  }

  delete(id: string, hash: number): boolean {
    let gap = this.find(id, hash);
    if (gap < 0) return false;
    const { hashes, slots } = this;
    const mask = hashes.length - 1;
    // Those behind that would not be found across the gap move up into it.
    for (let at = (gap + 1) & mask; hashes[at] !== 0; at = (at + 1) & mask) {
      const home = placeOf(hashes[at]!, mask);
      if (((at - home) & mask) < ((at - gap) & mask)) continue;
      hashes[gap] = hashes[at]!;
      slots[gap] = slots[at];
      gap = at;
    }
    hashes[gap] = 0;
    slots[gap] = undefined;
    this.size -= 1;
    return true;
  }

  *items(): IterableIterator<Item> {
    for (const item of this.slots) if (item !== undefined) yield item;
  }

  clear(): void {
    this.hashes = new Int32Array(FIRST_CAPACITY);
    this.slots = Array.from({ length: FIRST_CAPACITY });
    this.size = 0;
  }

  private find(id: string, hash: number): number {
    const { hashes, slots } = this;
    const mask = hashes.length - 1;
    let at = placeOf(hash, mask);
    for (;;) {
      const there = hashes[at]!;
      if (there === 0) return -1;
      if (there === hash && slots[at]!.id === id) return at;
      at = (at + 1) & mask;
    }
  }

  private put(item: Item, hash: number): void {
    const mask = this.hashes.length - 1;
    let at = placeOf(hash, mask);
    while (this.hashes[at] !== 0) at = (at + 1) & mask;
    this.hashes[at] = hash;
    this.slots[at] = item;
  }

  private grow(): void {
    const { hashes, slots } = this;
    this.hashes = new Int32Array(hashes.length * 2);
    this.slots = Array.from({ length: hashes.length * 2 });
    for (const [at, item] of slots.entries()) if (item !== undefined) this.put(item, hashes[at]!);
  }
}

/** 32 bits from the end of an id, mixed; never 0. */
export function hashOfId(id: string): number {
  let hash = 0;
  for (let at = Math.max(0, id.length - HASHED_CHARACTERS); at < id.length; at += 1) {
    hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash === 0 ? 1 : hash;
}

/** The lowest bits of a hash choose the shard, those above them the place in it. */
function placeOf(hash: number, mask: number): number {
  return (hash >>> 6) & mask;
}
