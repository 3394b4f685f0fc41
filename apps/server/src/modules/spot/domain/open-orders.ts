import { IdTable, hashOfId } from '@exchange/core/id-table.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import { type SpotOrder, isOffBook } from './order.ts';

/** Counts of one owner's open orders on one pair, on the book and off it. Read before every placement. */
interface Counts {
  readonly symbol: string;
  resting: number;
  waiting: number;
}

interface Owned {
  readonly owner: UserId;
  /**
   * The owner's open orders, in the order in which they were added last. Searching this short list from its
   * end is cheaper than a hash lookup.
   */
  readonly orders: SpotOrder[];
  /**
   * The numbers of the owner's open orders by pair, one element for each pair on which the owner has had an
   * order. The list is short enough for a linear search.
   */
  readonly counts: Counts[];
  /**
   * Number of the owner's open orders by client order id; undefined until a client order id is first looked up for this
   * owner, and kept up to date afterwards. A look-up then takes constant time however many orders are open, and owners
   * without such look-ups have no cost.
   */
  names: Map<string, number> | undefined;
}

const NONE: Omit<Counts, 'symbol'> = { resting: 0, waiting: 0 };

/**
 * The open orders by id and by owner. To move an order between the book and the waiting orders, remove it here
 * first and add it again afterwards, because the two kinds are counted separately.
 */
export class OpenOrders {
  private readonly byId = new IdTable<SpotOrder>();
  private readonly owners = new Map<UserId, Owned>();
  private readonly sessions = new Map<string, Set<SpotOrder>>();
  /** The entry of `owners` that was looked up last; a command usually reads one owner several times. */
  private last: Owned | undefined;

  get size(): number {
    return this.byId.size;
  }

  get(id: OrderId): SpotOrder | undefined {
    return this.byId.get(id);
  }

  add(order: SpotOrder): void {
    this.byId.set(order);
    if (order.sessionId !== '') this.addToSession(order);
    const owned = this.findOwner(order.owner) ?? this.newOwner(order.owner);
    owned.orders.push(order);
    if (owned.names !== undefined) addName(owned.names, order.clientId);
    const { symbol } = order.pair;
    let counts = countsIn(owned, symbol);
    if (counts === undefined) owned.counts.push((counts = { symbol, ...NONE }));
    if (isOffBook(order)) counts.waiting += 1;
    else counts.resting += 1;
  }

  remove(order: SpotOrder): void {
    this.byId.delete(order.id);
    if (order.sessionId !== '') this.removeFromSession(order);
    const owned = this.findOwner(order.owner);
    const at = owned?.orders.lastIndexOf(order) ?? -1;
    if (owned === undefined || at < 0) return;
    owned.orders.splice(at, 1);
    if (owned.names !== undefined) removeName(owned.names, order.clientId);
    const counts = countsIn(owned, order.pair.symbol)!;
    if (isOffBook(order)) counts.waiting -= 1;
    else counts.resting -= 1;
    if (owned.orders.length > 0) return;
    this.owners.delete(order.owner);
    this.last = undefined;
  }

  hasOwner(owner: UserId): boolean {
    return this.owners.has(owner);
  }

  ofOwner(owner: UserId): readonly SpotOrder[] {
    return [...(this.findOwner(owner)?.orders ?? [])];
  }

  /** Whether an open order of the owner has this client order id. */
  hasClientId(owner: UserId, clientId: string): boolean {
    const owned = this.findOwner(owner);
    if (owned === undefined) return false;
    owned.names ??= namesOf(owned.orders);
    return owned.names.has(clientId);
  }

  /** The number of the owner's orders on the pair that rest on the book, and that are off it. */
  countsOf(owner: UserId, symbol: string): Readonly<typeof NONE> {
    const owned = this.findOwner(owner);
    return (owned === undefined ? undefined : countsIn(owned, symbol)) ?? NONE;
  }

  [Symbol.iterator](): IterableIterator<SpotOrder> {
    return this.byId[Symbol.iterator]();
  }

  clear(): void {
    this.byId.clear();
    this.owners.clear();
    this.sessions.clear();
    this.last = undefined;
  }

  /**
   * Sorts by `compare` the orders of some owners, and those of the client connections of these orders; without this
   * call they stay in the order in which they were added.
   */
  arrange(owners: Iterable<UserId>, compare: (first: SpotOrder, second: SpotOrder) => number): void {
    const sessionIds = new Set<string>();
    for (const owner of owners) {
      const owned = this.owners.get(owner);
      owned?.orders.sort(compare);
      for (const { sessionId } of owned?.orders ?? []) if (sessionId !== '') sessionIds.add(sessionId);
    }
    for (const sessionId of sessionIds)
      this.sessions.set(sessionId, new Set(this.ofSession(sessionId).toSorted(compare)));
  }

