import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { periodProblem } from '@exchange/core/period.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import {
  type AskedPage,
  type ListPage,
  firstRows,
  mapPage,
  rowsOfPage,
} from '../../platform/database/paged-rows.ts';
import type { Assets, ListedPair } from '../assets/index.ts';
import { holdingsOn, isEntryKind, type AccountEvent, type Movements } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { OrderFill } from './events.ts';
import type { Amended, OrderState, SpotOrder, Stop } from './domain/order.ts';
import {
  fillsBefore,
  fillsOf,
  ordersBefore,
  ordersOf,
  tradeValues,
  type OrderFilter,
  type UserFill,
  feesOf,
} from './history-repository.ts';
import { amendmentsOf, findOrder, ownerOfOrder } from './repository.ts';

/** Maximum number of fills in an order's detail; the fill records list all. */
const DETAIL_FILLS = 500;
const DETAIL_AMENDMENTS_MAX = 200;

const STATES: ReadonlyMap<string, readonly OrderState[]> = new Map(
  Object.entries({
    '0': ['open'],
    '1': ['filled'],
    '2': ['cancelled'],
  }),
);

/**
 * Filters for orders, fills, movements or account events; an absent field does not filter, and neither does one that
 * the kind of record lacks.
 */
export interface Selection {
  readonly baseCoin?: string | undefined;
  readonly quoteCoin?: string | undefined;
  readonly tradeType?: Side | undefined;
  readonly orderType?: OrderType | undefined;
  readonly entryStatus?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly currency?: string | undefined;
  readonly type?: string | undefined;
}

type PageRequest = Selection & AskedPage;

/**
 * Selects a page of at most `limit` rows, newest first: those older than `before`, or the newest if it is undefined.
 */
export interface RowsBefore<Row> {
  readonly before: Row | undefined;
  readonly limit: number;
}

/**
 * Reads the current trigger of an open order from memory; undefined if the order is not open or has no
 * trigger.
 */
interface WaitingStops {
  waitingStop(id: OrderId): Stop | undefined;
}

/**
 * Reads of orders, fills, balances and movements for screens and exports. They come from the database, except
 * trigger prices of trailing stops and prices of coins, which come from memory.
 */
export class Records {
  private readonly reader: Reader;
  /** Replica that exports of orders and fills use, because they read many rows; it may lack the latest rows. */
  private readonly replica: Reader;
  private readonly assets: Assets;
  private readonly market: Market;
  private readonly statements: Movements;

  private readonly stops: WaitingStops;
  private readonly pairOf = (symbol: string) => this.assets.findPair(symbol)!.pair;

  constructor(parts: {
    database: Pick<Database, 'reader' | 'replica'>;
    assets: Assets;
    market: Market;
    movements: Movements;
    stops: WaitingStops;
  }) {
    this.stops = parts.stops;
    this.reader = parts.database.reader;
    this.replica = parts.database.replica.lagging;
    this.assets = parts.assets;
    this.market = parts.market;
    this.statements = parts.movements;
  }

  async orders(owner: UserId, request: PageRequest): Promise<ListPage<SpotOrder>> {
    const page = await ordersOf(this.reader, owner, this.filterOf(request), rowsOfPage(request), this.pairOf);
    return mapPage(page, (order) => this.withCurrentStop(order));
  }

  /** The owner, pair and status of an order by its id, for operators; undefined for an unknown id. */
  ownerOf(id: string) {
    return ownerOfOrder(this.reader, id);
  }

  /**
   * Up to `limit` of the owner's orders that match the selection, newest first: those older than `before`, or
   * the newest if it is undefined. For exports; read from the replica.
   */
  async ordersBefore(
    owner: UserId,
    selection: Selection,
    { before, limit }: RowsBefore<SpotOrder>,
  ): Promise<SpotOrder[]> {
    const rows = { before: before?.id, limit };
    const list = await ordersBefore(this.replica, owner, this.filterOf(selection), rows, this.pairOf);
    return list.map((order) => this.withCurrentStop(order));
  }

