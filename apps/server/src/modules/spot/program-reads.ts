import { groupBy } from '@exchange/core/group-by.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { IdOrigin } from '../../platform/sequencer/step-ids.ts';
import type { Assets } from '../assets/index.ts';
import { listIdOf, type SpotOrder, type Stop } from './domain/order.ts';
import type { UserFill } from './history-repository.ts';
import {
  amendmentsFrom,
  type AmountChange,
  firstOrderFrom,
  newestListNamed,
  newestWithClientId,
  ordersAt,
  ordersOfLists,
  ownFills,
  ownLists,
  ownOrders,
  type ListRange,
  type OwnRange,
} from './program-reads-repository.ts';
import { amendmentsOf, findOrder } from './repository.ts';

interface Parts {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly assets: Assets;
  /** The open orders in memory, from which the trading API reads. */
  readonly open: {
    openOrdersOf(owner: UserId): readonly SpotOrder[];
    waitingStop(id: OrderId): Stop | undefined;
  };
  /** Returns the journal step in which an id was generated, and the number of the id within the step. */
  readonly originOf: (id: string) => IdOrigin;
}

/** Maximum number of ids that one journal step can generate. */
const IDS_PER_STEP = 4_096;
const NUMBERS_REMEMBERED = 100_000;
/**
 * Number of an owner's newest orders among which an order is searched by its client order id, if no open order has the
 * id.
 */
const SEARCHED_BY_CLIENT_ID = 1_000;

/**
 * Orders and fills for trading programs, which identify orders by whole numbers. The number of an
 * order follows from its id: the sequence number of the journal step that created it times 4,096, plus
 * the count of the id within the step. Numbers are unique over all pairs and increase with time.
 */
export class ProgramReads {
  private readonly parts: Parts;
  /** Cached ids of orders by number, the least recently used first. */
  private readonly ids = new Map<number, OrderId>();
  private readonly pairOf = (symbol: string): Pair => this.parts.assets.findPair(symbol)!.pair;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The number of an order in the trading API; caches the order's id by it. */
  numberOf(id: OrderId): number {
    const { sequence, count } = this.parts.originOf(id);
    const number = sequence * IDS_PER_STEP + count;
    this.ids.delete(number);
    this.ids.set(number, id);
    if (this.ids.size > NUMBERS_REMEMBERED)
      for (const oldest of this.ids.keys()) {
        this.ids.delete(oldest);
        break;
      }
    return number;
  }

  /** The number of a list of orders in the trading API, from the id that its orders share. */
  listNumberOf(listId: string): number {
    const { sequence, count } = this.parts.originOf(listId);
    return sequence * IDS_PER_STEP + count;
  }

  /**
   * The orders of an owner's order list by the list's number: the working order of an OTO, then limit orders, then
   * stops. Empty if the owner has no such list.
   */
  async list(owner: UserId, number: number): Promise<readonly SpotOrder[]> {
    const isListed = (order: SpotOrder) => {
      const listId = listIdOf(order);
      return listId !== '' && this.listNumberOf(listId) === number;
    };
    const open = this.parts.open.openOrdersOf(owner).filter(isListed);
    const ids = await this.idsOfStep(owner, Math.floor(number / IDS_PER_STEP), open);
    const orders = await Promise.all(ids.map((id) => this.order(owner, id)));
    return sortedInList(orders.filter((order) => order !== undefined).filter(isListed));
  }

  /**
   * The owner's order lists of a range of ids or times, oldest first, each with its orders: the working order of an
   * OTO, then limit orders, then stops.
   */
  async lists(owner: UserId, range: ListRange): Promise<readonly (readonly SpotOrder[])[]> {
    return this.listsOf(owner, await ownLists(this.parts.reader, owner, range));
  }

  /**
   * The owner's order lists with at least one open order, in the order of their first orders among
   * `openOrders`, each with its orders: the working order of an OTO, then limit orders, then stops.
   */
  openLists(owner: UserId): Promise<readonly (readonly SpotOrder[])[]> {
    const ids = new Set(this.openOrders(owner).map((order) => listIdOf(order)));
    ids.delete('');
    return this.listsOf(owner, [...ids]);
  }

  /** The id of an owner's order list by the list's number; undefined if the owner has no such list. */
  async idOfListNumber(owner: UserId, number: number): Promise<string | undefined> {
    const [order] = await this.list(owner, number);
    return order && listIdOf(order);
  }

  private async listsOf(owner: UserId, ids: readonly string[]): Promise<readonly (readonly SpotOrder[])[]> {
    const orders = await ordersOfLists(this.parts.reader, owner, ids, this.pairOf);
    const byList = groupBy(orders, listIdOf);
    return ids.flatMap((id) => {
      const listed = byList.get(id);
      return listed === undefined ? [] : [sortedInList(listed)];
    });
  }

  /**
   * The number of an owner's order list by its client id: the open list, or else the newest one among the lists
   * of the owner's 1,000 newest orders; undefined if there is none.
   */
  async listNumberOfName(owner: UserId, name: string): Promise<number | undefined> {
    const open = this.parts.open.openOrdersOf(owner).find(({ listName }) => listName === name);
    const listId =
      open === undefined
        ? await newestListNamed(this.parts.reader, owner, name, SEARCHED_BY_CLIENT_ID)
        : listIdOf(open);
    return listId === undefined ? undefined : this.listNumberOf(listId);
  }

  /** All open orders of the owner, stops included, from memory, by their numbers, so the oldest first. */
  openOrders(owner: UserId): readonly SpotOrder[] {
    // The orders in memory are sorted by their places on the book, which an amendment or a triggered stop
    // changes, so they are sorted by number here.
    return this.parts.open
      .openOrdersOf(owner)
      .map((order) => ({ order, number: this.numberOf(order.id) }))
      .toSorted((first, second) => first.number - second.number)
      .map(({ order }) => order);
  }