  /** The ids of client connections that have open orders which their end cancels. */
  get sessionIds(): readonly string[] {
    return [...this.sessions.keys()];
  }

  /** The open orders that the end of a connection cancels, in the order in which they were added last. */
  ofSession(sessionId: string): readonly SpotOrder[] {
    return [...(this.sessions.get(sessionId) ?? [])];
  }

  private addToSession(order: SpotOrder): void {
    const orders = this.sessions.get(order.sessionId);
    if (orders === undefined) this.sessions.set(order.sessionId, new Set([order]));
    else orders.add(order);
  }

  private removeFromSession(order: SpotOrder): void {
    const orders = this.sessions.get(order.sessionId);
    orders?.delete(order);
    if (orders?.size === 0) this.sessions.delete(order.sessionId);
  }

  private findOwner(owner: UserId): Owned | undefined {
    if (this.last?.owner === owner) return this.last;
    const owned = this.owners.get(owner);
    if (owned !== undefined) this.last = owned;
    return owned;
  }

  private newOwner(owner: UserId): Owned {
    const owned: Owned = { owner, orders: [], counts: [], names: undefined };
    this.owners.set(owner, owned);
    this.last = owned;
    return owned;
  }
}

function countsIn({ counts }: Owned, symbol: string): Counts | undefined {
  for (const entry of counts) if (entry.symbol === symbol) return entry;
  return undefined;
}

function namesOf(orders: readonly SpotOrder[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { clientId } of orders) addName(names, clientId);
  return names;
}

function addName(names: Map<string, number>, name: string): void {
  names.set(name, (names.get(name) ?? 0) + 1);
}

function removeName(names: Map<string, number>, name: string): void {
  const count = names.get(name) ?? 0;
  if (count > 1) names.set(name, count - 1);
  else names.delete(name);
}

interface Legs {
  readonly limit: OrderId;
  readonly stop: OrderId;
}

/** The OCO pairs whose orders (legs) are both open. */
export class OcoGroups {
  private readonly groups = new Map<string, Legs>();

  add(groupId: string, limit: SpotOrder, stop: SpotOrder): void {
    this.groups.set(groupId, { limit: limit.id, stop: stop.id });
  }

  /** Whether the order belongs to an OCO of which both legs are open. */
  has({ groupId }: SpotOrder): boolean {
    return groupId !== '' && this.groups.has(groupId);
  }

  /** The ids of both legs of the order's OCO while both are open; undefined otherwise. */
  legs({ groupId }: SpotOrder): Legs | undefined {
    return this.groups.get(groupId);
  }

  /**
   * Removes the link between the two legs of the order's OCO and returns the id of the other leg; undefined if the
   * order belongs to no OCO or one of the legs has ended already.
   */
  dissolve({ id, groupId }: SpotOrder): OrderId | undefined {
    const legs = this.groups.get(groupId);
    if (legs === undefined) return undefined;
    this.groups.delete(groupId);
    return legs.limit === id ? legs.stop : legs.limit;
  }

  clear(): void {
    this.groups.clear();
  }
}

/** The ids of the orders of an OTO or OTOCO whose pending orders are not placed yet. */
export interface OtoLinks {
  readonly working: OrderId;
  /**
   * The ids of the pending orders: of a single order, or of both legs of a pending OCO, the limit leg first.
   */
  readonly pending: readonly OrderId[];
}

/** The OTOs and OTOCOs whose pending orders are open and not placed yet, by list id. */
export class OtoLists {
  private readonly lists = new Map<string, OtoLinks>();

  add(id: string, links: OtoLinks): void {
    this.lists.set(id, links);
  }

  get(id: string): OtoLinks | undefined {
    return this.lists.get(id);
  }

  remove(id: string): void {
    this.lists.delete(id);
  }

  clear(): void {
    this.lists.clear();
  }
}

/**
 * What the queue reads of an order, countdown or TWAP order: the time at which it is due, undefined if it
 * never is, and `rank`, which sorts items with equal times.
 */
interface Expiring {
  readonly expireAt: Instant | undefined;
  readonly rank: number;
}

interface Entry<Item> {
  readonly item: Item;
  readonly at: Instant;
  readonly rank: number;
  place: number;
}

/**
 * The items of one kind that become due (the orders of a pair that expire, countdowns, or TWAP orders), earliest
 * first: a binary heap in which every entry stores its index, so that an entry that ends early is removed at once.
 */
export class ExpiryQueue<Item extends Expiring = SpotOrder> {
  private readonly heap: Entry<Item>[] = [];
  private readonly entries = new Map<Item, Entry<Item>>();

  get size(): number {
    return this.heap.length;
  }

