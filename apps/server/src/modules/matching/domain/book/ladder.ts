import type { DepthLevel, Side } from './contract.ts';
import { Level } from './level.ts';
import { searchKey } from './search-key.ts';

/**
 * The most price levels per chunk. Moving half of a chunk costs less than rebalancing a tree,
 * independent of the book's size.
 */
export const LEVELS_PER_CHUNK = 256;
const MERGE_BELOW = 64;
const MERGED_AT_MOST = 192;

/**
 * A sorted run of price levels, worst first, with their prices as floats. A binary search in one
 * array of floats touches few cache lines; with bigints behind two pointers each, every step would
 * miss the cache. Rounding to floats is monotonic, so floats find the place and bigints decide
 * among equal floats.
 */
export interface Chunk {
  readonly levels: Level[];
  readonly keys: number[];
}

/**
 * The price levels of one side in a chunked sorted list, worst first. Most work happens at the best price,
 * which is the end of the last chunk, where arrays grow and shrink cheaply.
 */
export class Ladder {
  readonly side: Side;
  best: Level | null = null;
  levelCount = 0;
  readonly chunks: Chunk[] = [];
  private readonly isBuy: boolean;
  // The result of the last `locate`, in fields because a returned pair would be allocated for every
  // order.
  private chunkAt = 0;
  private slotAt = 0;
  /**
   * The level at which an order was added or removed last; its amount is read right afterwards. If it was its last
   * order, the ladder no longer has the level, and the level's amount is zero.
   */
  private recent: Level | null = null;

  constructor(side: Side) {
    this.side = side;
    this.isBuy = side === 'buy';
  }

  /** Whether `price` is worse than `other` for an order of the opposite side. */
  isWorse(price: bigint, other: bigint): boolean {
    return this.isBuy ? price < other : price > other;
  }

  /** The price level of a price, created when absent. */
  obtain(price: bigint): Level {
    if (this.best !== null && this.best.price === price) return this.best;
    const isPresent = this.locate(price);
    const level = isPresent ? this.chunks[this.chunkAt]!.levels[this.slotAt]! : new Level(this.side, price);
    this.recent = level;
    if (isPresent) return level;
    this.insertAtLocated(level);
    if (this.best === null || this.isWorse(this.best.price, price)) this.best = level;
    return level;
  }

  /** Must be called after an order was removed from a level, so that the level's amount is found without a search. */
  noteChange(level: Level): void {
    this.recent = level;
  }

  /** Removes an empty price level. */
  remove(level: Level): void {
    if (level === this.best) {
      this.chunkAt = this.chunks.length - 1;
      const { levels, keys } = this.chunks[this.chunkAt]!;
      levels.pop();
      keys.pop();
    } else {
      this.locate(level.price);
      const { levels, keys } = this.chunks[this.chunkAt]!;
      levels.splice(this.slotAt, 1);
      keys.splice(this.slotAt, 1);
    }
    this.levelCount -= 1;
    this.shrinkChunk(this.chunkAt);
    if (level === this.best) this.best = this.chunks.at(-1)?.levels.at(-1) ?? null;
  }

  /** The next worse price level; null after the last. */
  after(level: Level): Level | null {
    this.locate(level.price);
    if (this.slotAt > 0) return this.chunks[this.chunkAt]!.levels[this.slotAt - 1]!;
    return this.chunks[this.chunkAt - 1]?.levels.at(-1) ?? null;
  }

  /** The open amount at a price, in lots; zero when no order rests there. */
  amountAt(price: bigint): bigint {
    if (this.best !== null && this.best.price === price) return this.best.amount;
    if (this.recent !== null && this.recent.price === price) return this.recent.amount;
    return this.locate(price) ? this.chunks[this.chunkAt]!.levels[this.slotAt]!.amount : 0n;
  }

  /** The best `count` price levels, best first. Takes time linear in their number. */
  depth(count: number): DepthLevel[] {
    const rows: DepthLevel[] = [];
    for (let c = this.chunks.length - 1; c >= 0 && rows.length < count; c -= 1) {
      const { levels } = this.chunks[c]!;
      for (let s = levels.length - 1; s >= 0 && rows.length < count; s -= 1) rows.push(levels[s]!.view());
    }
    return rows;
  }

