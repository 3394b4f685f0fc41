import { Decimal } from '@exchange/core/decimal.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import type { OrderId, TradeId, UserId } from '@exchange/core/ids.ts';
import type { Pair, PairStatus, Side } from '@exchange/core/pair.ts';
import type { ExitsRequest, OrderType, StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { copiedTable, type CopyRows, type Database, type Reader } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Countdown } from './domain/countdowns.ts';
import type {
  Amended,
  EndReason,
  Exits,
  ExitStatus,
  OrderState,
  OtoPlace,
  SpotOrder,
  Stop,
} from './domain/order.ts';
import { ORDER_COLUMNS, TERMS_COLUMNS, type LastPrice, type SpotTables, type SpotTrade } from './tables.ts';

type PairOf = (symbol: string) => Pair;
type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };
type OrderRow = Selectable<SpotTables['spot_order']>;
type TermsRow = Nullable<Selectable<SpotTables['spot_order_terms']>>;

/**
 * The row of terms that stands for the absent one of an order without optional terms: every column is null.
 */
const NO_TERMS: TermsRow = {
  order_id: null,
  stop_price: null,
  direction: null,
  trail: null,
  extreme: null,
  stop_status: null,
  activation: null,
  activated_at: null,
  take_profit: null,
  stop_loss: null,
  stop_loss_limit: null,
  exit_status: null,
  entry_id: null,
  session_id: null,
  triggered_at: null,
  trade_sequence: null,
  expire_at: null,
  group_id: null,
  list_name: null,
  oto_id: null,
  oto_role: null,
  oto_released_at: null,
  cancelled_amount: null,
};

/** A query of orders joined with their terms, if any; `orderOf` builds an order from each of its rows. */
export function ordersWithTerms(reader: Reader) {
  return reader
    .withTables<SpotTables>()
    .selectFrom('spot_order')
    .leftJoin('spot_order_terms', 'spot_order_terms.order_id', 'spot_order.id');
}

const ORDERS = copiedTable<OrderRow>('spot_order', ORDER_COLUMNS);
const TERMS = copiedTable<Selectable<SpotTables['spot_order_terms']>>('spot_order_terms', TERMS_COLUMNS);
const OPEN = `where status = 'open'`;
/** Number of ids per query, so that the text of a query stays below 200 kB. */
const IDS_PER_QUERY = 5_000;

/**
 * All open orders by time priority. Each order is built as its row arrives, because holding all
 * rows would use too much memory.
 */
export async function openOrders(database: Database, pairOf: PairOf): Promise<SpotOrder[]> {
  return database.copying((copy) => copyOrders(copy, pairOf, OPEN));
}

/** The open orders among `ids`, by time priority. */
export async function openOrdersOf(
  copy: CopyRows,
  pairOf: PairOf,
  ids: readonly OrderId[],
): Promise<SpotOrder[]> {
  const orders: SpotOrder[] = [];
  for (let first = 0; first < ids.length; first += IDS_PER_QUERY) {
    // The ids come from the database and contain hexadecimal digits and hyphens only, so they can be part of
    // the query's text.
    const list = ids.slice(first, first + IDS_PER_QUERY).join();
    orders.push(...(await copyOrders(copy, pairOf, `${OPEN} and id = any('{${list}}'::uuid[])`)));
  }
  return orders.sort(byRank);
}

async function copyOrders(copy: CopyRows, pairOf: PairOf, where: string): Promise<SpotOrder[]> {
  const orders: SpotOrder[] = [];
  const terms = new Map<string, TermsRow>();
  const parse = cachingParser();
  await copy(`${TERMS.select} where order_id in (select id from spot_order ${where})`, (cells) => {
    const row = TERMS.read(cells);
    terms.set(row.order_id, row);
  });
  await copy(`${ORDERS.select} ${where}`, (cells) => {
    const row = ORDERS.read(cells);
    orders.push(orderOf(row, terms.get(row.id) ?? NO_TERMS, pairOf, parse));
  });
  return orders.sort(byRank);
}

function byRank(first: SpotOrder, second: SpotOrder): number {
  return first.rank - second.rank || (first.id < second.id ? -1 : 1);
}

