import type { BookOrder } from './level.ts';

const SHARDS = 1_024;
const HASHED_CHARACTERS = 6;

/**
 * Orders by id, over many small maps. One map of a million entries stops the process for hundreds of
 * milliseconds when it grows; a shard of a thousand grows unnoticed.
 */
export class OrderIndex {
  size = 0;
  private readonly shards: Map<string, BookOrder>[] = Array.from({ length: SHARDS }, () => new Map());

  get(id: string): BookOrder | undefined {
    return this.shardOf(id).get(id);
  }

  add(order: BookOrder): void {
    this.shardOf(order.id).set(order.id, order);
    this.size += 1;
  }

  delete(id: string): void {
    if (this.shardOf(id).delete(id)) this.size -= 1;
  }

  clear(): void {
    for (const shard of this.shards) shard.clear();
    this.size = 0;
  }

  /** Orders per shard; a lopsided hash would bring the stalls back. */
  shardSizes(): number[] {
    return this.shards.map((shard) => shard.size);
  }

  private shardOf(id: string): Map<string, BookOrder> {
    // The end of the id: the head of a time-ordered id is the same for all orders of a second.
    let hash = 0;
    for (let at = Math.max(0, id.length - HASHED_CHARACTERS); at < id.length; at += 1) {
      hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
    }
    return this.shards[(hash ^ (hash >>> 10) ^ (hash >>> 20)) & (SHARDS - 1)]!;
  }
}
