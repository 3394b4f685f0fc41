import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Log } from '../../platform/log.ts';
import { isListOpen, statusOf } from './trading-present.ts';
import {
  balanceChanged,
  isPending,
  listIdOf,
  orderChanged,
  type ApiTrading,
  type BalanceChanged,
  type OrderChanged,
  type OrderFill,
  type ProgramKeys,
  type SpotOrder,
} from './trading-service.ts';
import {
  presentBalanceUpdate,
  presentExecution,
  presentListStatus,
  presentPosition,
  type ExecutionReport,
  type ExecutionType,
  type ListedOrder,
} from './user-present.ts';

/** A program that receives a user's events over a stream. */
export interface UserReader {
  /** The public part of the API key with which the program reads. */
  readonly apiKey: string;
  readonly address: string;
  readonly send: (event: object) => void;
  /**
   * Called when the program's API key may no longer read from its address; the program has then been removed and
   * receives no further events.
   */
  readonly ended: () => void;
}

interface Parts {
  readonly clock: Clock;
  readonly events: Events;
  readonly log: Log;
  readonly trading: ApiTrading;
  readonly keys: Pick<ProgramKeys, 'find' | 'permit'>;
}

/** Interval in milliseconds at which the API keys of readers are checked; readers of ended keys are removed. */
const CHECK_MS = 5_000;

/**
 * The state of an open order as its owner's programs were last notified of it, with which the next change is compared.
 */
interface KnownOrder {
  readonly price: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly isTriggered: boolean;
  /** Whether the order waits for the working order of its list. */
  readonly isPending: boolean;
}

/** A user with at least one reader, and the state from which events are computed. */
interface ReadUser {
  readonly readers: Set<UserReader>;
  readonly known: Map<string, KnownOrder>;
  /** The orders of open OTO and OTOCO lists, by the ids of the list and of the order. */
  readonly otos: Map<string, Map<string, ListedOrder>>;
  /** Balances (free plus locked) by asset, as of the last event. */
  readonly totals: Map<string, Decimal>;
  /** Resolves when the user's balances and order lists are loaded, or their load has failed. */
  readonly isLoaded: Promise<unknown>;
}

/** A user's events, collected until they are sent together to the user's readers. */
interface Turn {
  readonly changes: OrderChanged[];
  readonly balances: Map<string, BalanceChanged>;
}

/**
 * Notifies programs of their user's orders and balances after each commit: first every change of orders in sequence,
 * then order lists that have begun or ended, then the changed balances. A user's events reach only readers of that
 * user.
 */
export class UserStreams {
  private readonly parts: Parts;
  private readonly users = new Map<UserId, ReadUser>();
  private turns = new Map<UserId, Turn>();
  private isFlushing = false;
  private lastExecution = 0;
  private readonly checks = new PeriodicTask(() => this.endReadersOfEndedKeys(), { everyMs: CHECK_MS });

  constructor(parts: Parts) {
    this.parts = parts;
    parts.events.on(orderChanged, (change) => {
      this.turnOf(change.order.owner)?.changes.push(change);
    });
    parts.events.on(balanceChanged, (change) => {
      if (change.product === 'spot') this.turnOf(change.owner)?.balances.set(change.asset, change);
    });
  }

  start(): void {
    this.checks.start();
  }

  async stop(): Promise<void> {
    await this.checks.stop();
  }

  /** Number of users with at least one reader, i.e. a program that receives their events. */
  get size(): number {
    return this.users.size;
  }

  /**
   * Adds a reader of a user's events. Resolves when the balances and order lists that events need are loaded, or their
   * load has failed.
   */
  async join(owner: UserId, reader: UserReader): Promise<void> {
    const user = this.users.get(owner) ?? this.open(owner);
    user.readers.add(reader);
    await user.isLoaded;
  }

  leave(owner: UserId, reader: UserReader): void {
    const user = this.users.get(owner);
    user?.readers.delete(reader);
    if (user?.readers.size === 0) this.users.delete(owner);
  }