/** Number of buckets of open orders; a power of two. With 100,000 open orders, a bucket has some 25. */
const BUCKETS = 4_096;
const bucketOf = (id: string) => `uuid_hash(${id}) & ${BUCKETS - 1}`;
/** Added to the version of an order's terms, so that it differs from the version of the order itself. */
const TERMS_SALT = 2n ** 40n;

/**
 * A digest of the open orders' versions for each bucket with open orders. The database assigns the buckets and computes
 * the digests with its own hash functions, which may change only with the version of PostgreSQL.
 */
export async function openOrderDigests(copy: CopyRows): Promise<Map<number, string>> {
  const digests = new Map<number, string>();
  const digest = (id: string, salt: bigint) => `uuid_hash_extended(${id}, xmin::text::bigint + ${salt})`;
  await copy(
    `select ${bucketOf('id')}, count(*), bit_xor(digest) from (
       select id, ${digest('id', 0n)} as digest from spot_order ${OPEN}
       union all
       select order_id, ${digest('order_id', TERMS_SALT)} from spot_order_terms
       where order_id in (select id from spot_order ${OPEN})
     ) as versions group by 1`,
    ([bucket, count, xor]) => digests.set(wholeNumber(BigInt(bucket!)), `${count} ${xor}`),
  );
  return digests;
}

/**
 * The version of every open order in `buckets`, or of every open order if `buckets` is undefined. A version is a text
 * that differs after each change of the order or its terms. It consists of the numbers of the transactions that
 * stored the rows (`xmin`). One primary database does not use a number twice within the life of a standby, and a
 * change of the primary begins a new epoch of the writer.
 */
export async function openOrderVersions(
  copy: CopyRows,
  buckets?: readonly number[],
): Promise<Map<number, Map<OrderId, string>>> {
  const versions = new Map<number, Map<OrderId, string>>();
  const inBuckets = buckets === undefined ? '' : `and ${bucketOf('id')} = any('{${buckets.join()}}'::int[])`;
  const open = `spot_order ${OPEN} ${inBuckets}`;
  await copy(`select id, xmin, ${bucketOf('id')} from ${open}`, ([id, version, bucket]) => {
    const number = wholeNumber(BigInt(bucket!));
    const known = versions.get(number);
    if (known === undefined) versions.set(number, new Map([[id as OrderId, version!]]));
    else known.set(id as OrderId, version!);
  });
  await copy(
    `select order_id, xmin, ${bucketOf('order_id')} from spot_order_terms where order_id in (select id from ${open})`,
    ([id, version, bucket]) => {
      const known = versions.get(wholeNumber(BigInt(bucket!)));
      known?.set(id as OrderId, `${known.get(id as OrderId)} ${version}`);
    },
  );
  return versions;
}

/** Sums over the open orders of a pair, to compare memory with the database. */
export interface OrderSums {
  readonly symbol: string;
  readonly count: number;
  readonly ranks: bigint;
  /**
   * The sum of the prices, amounts, filled amounts, filled totals, fees and holds of these orders, all added
   * together.
   */
  readonly values: Decimal;
}

/** Sums over the stored open orders of each pair that has any, to compare memory with the database. */
export async function openOrderSums(copy: CopyRows): Promise<OrderSums[]> {
  const sums: OrderSums[] = [];
  await copy(
    `select symbol, count(*), sum(rank),
       sum(coalesce(price, 0) + coalesce(amount, 0) + filled_amount + filled_total + fee + held)
     from spot_order ${OPEN} group by symbol`,
    ([symbol, count, ranks, values]) => {
      sums.push({
        symbol: symbol!,
        count: wholeNumber(BigInt(count!)),
        ranks: BigInt(ranks!),
        values: Decimal.parse(values!),
      });
    },
  );
  return sums;
}

/**
 * The ended orders whose take-profit and stop-loss orders are still to be placed. There are usually few such orders,
 * because exits are placed soon after the end of their order.
 */
export async function owedExits(reader: Reader, pairOf: PairOf): Promise<SpotOrder[]> {
  const rows = await ordersWithTerms(reader)
    .selectAll()
    .where('exit_status', '=', 'waiting')
    .where('status', '!=', 'open')
    .execute();
  return rows.map((row) => orderOf(row, row, pairOf));
}

