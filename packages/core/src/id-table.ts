/**
 * Number of shards of the table. It is so large that no shard becomes large with a million items, and so small that the
 * processor's caches work well.
 */
const SHARDS = 64;
const FIRST_CAPACITY = 16;
/**
 * Number of characters at the end of an id that are hashed. The beginnings of time-ordered ids of the same second are
 * alike.
 */
const HASHED_CHARACTERS = 7;

/**
 * Hash table of items by id, for millions of short-lived orders. It uses open addressing with linear probing, so that
 * items need no wrapper object and removals leave no tombstones. It is divided into shards, because one large table
 * would stop the process for hundreds of milliseconds while it grows. The order of iteration depends only on the ids
 * and on earlier insertions and removals, never on time.
 */
export class IdTable<Item extends { readonly id: string }> {
  size = 0;
  private readonly shards: Shard<Item>[] = Array.from({ length: SHARDS }, () => new Shard<Item>());

  get(id: string): Item | undefined {
    const hash = hashOfId(id);
    return this.shards[hash & (SHARDS - 1)]!.get(id, hash);
  }

  /** Inserts an item or replaces the item with the same id. */
  set(item: Item): void {
    const hash = hashOfId(item.id);
    if (this.shards[hash & (SHARDS - 1)]!.set(item, hash)) this.size += 1;
  }

  /** Removes the item with this id. Returns false if the table contains none. */
  delete(id: string): boolean {
    const hash = hashOfId(id);
    const isRemoved = this.shards[hash & (SHARDS - 1)]!.delete(id, hash);
    if (isRemoved) this.size -= 1;
    return isRemoved;
  }

  clear(): void {
    for (const shard of this.shards) shard.clear();
    this.size = 0;
  }

  /** Number of items in each shard. A test uses the numbers to check that the hash function distributes ids evenly. */
  shardSizes(): number[] {
    return this.shards.map((shard) => shard.size);
  }

  *[Symbol.iterator](): IterableIterator<Item> {
    for (const shard of this.shards) yield* shard.items();
  }
}

class Shard<Item extends { readonly id: string }> {
  size = 0;
  /** Hash of the id of the item in each slot, 0 for an empty slot. Look-ups compare hashes first and then ids. */
  private hashes = new Int32Array(FIRST_CAPACITY);
  private slots: (Item | undefined)[] = Array.from({ length: FIRST_CAPACITY });

  get(id: string, hash: number): Item | undefined {
    // A failed search ends at a free slot, which has no item, so the result needs no check.
    return this.slots[this.find(id, hash)];
  }

  /** Inserts an item, or replaces the item with the same id. Returns true if the item was inserted. */
  set(item: Item, hash: number): boolean {
    const at = this.find(item.id, hash);
    this.slots[at] = item;
    if (this.hashes[at] !== 0) return false;
    this.hashes[at] = hash;
    this.size += 1;
    if (this.size * 2 > this.hashes.length) this.grow();
    return true;
  }

  delete(id: string, hash: number): boolean {
    let gap = this.find(id, hash);
    const { hashes, slots } = this;
    if (hashes[gap] === 0) return false;
    const mask = hashes.length - 1;
    // Moves later items of the probe sequence into the slot of the removed item, so that look-ups still find them.
    for (let at = (gap + 1) & mask; hashes[at] !== 0; at = (at + 1) & mask) {
      const preferredSlot = slotOf(hashes[at]!, mask);
      if (((at - preferredSlot) & mask) < ((at - gap) & mask)) continue;
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

  /** Returns the slot of the item with this id, or the free slot at which such an item would be inserted. */
  private find(id: string, hash: number): number {
    const { hashes, slots } = this;
    const mask = hashes.length - 1;
    let at = slotOf(hash, mask);
    for (;;) {
      const slotHash = hashes[at]!;
      if (slotHash === 0 || (slotHash === hash && slots[at]!.id === id)) return at;
      at = (at + 1) & mask;
    }
  }

  private put(item: Item, hash: number): void {
    const mask = this.hashes.length - 1;
    let at = slotOf(hash, mask);
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

/** Cache of the id that was hashed last, and of its hash, because a command looks up the same id in several tables. */
let lastId = '';
let lastHash = 1;

/** Returns a 32-bit hash of the last characters of an id; never 0. */
export function hashOfId(id: string): number {
  if (id === lastId) return lastHash;
  lastId = id;
  lastHash = computedHash(id);
  return lastHash;
}

function computedHash(id: string): number {
  let hash = 0;
  for (let at = Math.max(0, id.length - HASHED_CHARACTERS); at < id.length; at += 1) {
    hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash === 0 ? 1 : hash;
}

/**
 * Returns the slot in a shard at which the search for a hash begins, from the bits of the hash above the six
 * lowest ones, which select the shard.
 */
function slotOf(hash: number, mask: number): number {
  return (hash >>> 6) & mask;
}