  fills(owner: UserId, request: PageRequest): Promise<ListPage<UserFill>> {
    return fillsOf(this.reader, owner, this.filterOf(request), rowsOfPage(request));
  }

  /** The USDT values of trades by trade id; trades without a known value are absent. */
  tradeValues(trades: readonly string[]): Promise<ReadonlyMap<string, Decimal>> {
    return tradeValues(this.reader, trades);
  }

  /**
   * Up to `limit` of the owner's fills that match the selection, newest first: those older than `before`, or
   * the newest if it is undefined. For exports; read from the replica.
   */
  fillsBefore(owner: UserId, selection: Selection, rows: RowsBefore<UserFill>): Promise<UserFill[]> {
    return fillsBefore(this.replica, owner, this.filterOf(selection), rows);
  }

  /**
   * An order of the owner with its newest fills and amendments, at most `DETAIL_FILLS` and `DETAIL_AMENDMENTS_MAX` of
   * them, and their total numbers. Refuses with `l.not_found` if the order is unknown or belongs to another user.
   */
  async order(
    owner: UserId,
    id: string,
  ): Promise<{ order: SpotOrder; fills: BoundedRows<OrderFill>; amendments: BoundedRows<Amended> }> {
    const order = await findOrder(this.reader, owner, id, this.pairOf);
    if (order === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const [{ list, total }, amendments] = await Promise.all([
      fillsOf(this.reader, owner, { orderId: id }, firstRows(DETAIL_FILLS)),
      amendmentsOf(this.reader, id, DETAIL_AMENDMENTS_MAX),
    ]);
    const fills = list.map((fill) => ({
      tradeId: fill.id,
      sequence: fill.sequence,
      price: fill.price,
      amount: fill.amount,
      total: fill.total,
      fee: fill.role === 'taker' ? fill.takerFee : fill.makerFee,
      role: fill.role,
      at: fill.at,
    }));
    return {
      order: this.withCurrentStop(order),
      fills: { list: fills, total, hasMore: total > fills.length },
      amendments,
    };
  }

  /**
   * The sums of the fees that each of `owners` paid, as taker and as maker, on trades of the period [from, to), by
   * owner and asset.
   */
  async feesPaid(owners: readonly UserId[], from: Instant, to: Instant) {
    const fees = new Map<string, { owner: UserId; asset: string; fee: Decimal }>();
    for (const { owner, symbol, isBase, fee } of await feesOf(this.reader, owners, from, to)) {
      const { base, quote } = this.pairOf(symbol);
      const asset = isBase ? base : quote;
      const sumBefore = fees.get(`${owner} ${asset}`)?.fee ?? Decimal.zero;
      fees.set(`${owner} ${asset}`, { owner, asset, fee: sumBefore.plus(fee) });
    }
    return [...fees.values()];
  }

  /**
   * The balances of the owner's spot account: all coins, also those with a balance of zero, or only `onlyCoin`. The
   * value of a coin, available and frozen together, is in USDT, rounded down to 8 decimals before the values are summed
   * up to `total`; it is 0 without a price. Refuses an unknown coin.
   */
  async balances(owner: UserId, onlyCoin: string | undefined) {
    const holdings = await holdingsOn(this.reader, owner, 'spot');
    if (onlyCoin !== undefined) this.assets.requireCoin(onlyCoin, 'currency');
    const list = this.assets.coins
      .filter(({ code }) => onlyCoin === undefined || code === onlyCoin)
      .map(({ code, name }) => {
        const { available, frozen } = holdings.get(code) ?? { available: Decimal.zero, frozen: Decimal.zero };
        const price = this.market.usdtPrice(code) ?? Decimal.zero;
        return {
          currencyName: code,
          currency: name,
          logo: this.assets.logo(code),
          availableCurrency: available.toString(),
          frozenCurrency: frozen.toString(),
          price: price.toString(),
          total: available.plus(frozen).times(price, 'down', 8).toString(),
          status: 1,
        };
      });
    return { list, total: sum(list.map(({ total }) => Decimal.parse(total))).toString() };
  }

  async movements(owner: UserId, request: PageRequest): Promise<ListPage<Statement>> {
    const page = await this.statements.ofOwner(owner, this.movementFilterOf(request), rowsOfPage(request));
    return mapPage(page, statementOf);
  }

  /**
   * A page of the owner's movements of available and frozen balances, but not of locked ones, that match the
   * selection, newest first: those older than `before`, or the newest if it is undefined; for exports.
   */
  async movementsBefore(
    owner: UserId,
    selection: Selection,
    { before, limit }: RowsBefore<Statement>,
  ): Promise<Statement[]> {
    const rows = { before: before?.id, limit };
    return (await this.statements.before(owner, this.movementFilterOf(selection), rows)).map(statementOf);
  }

  /**
   * A page of the owner's account events (ledger entries such as a trade or a withdrawal) that match the
   * selection's coin and period, newest first: those older than `before`, or the newest if it is undefined;
   * for exports.
   */
  eventsBefore(owner: UserId, selection: Selection, rows: RowsBefore<AccountEvent>): Promise<AccountEvent[]> {
    this.requirePairs(selection);
    const { currency: asset, startTime, endTime } = selection;
    return this.statements.eventsBefore(owner, { asset, from: startTime, to: endTime }, rows);
  }

  /**
   * Replaces the stored trigger price of a waiting trailing stop by the current one from memory. The price is
   * not stored at every move.
   */
  private withCurrentStop(order: SpotOrder): SpotOrder {
    if (order.stop?.trail === undefined || order.stop.status !== 'waiting') return order;
    const stop = this.stops.waitingStop(order.id);
    return stop === undefined ? order : { ...order, stop: { ...order.stop, price: stop.price } };
  }

  private filterOf(selection: Selection): OrderFilter {
    const pairs = this.requirePairs(selection);
    const isNamed = selection.baseCoin !== undefined || selection.quoteCoin !== undefined;
    return {
      symbols: isNamed ? pairs.map(({ pair }) => pair.symbol) : undefined,
      side: selection.tradeType,
      type: selection.orderType,
      states: selection.entryStatus === undefined ? undefined : STATES.get(selection.entryStatus),
      from: selection.startTime,
      to: selection.endTime,
    };
  }

  private movementFilterOf(selection: Selection) {
    this.requirePairs(selection);
    const { type } = selection;
    if (type !== undefined && !isEntryKind(type)) throw invalidChoice('type', type);
    const { currency, startTime, endTime } = selection;
    return { asset: currency, kind: type, from: startTime, to: endTime, leavesOutLocked: true };
  }

  /**
   * The pairs that the selection names, or all pairs. Refuses a period, coin or pair that cannot match anything,
   * instead of returning an empty list.
   */
  private requirePairs(selection: Selection): readonly ListedPair[] {
    const problem = periodProblem(selection);
    if (problem !== undefined) throw new Refused(problem);
    if (selection.currency !== undefined) this.assets.requireCoin(selection.currency, 'currency');
    return this.assets.requirePairs(selection);
  }
}

type Movement = Awaited<ReturnType<Movements['before']>>[number];
export type AccountEventRow = Awaited<ReturnType<Records['eventsBefore']>>[number];
export type Statement = ReturnType<typeof statementOf>;

function statementOf({ id, asset, bucket, kind, reference, amount, balance, at }: Movement) {
  return {
    id,
    currency: asset,
    type: kind,
    amount: amount.toString(),
    balance: balance.toString(),
    refType: bucket,
    refId: reference ?? '',
    createTime: at,
    remark: '',
  };
}