type Parse = (text: string) => Decimal;
const parseDecimal: Parse = (text) => Decimal.parse(text);
const CACHED_MAX = 65_536;

/**
 * Returns a parser of decimals that caches its results, because prices, amounts and rates repeat across
 * orders.
 */
function cachingParser(): Parse {
  const cache = new Map<string, Decimal>();
  return (text) => {
    let value = cache.get(text);
    if (value !== undefined) return value;
    if (cache.size === CACHED_MAX) cache.clear();
    value = Decimal.parse(text);
    cache.set(text, value);
    return value;
  };
}

export async function lastTradeSequence(reader: Reader): Promise<number> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_trade')
    .select(({ fn }) => fn.max('sequence').as('sequence'))
    .executeTakeFirst();
  return wholeNumber(row?.sequence ?? 0);
}

/** The trades of all pairs after a sequence number, oldest first, at most `limit`. */
export async function tradesSince(reader: Reader, sequence: number, limit: number): Promise<SpotTrade[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_trade')
    .selectAll()
    .where('sequence', '>', BigInt(sequence))
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(tradeOf);
}

/** An owner's order by its id; undefined for an unknown id or another user's order. */
export async function findOrder(
  reader: Reader,
  owner: UserId,
  id: string,
  pairOf: PairOf,
): Promise<SpotOrder | undefined> {
  const row = await ordersWithTerms(reader)
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row === undefined ? undefined : orderOf(row, row, pairOf);
}

