import { hashOfId } from '@exchange/core/id-table.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';

const SLOTS = 131_072;

/**
 * Whose the orders were that ended lately, so that a cancel that comes too late needs no query. A table in
 * which a later order takes the slot of an earlier one with the same hash: what it has forgotten is asked of
 * the database, so nothing depends on what it remembers, and it costs a write per order and never grows.
 */
export class RecentlyEnded {
  private readonly ids: (OrderId | undefined)[] = emptySlots();
  private readonly owners: (UserId | undefined)[] = emptySlots();

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

function slotOf(id: OrderId): number {
  return hashOfId(id) & (SLOTS - 1);
}

function emptySlots(): undefined[] {
  // oxlint-disable-next-line unicorn/no-new-array -- Array.from of a length takes milliseconds for as many
  return new Array<undefined>(SLOTS).fill(undefined);
}
