import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { periodProblem } from '@exchange/core/period.ts';
import { notAmong, refusal, Refused } from '@exchange/core/refusal.ts';
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
  type OwnFill,
  feesOf,
} from './history-repository.ts';
import { amendmentsOf, findOrder, ownerOfOrder } from './repository.ts';

/** Fills of the first page; more of one order are read through the fill records. */
const DETAIL_FILLS = 500;
const DETAIL_AMENDMENTS_MAX = 200;

const STATES: ReadonlyMap<string, readonly OrderState[]> = new Map(
  Object.entries({
    '0': ['open'],
    '1': ['filled'],
    '2': ['cancelled'],
  }),
);

/** Which orders, fills or movements; whatever is absent does not narrow. */
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

type Asked = Selection & AskedPage;

/** The next rows behind one, newest first; the newest of all without one. */
export interface RowsBehind<Row> {
  readonly before: Row | undefined;
  readonly limit: number;
}

/** The stops that wait now, by the id of their order. */
interface WaitingStops {
  waitingStop(id: OrderId): Stop | undefined;
}

/** What screens read about orders, fills and balances: straight from the database. */
export class Records {
  private readonly reader: Reader;
  /** For rows behind rows, of which exports want all: what was written a moment ago may be missing. */
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

  async orders(owner: UserId, asked: Asked): Promise<ListPage<SpotOrder>> {
    const found = await ordersOf(this.reader, owner, this.filterOf(asked), rowsOfPage(asked), this.pairOf);
    return mapPage(found, (order) => this.asItIsNow(order));
  }

  /** Whose an order is; undefined when there is none with this id. */
  ownerOf(id: string) {
    return ownerOfOrder(this.reader, id);
  }

  /** The orders behind one of them, however many there are before it. */
  async ordersBehind(
    owner: UserId,
    asked: Selection,
    { before, limit }: RowsBehind<SpotOrder>,
  ): Promise<SpotOrder[]> {
    const rows = { before: before?.id, limit };
    const list = await ordersBefore(this.replica, owner, this.filterOf(asked), rows, this.pairOf);
    return list.map((order) => this.asItIsNow(order));
  }

  fills(owner: UserId, asked: Asked): Promise<ListPage<OwnFill>> {
    return fillsOf(this.reader, owner, this.filterOf(asked), rowsOfPage(asked));
  }

  /** What trades were worth in USDT, by trade; those that happened without a price of their quote coin are left out. */
  tradeValues(trades: readonly string[]): Promise<ReadonlyMap<string, Decimal>> {
    return tradeValues(this.reader, trades);
  }

  /** The fills behind one of them, however many there are before it. */
  fillsBehind(owner: UserId, asked: Selection, rows: RowsBehind<OwnFill>): Promise<OwnFill[]> {
    return fillsBefore(this.replica, owner, this.filterOf(asked), rows);
  }

  /** One of the owner's orders with its newest fills and amendments, and how many it has; anybody else's is not found. */
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
      price: fill.price,
      amount: fill.amount,
      total: fill.total,
      fee: fill.role === 'taker' ? fill.takerFee : fill.makerFee,
      role: fill.role,
      at: fill.at,
    }));
    return {
      order: this.asItIsNow(order),
      fills: { list: fills, total, hasMore: total > fills.length },
      amendments,
    };
  }

  /** The fees that people paid on trades of a period, its end not included, by the coin they were taken in. */
  async feesPaid(owners: readonly UserId[], from: Instant, to: Instant) {
    const found = new Map<string, { owner: UserId; asset: string; fee: Decimal }>();
    for (const { owner, symbol, isBase, fee } of await feesOf(this.reader, owners, from, to)) {
      const { base, quote } = this.pairOf(symbol);
      const asset = isBase ? base : quote;
      const before = found.get(`${owner} ${asset}`)?.fee ?? Decimal.zero;
      found.set(`${owner} ${asset}`, { owner, asset, fee: before.plus(fee) });
    }
    return [...found.values()];
  }

  /** Every coin with what is available and frozen, and its worth in USDT (8 digits, cut). */
  async balances(owner: UserId, onlyCoin: string | undefined) {
    const held = await holdingsOn(this.reader, owner, 'spot');
    if (onlyCoin !== undefined) this.assets.requireCoin(onlyCoin, 'currency');
    const list = this.assets.coins
      .filter(({ code }) => onlyCoin === undefined || code === onlyCoin)
      .map(({ code, name }) => {
        const { available, frozen } = held.get(code) ?? { available: Decimal.zero, frozen: Decimal.zero };
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

  async movements(owner: UserId, asked: Asked): Promise<ListPage<Statement>> {
    const found = await this.statements.ofOwner(owner, this.movementFilterOf(asked), rowsOfPage(asked));
    return mapPage(found, statementOf);
  }

  /** The movements behind one of them, however many there are before it. */
  async movementsBehind(
    owner: UserId,
    asked: Selection,
    { before, limit }: RowsBehind<Statement>,
  ): Promise<Statement[]> {
    const rows = { before: before?.id, limit };
    return (await this.statements.before(owner, this.movementFilterOf(asked), rows)).map(statementOf);
  }

  /** The account events behind one of them, however many there are before it. */
  eventsBehind(owner: UserId, asked: Selection, rows: RowsBehind<AccountEvent>): Promise<AccountEvent[]> {
    this.soundPairs(asked);
    const { currency: asset, startTime: from, endTime: to } = asked;
    return this.statements.eventsBefore(owner, { asset, from, to }, rows);
  }

  /** A trailing stop moves with the market without being stored each time. */
  private asItIsNow(order: SpotOrder): SpotOrder {
    if (order.stop?.trail === undefined || order.stop.status !== 'waiting') return order;
    const stop = this.stops.waitingStop(order.id);
    return stop === undefined ? order : { ...order, stop: { ...order.stop, price: stop.price } };
  }

  private filterOf(asked: Selection): OrderFilter {
    const pairs = this.soundPairs(asked);
    const isNamed = asked.baseCoin !== undefined || asked.quoteCoin !== undefined;
    return {
      symbols: isNamed ? pairs.map(({ pair }) => pair.symbol) : undefined,
      side: asked.tradeType,
      type: asked.orderType,
      states: asked.entryStatus === undefined ? undefined : STATES.get(asked.entryStatus),
      from: asked.startTime,
      to: asked.endTime,
    };
  }

  private movementFilterOf(asked: Selection) {
    this.soundPairs(asked);
    const { type } = asked;
    if (type !== undefined && !isEntryKind(type)) throw notAmong('type', type);
    const { currency, startTime, endTime } = asked;
    return { asset: currency, kind: type, from: startTime, to: endTime, isAvailableOnly: true };
  }

  /** The pairs that are asked for. Refuses what nothing can fit, instead of answering that there is nothing. */
  private soundPairs(asked: Selection): readonly ListedPair[] {
    const problem = periodProblem(asked);
    if (problem !== undefined) throw new Refused(problem);
    if (asked.currency !== undefined) this.assets.requireCoin(asked.currency, 'currency');
    return this.assets.requirePairs(asked);
  }
}

type Moved = Awaited<ReturnType<Movements['before']>>[number];
export type AccountEventRow = Awaited<ReturnType<Records['eventsBehind']>>[number];
export type Statement = ReturnType<typeof statementOf>;

function statementOf({ id, asset, bucket, kind, reference, amount, balance, at }: Moved) {
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