/** The owner, pair and status of an order by its id, for operators; undefined for an unknown id. */
export async function ownerOfOrder(reader: Reader, id: string) {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_order')
    .select(['owner', 'symbol', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...row, owner: row.owner as UserId };
}

/** The newest amendments of an order, at most `limit`, oldest first, and the number of all its amendments. */
export async function amendmentsOf(
  reader: Reader,
  orderId: string,
  limit: number,
): Promise<BoundedRows<Amended>> {
  const newest = reader
    .withTables<SpotTables>()
    .selectFrom('spot_amendment')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('sequence', 'desc');
  const { list, ...counts } = await readBounded(reader, newest, limit);
  return mapBounded({ list: list.toReversed(), ...counts }, amendedOf);
}

/** The newest amendments of the given orders, at most `limit` over all of them, grouped by order and oldest first. */
export async function amendmentsOfAll(
  reader: Reader,
  orders: readonly OrderId[],
  limit: number,
): Promise<ReadonlyMap<OrderId, readonly Amended[]>> {
  if (orders.length === 0) return new Map();
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_amendment')
    .selectAll()
    .where('order_id', 'in', orders)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute();
  return groupBy(rows.toReversed().map(amendedOf), ({ orderId }) => orderId);
}

function amendedOf(row: Selectable<SpotTables['spot_amendment']>): Amended {
  return {
    orderId: row.order_id as OrderId,
    at: instant(wholeNumber(row.at)),
    sequence: wholeNumber(row.sequence),
    price: decimalOf(row.price),
    amount: decimalOf(row.amount),
    stopPrice: decimalOf(row.stop_price),
    priceBefore: decimalOf(row.price_before),
    amountBefore: decimalOf(row.amount_before),
    stopPriceBefore: decimalOf(row.stop_price_before),
    exits: pricesOf([row.take_profit, row.stop_loss, row.stop_loss_limit]),
    exitsBefore: pricesOf([row.take_profit_before, row.stop_loss_before, row.stop_loss_limit_before]),
  };
}

/**
 * The value in USDT that several owners together have traded from an instant on, as maker and as taker: the stored sums
 * of the UTC days after the instant's day, plus the trades of that day from the instant on. Trades without a known
 * value count as 0.
 */
export async function tradedValue(
  reader: Reader,
  owners: readonly UserId[],
  since: number,
): Promise<Decimal> {
  const firstDay = Math.floor(since / DAY_MS);
  const nextDay = (firstDay + 1) * DAY_MS;
  const result = await sql<{ value: string }>`
    select coalesce(sum(value), 0)::text as value from (
      select value from spot_day_volume where owner = any(${owners}::uuid[]) and day > ${firstDay}
      union all
      select value_usdt from spot_trade where taker = any(${owners}::uuid[]) and at >= ${since} and at < ${nextDay}
      union all
      select value_usdt from spot_trade where maker = any(${owners}::uuid[]) and at >= ${since} and at < ${nextDay}
    ) traded
  `.execute(reader);
  return Decimal.parse(result.rows[0]!.value);
}

/**
 * SQL queries of the amounts that open orders hold and running icebergs reserve, each with owner and asset;
 * the ledger's audit compares their sums by owner and asset with the frozen balances of the spot accounts.
 */
export const spotHolds = [
  {
    name: 'spot',
    table: 'spot_order',
    openHolds: (owners: Scope): RawBuilder<unknown> => sql`
      select owner, held_asset as asset, held as amount from spot_order where status = 'open' and ${owners('owner')}`,
  },
  {
    name: 'spot icebergs',
    table: 'spot_iceberg',
    openHolds: (owners: Scope): RawBuilder<unknown> => sql`
      select owner, held_asset, reserved from spot_iceberg where ending is null and ${owners('owner')}`,
  },
];

/** Builds an order from its row and the row of its terms. A joined row can be passed as both. */
export function orderOf(
  row: OrderRow,
  terms: TermsRow,
  pairOf: PairOf,
  parse: Parse = parseDecimal,
): SpotOrder {
  return {
    id: row.id as OrderId,
    owner: row.owner as UserId,
    trader: (row.trader ?? row.owner) as UserId,
    pair: pairOf(row.symbol),
    side: row.side as Side,
    type: row.type as OrderType,
    timeInForce: row.time_in_force as TimeInForce,
    postOnly: row.post_only,
    selfTrade: row.self_trade as SpotOrder['selfTrade'],
    price: decimalOf(row.price, parse),
    amount: decimalOf(row.amount, parse),
    total: decimalOf(row.total, parse),
    heldAsset: row.held_asset,
    makerRate: parse(row.maker_rate),
    takerRate: parse(row.taker_rate),
    clientId: row.client_id,
    stop: stopOf(terms),
    expireAt: instantOf(terms.expire_at),
    groupId: terms.group_id ?? '',
    listName: terms.list_name ?? '',
    oto: otoOf(terms),
    entryId: terms.entry_id ?? '',
    sessionId: terms.session_id ?? '',
    parentId: '',
    rank: wholeNumber(row.rank),
    exits: exitsOf(terms),
    receivedAt: row.received_at === null ? undefined : instant(wholeNumber(row.received_at)),
    createdAt: instant(wholeNumber(row.created_at)),
    bornIn: 0,
    filledAmount: parse(row.filled_amount),
    filledTotal: parse(row.filled_total),
    cancelledAmount: decimalOf(terms.cancelled_amount, parse) ?? Decimal.zero,
    fee: parse(row.fee),
    held: parse(row.held),
    state: row.status as OrderState,
    reason: row.reason as EndReason,
    updatedAt: instant(wholeNumber(row.updated_at)),
  };
}

function stopOf(row: TermsRow): Stop | undefined {
  if (row.stop_price === null) return undefined;
  return {
    direction: row.direction as StopDirection,
    trail: decimalOf(row.trail),
    price: Decimal.parse(row.stop_price),
    extreme: decimalOf(row.extreme),
    activation: decimalOf(row.activation),
    activatedAt: instantOf(row.activated_at),
    status: row.stop_status as Stop['status'],
    triggeredAt: instantOf(row.triggered_at),
    tradeSequence: wholeNumber(row.trade_sequence!),
  };
}

function otoOf({ oto_id: id, oto_role: role, oto_released_at: releasedAt }: TermsRow): OtoPlace | undefined {
  if (id === null) return undefined;
  return { id, role: role as OtoPlace['role'], releasedAt: instantOf(releasedAt) };
}

function exitsOf(row: TermsRow): Exits | undefined {
  if (row.exit_status === null) return undefined;
  const prices = pricesOf([row.take_profit, row.stop_loss, row.stop_loss_limit]);
  return { ...prices, status: row.exit_status as ExitStatus };
}

function pricesOf([takeProfit, stopLoss, stopLossLimit]: readonly (string | null)[]): ExitsRequest {
  return {
    takeProfit: decimalOf(takeProfit!),
    stopLoss: decimalOf(stopLoss!),
    stopLossLimit: decimalOf(stopLossLimit!),
  };
}

/** Builds a trade from its row. */
export function tradeOf(row: Selectable<SpotTables['spot_trade']>): SpotTrade {
  return {
    id: row.id as TradeId,
    sequence: wholeNumber(row.sequence),
    symbol: row.symbol,
    price: Decimal.parse(row.price),
    amount: Decimal.parse(row.amount),
    total: Decimal.parse(row.total),
    takerSide: row.taker_side as Side,
    taker: row.taker as UserId,
    takerOrder: row.taker_order as OrderId,
    takerFee: Decimal.parse(row.taker_fee),
    maker: row.maker as UserId,
    makerOrder: row.maker_order as OrderId,
    makerFee: Decimal.parse(row.maker_fee),
    valueUsdt: decimalOf(row.value_usdt),
    at: instant(wholeNumber(row.at)),
  };
}

function decimalOf(text: string | null, parse: Parse = parseDecimal): Decimal | undefined {
  return text === null ? undefined : parse(text);
}

function instantOf(milliseconds: bigint | null): Instant | undefined {
  return milliseconds === null ? undefined : instant(wholeNumber(milliseconds));
}

/**
 * The stored trading status of a pair as it was last set, with the time, author and reason of this change.
 */
export interface StoredStatus {
  readonly symbol: string;
  readonly status: PairStatus;
  readonly since: Instant;
  readonly by: string;
  readonly reason: string;
}

/** The running countdowns, and those that have run out and still have orders to cancel. */
export async function storedCountdowns(reader: Reader): Promise<Countdown[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_countdown')
    .selectAll()
    .where('due_at', 'is not', null)
    .execute();
  return rows.map(({ owner, symbol, due_at: dueAt, sequence }) => ({
    owner: owner as UserId,
    symbol,
    expireAt: instant(wholeNumber(dueAt!)),
    rank: wholeNumber(sequence),
  }));
}

/**
 * The stored trading statuses, with time, author and reason of the last change; pairs whose status was never set are
 * absent.
 */
export async function pairStatuses(reader: Reader): Promise<StoredStatus[]> {
  const rows = await reader.withTables<SpotTables>().selectFrom('spot_pair_status').selectAll().execute();
  return rows.map(({ symbol, status, since, set_by: by, reason }) => ({
    symbol,
    status: status as PairStatus,
    since: instant(wholeNumber(since)),
    by,
    reason,
  }));
}

/** The price and sequence number of the last trade of every pair that has traded. */
export async function lastPrices(reader: Reader): Promise<LastPrice[]> {
  const rows = await reader.withTables<SpotTables>().selectFrom('spot_last_price').selectAll().execute();
  return rows.map(({ symbol, price, trade_sequence: sequence }) => ({
    symbol,
    price: Decimal.parse(price),
    tradeSequence: wholeNumber(sequence),
  }));
}

/**
 * Per pair, the range of trades whose triggered stops are not all marked as due; both ends are
 * included.
 */
export async function storedMarkings(
  reader: Reader,
): Promise<{ symbol: string; from: number; to: number }[]> {
  const rows = await reader.withTables<SpotTables>().selectFrom('spot_marking').selectAll().execute();
  return rows.flatMap(({ symbol, from_trade: from, to_trade: to }) =>
    from === null || to === null ? [] : [{ symbol, from: wholeNumber(from), to: wholeNumber(to) }],
  );
}

/** The prices of a pair's trades after a sequence number, newest first. */
export async function pricesSince(
  reader: Reader,
  symbol: string,
  sequence: number,
): Promise<{ sequence: number; price: Decimal }[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_trade')
    .select(['sequence', 'price'])
    .where('sequence', '>', BigInt(sequence))
    .where('symbol', '=', symbol)
    .orderBy('sequence', 'desc')
    .execute();
  return rows.map((row) => ({ sequence: wholeNumber(row.sequence), price: Decimal.parse(row.price) }));
}