  /**
   * Removes the readers whose API keys were revoked, have expired, or no longer permit reading from their IP address,
   * and calls their `ended`. A key that cannot be checked now keeps its readers.
   */
  async endReadersOfEndedKeys(): Promise<void> {
    for (const [owner, { readers }] of this.users)
      for (const reader of readers) {
        if (await this.mayRead(reader)) continue;
        this.leave(owner, reader);
        reader.ended();
      }
  }

  private async mayRead({ apiKey, address }: UserReader): Promise<boolean> {
    const { keys, log } = this.parts;
    try {
      const key = await keys.find(apiKey);
      return key !== undefined && keys.permit(key, 'read', address);
    } catch (cause) {
      // If the key cannot be read, e.g. because the database fails, the reader stays until the next check.
      log.warn('public_api.key_not_checked', { cause });
      return true;
    }
  }

  private open(owner: UserId): ReadUser {
    const { trading } = this.parts;
    const known = new Map(
      trading.openOrders(owner, undefined).map((order) => [order.id as string, knownOf(order)]),
    );
    const totals = new Map<string, Decimal>();
    const otos: ReadUser['otos'] = new Map();
    const isLoaded = Promise.all([this.loadTotals(owner, totals), this.loadOtos(owner, otos)]);
    const user = {
      readers: new Set<UserReader>(),
      known,
      otos,
      totals,
      isLoaded,
    };
    this.users.set(owner, user);
    return user;
  }

  private async loadTotals(owner: UserId, totals: Map<string, Decimal>): Promise<void> {
    try {
      for (const { asset, free, locked } of await this.parts.trading.balances(owner))
        // A balance from an event during the load is newer and is not replaced.
        if (!totals.has(asset)) totals.set(asset, Decimal.parse(free).plus(Decimal.parse(locked)));
    } catch (cause) {
      // Without the loaded balance of an asset, its next change causes no `balanceUpdate`, because the difference is
      // unknown.
      this.parts.log.warn('public_api.balances_not_loaded', { cause });
    }
  }

  /**
   * Loads the user's open OTO lists into `otos`. An order that is already contained, from an event during the
   * load, keeps its newer state.
   */
  private async loadOtos(owner: UserId, otos: ReadUser['otos']): Promise<void> {
    const { trading, log } = this.parts;
    try {
      for (const orders of await trading.openLists(owner))
        for (const order of orders) {
          if (order.oto === undefined) continue;
          const listed = otos.get(order.oto.id) ?? new Map<string, ListedOrder>();
          otos.set(order.oto.id, listed);
          if (!listed.has(order.id)) listed.set(order.id, { order, numbers: trading.numbersOf(order) });
        }
    } catch (cause) {
      // Without the loaded lists, the report of the end of a list from before the user's first stream
      // contains only those orders of the list that have changed since that stream was opened.
      log.warn('public_api.lists_not_loaded', { cause });
    }
  }

  /**
   * The collection of a user's events that the current command causes; it is published after its last event. Undefined
   * if the user has no readers, so that nothing is collected.
   */
  private turnOf(owner: UserId): Turn | undefined {
    if (!this.users.has(owner)) return undefined;
    const turn = this.turns.get(owner) ?? { changes: [], balances: new Map<string, BalanceChanged>() };
    this.turns.set(owner, turn);
    if (!this.isFlushing) {
      this.isFlushing = true;
      // The events of a command arrive one after another and are published together after the last one.
      queueMicrotask(() => this.flush());
    }
    return turn;
  }

  private flush(): void {
    this.isFlushing = false;
    const { turns } = this;
    this.turns = new Map();
    for (const [owner, turn] of turns) {
      const user = this.users.get(owner);
      if (user !== undefined) this.notify(user, turn);
    }
  }

