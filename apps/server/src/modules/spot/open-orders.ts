import { IdTable } from '@exchange/core/id-table.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import { isOffBook, type SpotOrder } from './order-domain.ts';

/** How many orders somebody has on one pair: asked before every placement. */
interface Counts {
  readonly symbol: string;
  resting: number;
  waiting: number;
}

interface Owned {
  readonly owner: UserId;
  /** Oldest first. So few that looking through them, from the youngest, costs less than hashing them. */
  readonly orders: SpotOrder[];
  /** One for each pair that the owner has had an order on: few enough to look through. */
  readonly counts: Counts[];
}

const NONE: Omit<Counts, 'symbol'> = { resting: 0, waiting: 0 };

/** The open orders by id and by owner. Whether an order waits off the book must not change while it is in here. */
export class OpenOrders {
  private readonly byId = new IdTable<SpotOrder>();
  private readonly owners = new Map<UserId, Owned>();
  /** Who was looked up last: a step mostly asks for one owner, several times. */
  private last: Owned | undefined;

  get(id: OrderId): SpotOrder | undefined {
    return this.byId.get(id);
  }

  add(order: SpotOrder): void {
    this.byId.set(order);
    const owned = this.owned(order.owner) ?? this.newOwner(order.owner);
    owned.orders.push(order);
    const { symbol } = order.pair;
    let counts = countsIn(owned, symbol);
    if (counts === undefined) owned.counts.push((counts = { symbol, ...NONE }));
    if (isOffBook(order)) counts.waiting += 1;
    else counts.resting += 1;
  }

  remove(order: SpotOrder): void {
    this.byId.delete(order.id);
    const owned = this.owned(order.owner);
    const at = owned?.orders.lastIndexOf(order) ?? -1;
    if (owned === undefined || at < 0) return;
    owned.orders.splice(at, 1);
    const counts = countsIn(owned, order.pair.symbol)!;
    if (isOffBook(order)) counts.waiting -= 1;
    else counts.resting -= 1;
    if (owned.orders.length > 0) return;
    this.owners.delete(order.owner);
    this.last = undefined;
  }

  ofOwner(owner: UserId): readonly SpotOrder[] {
    return [...(this.owned(owner)?.orders ?? [])];
  }

  /** How many of an owner's orders rest on a pair's book, and how many wait for a price. */
  countsOf(owner: UserId, symbol: string): Readonly<typeof NONE> {
    const owned = this.owned(owner);
    return (owned === undefined ? undefined : countsIn(owned, symbol)) ?? NONE;
  }

  [Symbol.iterator](): IterableIterator<SpotOrder> {
    return this.byId[Symbol.iterator]();
  }

  clear(): void {
    this.byId.clear();
    this.owners.clear();
    this.last = undefined;
  }

  private owned(owner: UserId): Owned | undefined {
    if (this.last?.owner === owner) return this.last;
    const owned = this.owners.get(owner);
    if (owned !== undefined) this.last = owned;
    return owned;
  }

  private newOwner(owner: UserId): Owned {
    const owned: Owned = { owner, orders: [], counts: [] };
    this.owners.set(owner, owned);
    this.last = owned;
    return owned;
  }
}

function countsIn({ counts }: Owned, symbol: string): Counts | undefined {
  for (const found of counts) if (found.symbol === symbol) return found;
  return undefined;
}