  /**
   * An owner's order by its id, a waiting trailing stop with its current trigger price; undefined for an unknown id or
   * another user's order.
   */
  async order(owner: UserId, id: OrderId): Promise<SpotOrder | undefined> {
    const order = await findOrder(this.parts.reader, owner, id, this.pairOf);
    if (order?.stop?.trail === undefined || order.stop.status !== 'waiting') return order;
    const stop = this.parts.open.waitingStop(id);
    return stop === undefined ? order : { ...order, stop: { ...order.stop, price: stop.price } };
  }

  /**
   * The id of an order by its number, from the cache or else from the owner's orders; undefined if there is none.
   * An id from the cache can be of another user's order, so the caller must check the owner.
   */
  async idOfNumber(owner: UserId, number: number): Promise<OrderId | undefined> {
    const remembered = this.ids.get(number);
    if (remembered !== undefined) return remembered;
    const open = this.parts.open.openOrdersOf(owner).find(({ id }) => this.numberOf(id) === number);
    return open?.id ?? this.searchNumber(owner, number);
  }

  /**
   * The id of an owner's order by its client order id: the last of `Spot.openOrdersOf` with it, or else the newest
   * one among the owner's 1,000 newest orders; undefined if there is none.
   */
  async idOfClientId(owner: UserId, clientId: string): Promise<OrderId | undefined> {
    const open = this.parts.open.openOrdersOf(owner).findLast((order) => order.clientId === clientId);
    return open?.id ?? newestWithClientId(this.parts.reader, owner, clientId, SEARCHED_BY_CLIENT_ID);
  }

  /**
   * An owner's orders on a pair in a range, oldest first: up to `limit`, the oldest from a lower bound on, or without
   * one the newest.
   */
  orders(owner: UserId, range: OwnRange & { fromOrder?: OrderId | undefined }): Promise<SpotOrder[]> {
    return ownOrders(this.parts.reader, owner, range, this.pairOf);
  }

  /** The sequence number of the newest amendment of an order; undefined without one. */
  async lastAmendment(order: OrderId): Promise<number | undefined> {
    const { list } = await amendmentsOf(this.parts.reader, order, 1);
    return list[0]?.sequence;
  }

  /**
   * Amendments of an order from a step's sequence number on, oldest first, at most `limit`. The caller must have
   * checked the order's owner.
   */
  amendments(
    order: OrderId,
    range: { readonly from: number; readonly limit: number },
  ): Promise<AmountChange[]> {
    return amendmentsFrom(this.parts.reader, order, range);
  }

  /**
   * An owner's fills on a pair in a range, oldest first: up to `limit`, the oldest from a lower bound on, or without
   * one the newest.
   */
  fills(
    owner: UserId,
    range: OwnRange & { fromSequence?: number | undefined; order?: OrderId | undefined },
  ): Promise<UserFill[]> {
    return ownFills(this.parts.reader, owner, range);
  }

  private async searchNumber(owner: UserId, number: number): Promise<OrderId | undefined> {
    const ids = await this.idsOfStep(owner, Math.floor(number / IDS_PER_STEP));
    return ids.find((id) => this.numberOf(id) === number);
  }

  /**
   * The ids of the owner's orders that a journal step has created. If `known` already contains all of them, nothing is
   * read; otherwise they are found by bisection over the creation time, because later orders have greater step numbers.
   * This takes at most about forty reads of one row.
   */
  private async idsOfStep(
    owner: UserId,
    sequence: number,
    known: readonly SpotOrder[] = [],
  ): Promise<readonly OrderId[]> {
    if (isWholeList(known)) return known.map(({ id }) => id);
    const { reader, clock, originOf } = this.parts;
    const isOfStep = (id: OrderId) => originOf(id).sequence === sequence;
    let lowMs = 0;
    let highMs: number = clock.now() + 1;
    while (lowMs < highMs) {
      const middle = Math.floor((lowMs + highMs) / 2);
      const first = await firstOrderFrom(reader, owner, middle);
      if (first === undefined || originOf(first.id).sequence > sequence) highMs = middle;
      else if (originOf(first.id).sequence < sequence) lowMs = first.createdMs + 1;
      else {
        const candidates = await ordersAt(reader, owner, first.createdMs);
        return candidates.filter(isOfStep);
      }
    }
    // The bisection can end between steps of the same millisecond, at the millisecond after the wanted one, so the
    // orders of this millisecond and of the one before are searched.
    for (const ms of [lowMs - 1, lowMs]) {
      const candidates = ms < 0 ? [] : await ordersAt(reader, owner, ms);
      const found = candidates.filter(isOfStep);
      if (found.length > 0) return found;
    }
    return [];
  }
}

/** Sorts the orders of a list: the working order, then limit orders, then stops. */
function sortedInList(orders: readonly SpotOrder[]): readonly SpotOrder[] {
  const place = ({ oto, stop }: SpotOrder) => (oto?.role === 'working' ? 0 : stop === undefined ? 1 : 2);
  return orders.toSorted((first, second) => place(first) - place(second));
}

/** Whether `known` contains all orders of its order list: three for an OTOCO, otherwise two. */
function isWholeList(known: readonly SpotOrder[]): boolean {
  const [order] = known;
  if (order === undefined) return false;
  const isOtoco = order.oto !== undefined && known.some(({ groupId }) => groupId !== '');
  return known.length === (isOtoco ? 3 : 2);
}