  private notify(user: ReadUser, { changes, balances }: Turn): void {
    const now = this.parts.clock.now();
    const reports = changes.flatMap((change) => this.reportsOf(user, change));
    const events: object[] = reports.map((report) => presentExecution(report, now));
    for (const orders of [...listsOf(reports), ...otosOf(user, reports)])
      events.push(presentListStatus(orders, now));
    if (balances.size > 0) {
      const changed = [...balances.values()].map(({ asset, available, frozen }) => ({
        asset,
        free: available,
        locked: frozen,
      }));
      events.push(presentPosition(changed, now));
      for (const { asset, amount } of this.movements(user, changes, [...balances.values()]))
        events.push(presentBalanceUpdate(asset, amount, now));
    }
    for (const reader of user.readers) for (const event of events) reader.send(event);
  }

  /**
   * The changes of balances that trades do not explain, such as deposits, withdrawals and transfers. Stores the new
   * balances in `user.totals`; an asset whose earlier balance is unknown there has no change.
   */
  private movements(
    user: ReadUser,
    changes: readonly OrderChanged[],
    balances: readonly BalanceChanged[],
  ): { asset: string; amount: Decimal }[] {
    const traded = new Map<string, Decimal>();
    const add = (asset: string, amount: Decimal) =>
      traded.set(asset, (traded.get(asset) ?? Decimal.zero).plus(amount));
    for (const { order, fills } of changes)
      for (const { amount, total, fee } of fills) {
        const isBuy = order.side === 'buy';
        add(order.pair.base, isBuy ? amount.minus(fee) : Decimal.zero.minus(amount));
        add(order.pair.quote, isBuy ? Decimal.zero.minus(total) : total.minus(fee));
      }
    return balances.flatMap(({ asset, available, frozen }) => {
      const total = available.plus(frozen);
      const before = user.totals.get(asset);
      user.totals.set(asset, total);
      const amount =
        before === undefined ? Decimal.zero : total.minus(before).minus(traded.get(asset) ?? Decimal.zero);
      return amount.isZero() ? [] : [{ asset, amount }];
    });
  }

  private reportsOf(user: ReadUser, { order: current, state, fills }: OrderChanged): ExecutionReport[] {
    // `current` may already contain later changes, so the state in the event overrides its fields.
    const order: SpotOrder = Object.assign(Object.create(null) as SpotOrder, current, state);
    const before = user.known.get(order.id);
    const isOpen = order.state === 'open';
    if (isOpen) user.known.set(order.id, knownOf(order));
    else user.known.delete(order.id);
    const numbers = this.parts.trading.numbersOf(order);
    const total = { amount: order.filledAmount, total: order.filledTotal };
    const report = (
      type: ExecutionType,
      status: string,
      filled = total,
      fill?: OrderFill,
    ): ExecutionReport => ({
      order,
      numbers,
      type,
      status,
      fill,
      filled,
      execution: this.nextExecution(),
    });
    const reports: ExecutionReport[] = [];
    // A pending order of an OTO is reported as new twice: with the state `PENDING_NEW` when the list is placed, and as
    // `NEW` when it is released after the fill of the working order.
    const isReleased = before?.isPending === true && !isPending(order);
    if (before === undefined || isReleased)
      reports.push(report('NEW', isPending(order) ? 'PENDING_NEW' : 'NEW', withoutFills(total, fills)));
    for (const [index, fill] of fills.entries()) {
      const filled = withoutFills(total, fills.slice(index + 1));
      const isLast = index === fills.length - 1;
      reports.push(
        report('TRADE', isLast && order.state === 'filled' ? 'FILLED' : 'PARTIALLY_FILLED', filled, fill),
      );
    }
    if (order.state === 'cancelled') {
      const status = statusOf(order);
      reports.push(report(ENDS.get(status) ?? 'EXPIRED', status));
    } else if (before !== undefined && !isReleased && fills.length === 0)
      reports.push(...this.changesOf(before, order, report));
    return reports;
  }

