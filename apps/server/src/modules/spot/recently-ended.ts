import type { OrderId, UserId } from '@exchange/core/ids.ts';

const SLOTS = 131_072;

/**
 * Whose the orders were that ended lately, so that a cancel that comes too late needs no query. A table in
 * which a later order takes the slot of an earlier one with the same hash: what it has forgotten is asked of
 * the database, so nothing depends on what it remembers, and it costs a write per order and never grows.
 */
export class RecentlyEnded {
  private readonly ids: (OrderId | undefined)[] = Array.from({ length: SLOTS });
  private readonly owners: (UserId | undefined)[] = Array.from({ length: SLOTS });

  ownerOf(id: OrderId): UserId | undefined {
    const slot = slotOf(id);
    return this.ids[slot] === id ? this.owners[slot] : undefined;
  }

  add(id: OrderId, owner: UserId): void {
    const slot = slotOf(id);
    this.ids[slot] = id;
    this.owners[slot] = owner;
  }

  /** An ending was undone. */
  remove(id: OrderId): void {
    const slot = slotOf(id);
    if (this.ids[slot] === id) this.ids[slot] = undefined;
  }

  clear(): void {
    this.ids.fill(undefined);
    this.owners.fill(undefined);
  }
}

/** From the last seven hexadecimal digits, which are random. */
function slotOf(id: OrderId): number {
  let hash = 0;
  for (let at = id.length - 7; at < id.length; at += 1) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