  /** The time of the item that is due first; infinity if the queue is empty. */
  get nextAt(): number {
    return this.heap.length === 0 ? Infinity : this.heap[0]!.at;
  }

  get next(): Item | undefined {
    return this.heap[0]?.item;
  }

  /** Whether more than `most` items are due at `now` or before. Visits about `2 * most` entries at most. */
  isMoreDue(now: Instant, most: number): boolean {
    let count = 0;
    for (const _item of this.due(now)) {
      count += 1;
      if (count > most) return true;
    }
    return false;
  }

  /**
   * The items that are due at `now` or before, in no order. No entry may be added or removed during the iteration.
   */
  *due(now: Instant): IterableIterator<Item> {
    const places = [0];
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      const entry = this.heap[place];
      if (entry === undefined || entry.at > now) continue;
      yield entry.item;
      places.push(2 * place + 1, 2 * place + 2);
    }
  }

  /** Adds an item to the queue; does nothing if the item has no expiry (`expireAt`). */
  add(item: Item): void {
    if (item.expireAt === undefined) return;
    const entry: Entry<Item> = {
      item,
      at: item.expireAt,
      rank: item.rank,
      place: this.heap.length,
    };
    this.heap.push(entry);
    this.entries.set(item, entry);
    this.rise(entry);
  }

  remove(item: Item): void {
    const entry = this.entries.get(item);
    if (entry === undefined) return;
    this.entries.delete(item);
    const last = this.heap.pop()!;
    if (last === entry) return;
    this.put(last, entry.place);
    this.rise(last);
    this.sink(last);
  }

  clear(): void {
    this.heap.length = 0;
    this.entries.clear();
  }

  private rise(entry: Entry<Item>): void {
    while (entry.place > 0) {
      const above = this.heap[(entry.place - 1) >> 1]!;
      if (!isBefore(entry, above)) return;
      this.swap(entry, above);
    }
  }

  private sink(entry: Entry<Item>): void {
    for (;;) {
      const left = this.heap[2 * entry.place + 1];
      const right = this.heap[2 * entry.place + 2];
      const first = right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
      if (first === undefined || !isBefore(first, entry)) return;
      this.swap(entry, first);
    }
  }

  private swap(first: Entry<Item>, second: Entry<Item>): void {
    const index = first.place;
    this.put(first, second.place);
    this.put(second, index);
  }

  private put(entry: Entry<Item>, place: number): void {
    entry.place = place;
    this.heap[place] = entry;
  }
}

function isBefore(first: Entry<unknown>, second: Entry<unknown>): boolean {
  return first.at < second.at || (first.at === second.at && first.rank < second.rank);
}

const SLOTS = 131_072;

/**
 * A cache of the owners and pairs of recently ended orders, so that a late cancel needs no query. It is a fixed-size
 * hash table without collision handling: a newer order overwrites an older one in the same slot. Missing entries are
 * read from the database, so no result depends on this cache.
 */
export class RecentlyEnded {
  /** The table's arrays; undefined until the first order ends, so that a start does not fill them. */
  private slots: Slots | undefined;

  ownerOf(id: OrderId): UserId | undefined {
    const slot = slotOf(id);
    return this.slots?.ids[slot] === id ? this.slots.owners[slot] : undefined;
  }

  /**
   * The symbol of the pair of a recently ended order, e.g. `btcusdt`; undefined if this cache does not
   * contain the order.
   */
  symbolOf(id: OrderId): string | undefined {
    const slot = slotOf(id);
    return this.slots?.ids[slot] === id ? this.slots.symbols[slot] : undefined;
  }

  add({ id, owner, pair }: Pick<SpotOrder, 'id' | 'owner' | 'pair'>): void {
    this.slots ??= {
      ids: emptySlots(),
      owners: emptySlots(),
      symbols: emptySlots(),
    };
    const slot = slotOf(id);
    this.slots.ids[slot] = id;
    this.slots.owners[slot] = owner;
    this.slots.symbols[slot] = pair.symbol;
  }

  /** Removes an order from the recently ended orders, after its end was undone. */
  remove(id: OrderId): void {
    const slot = slotOf(id);
    if (this.slots?.ids[slot] === id) this.slots.ids[slot] = undefined;
  }

  clear(): void {
    this.slots = undefined;
  }
}

interface Slots {
  readonly ids: (OrderId | undefined)[];
  readonly owners: (UserId | undefined)[];
  readonly symbols: (string | undefined)[];
}

function slotOf(id: OrderId): number {
  return hashOfId(id) & (SLOTS - 1);
}

function emptySlots(): undefined[] {
  // oxlint-disable-next-line unicorn/no-new-array -- `Array.from` takes milliseconds for an array of this length
  return new Array<undefined>(SLOTS).fill(undefined);
}