  /** All price levels, best first. */
  *levels(): IterableIterator<Level> {
    for (let c = this.chunks.length - 1; c >= 0; c -= 1) {
      const { levels } = this.chunks[c]!;
      for (let s = levels.length - 1; s >= 0; s -= 1) yield levels[s]!;
    }
  }

  clear(): void {
    this.chunks.length = 0;
    this.levelCount = 0;
    this.best = null;
    this.recent = null;
  }

  /**
   * Finds the position of a price, or the one at which its level would be inserted, and stores it in
   * `chunkAt` and `slotAt`; returns whether the price has a level.
   */
  private locate(price: bigint): boolean {
    const key = searchKey(price);
    this.chunkAt = this.chunkFor(key, price);
    const chunk = this.chunks[this.chunkAt];
    if (chunk === undefined) {
      this.slotAt = 0;
      return false;
    }
    const { levels, keys } = chunk;
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isWorseKey(keys[middle]!, key)) low = middle + 1;
      else high = middle;
    }
    while (low < levels.length && this.isWorse(levels[low]!.price, price)) low += 1;
    this.slotAt = low;
    return low < levels.length && levels[low]!.price === price;
  }

  /**
   * Index of the first chunk whose best price is `price` or better, otherwise of the last chunk; 0 without
   * chunks.
   */
  private chunkFor(key: number, price: bigint): number {
    const lastChunk = this.chunks.length - 1;
    if (lastChunk <= 0 || this.isWorseKey(this.chunks[lastChunk]!.keys[0]!, key))
      return Math.max(lastChunk, 0);
    let low = 0;
    let high = lastChunk;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { keys } = this.chunks[middle]!;
      if (this.isWorseKey(keys[keys.length - 1]!, key)) low = middle + 1;
      else high = middle;
    }
    while (low < lastChunk && this.isWorse(this.chunks[low]!.levels.at(-1)!.price, price)) low += 1;
    return low;
  }

  private isWorseKey(key: number, other: number): boolean {
    return this.isBuy ? key < other : key > other;
  }

  private insertAtLocated(level: Level): void {
    this.levelCount += 1;
    const key = searchKey(level.price);
    const chunk = this.chunks[this.chunkAt];
    if (chunk === undefined) {
      this.chunks.push({ levels: [level], keys: [key] });
      return;
    }
    const { levels, keys } = chunk;
    if (this.slotAt === levels.length) {
      levels.push(level);
      keys.push(key);
    } else {
      levels.splice(this.slotAt, 0, level);
      keys.splice(this.slotAt, 0, key);
    }
    if (levels.length > LEVELS_PER_CHUNK) {
      const half = LEVELS_PER_CHUNK >>> 1;
      this.chunks.splice(this.chunkAt + 1, 0, { levels: levels.splice(half), keys: keys.splice(half) });
    }
  }

  /**
   * Removes the chunk at index `at` if it is empty. Merges a small one with a neighbour if both fit in one
   * chunk, because many cancels would otherwise leave thousands of chunks of one level each.
   */
  private shrinkChunk(at: number): void {
    const { levels } = this.chunks[at]!;
    if (levels.length === 0) {
      this.chunks.splice(at, 1);
      return;
    }
    if (levels.length >= MERGE_BELOW) return;
    if (!this.mergeWithNext(at - 1)) this.mergeWithNext(at);
  }

  private mergeWithNext(at: number): boolean {
    const chunk = this.chunks[at];
    const next = this.chunks[at + 1];
    if (chunk === undefined || next === undefined) return false;
    if (chunk.levels.length + next.levels.length > MERGED_AT_MOST) return false;
    for (const level of next.levels) chunk.levels.push(level);
    for (const key of next.keys) chunk.keys.push(key);
    this.chunks.splice(at + 1, 1);
    return true;
  }
}