  private changesOf(
    before: KnownOrder,
    order: SpotOrder,
    report: (type: ExecutionType, status: string) => ExecutionReport,
  ): ExecutionReport[] {
    const now = knownOf(order);
    // A stop order is reported as new twice: when it is placed, and here, when it is executed after its
    // trigger price was reached.
    if (now.isTriggered && !before.isTriggered) return [report('NEW', 'NEW')];
    const isSame = isEqual(now.price, before.price) && isEqual(now.amount, before.amount);
    return isSame ? [] : [report('REPLACED', statusOf(order))];
  }

  private nextExecution(): number {
    this.lastExecution = Math.max(this.lastExecution + 1, this.parts.clock.now() * 1_000);
    return this.lastExecution;
  }
}

/** For each OCO that has begun or ended with these reports, the latest report of both orders, the limit order first. */
function listsOf(reports: readonly ExecutionReport[]): (readonly ExecutionReport[])[] {
  const lists = new Map<number, Map<string, ExecutionReport>>();
  for (const report of reports) {
    const { list } = report.numbers;
    // Orders of OTO lists are left out here; the function `otosOf` handles them.
    if (list >= 0 && report.order.oto === undefined)
      lists.set(list, (lists.get(list) ?? new Map()).set(report.order.id, report));
  }
  // An OCO has begun or ended only if both of its orders are reported at the same time.
  return [...lists.values()]
    .filter((orders) => orders.size === ORDERS_OF_LIST)
    .map((orders) => [...orders.values()].sort((first) => (first.order.stop === undefined ? -1 : 1)))
    .filter(
      (orders) => !isListOpen(orders.map(({ order }) => order)) || orders.every(({ type }) => type === 'NEW'),
    );
}

/**
 * The orders of each OTO that has begun or ended with these reports, the working order first. Stores the reported
 * orders in `user.otos` and removes ended lists from it.
 */
function otosOf(user: ReadUser, reports: readonly ExecutionReport[]): (readonly ListedOrder[])[] {
  const begun = new Set<string>();
  const changed = new Set<string>();
  for (const { order, numbers, type } of reports) {
    if (order.oto === undefined) continue;
    const listId = listIdOf(order);
    const orders = user.otos.get(listId) ?? new Map<string, ListedOrder>();
    user.otos.set(listId, orders);
    if (order.oto.role === 'working' && type === 'NEW') begun.add(listId);
    orders.set(order.id, { order, numbers });
    changed.add(listId);
  }
  return [...changed].flatMap((listId) => {
    const orders = [...user.otos.get(listId)!.values()].sort(byPlaceInOto);
    const isOpen = isListOpen(orders.map(({ order }) => order));
    if (!isOpen) user.otos.delete(listId);
    return !isOpen || begun.has(listId) ? [orders] : [];
  });
}

/** Compares two orders of an OTO for sorting: the working order first, then limit orders, then stops. */
function byPlaceInOto(first: ListedOrder, second: ListedOrder): number {
  const place = ({ order: { oto, stop } }: ListedOrder) =>
    oto?.role === 'working' ? 0 : stop === undefined ? 1 : 2;
  return place(first) - place(second);
}

const ORDERS_OF_LIST = 2;

const ENDS: ReadonlyMap<string, ExecutionType> = new Map<string, ExecutionType>([
  ['CANCELED', 'CANCELED'],
  ['EXPIRED_IN_MATCH', 'TRADE_PREVENTION'],
]);

function knownOf(order: SpotOrder): KnownOrder {
  const { price, amount, stop } = order;
  return {
    price,
    amount,
    isTriggered: stop === undefined || stop.status === 'triggered',
    isPending: isPending(order),
  };
}

function isEqual(left: Decimal | undefined, right: Decimal | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && left.equals(right));
}

/** The filled base and quote amounts of an order before the given fills, which `total` includes. */
function withoutFills(
  total: ExecutionReport['filled'],
  fills: readonly OrderFill[],
): ExecutionReport['filled'] {
  let { amount, total: quote } = total;
  for (const fill of fills) {
    amount = amount.minus(fill.amount);
    quote = quote.minus(fill.total);
  }
  return { amount, total: quote };
}
