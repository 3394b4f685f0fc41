import { Decimal } from '@exchange/core/decimal.ts';
import { type OrderId, type TradeId, type UserId, firstIdAt } from '@exchange/core/ids.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import type { Instant } from '@exchange/core/time.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { RecordRange, RecordRow, RecordSource } from '../../platform/console/records.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { plainNumber, recordRow, recordsOfTable } from '../../platform/database/table-records.ts';
import {
  BY_ID,
  ListOrder,
  type ListPage,
  type PagedRows,
  countUpToMost,
  listPage,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { OrderState, SpotOrder } from './domain/order.ts';
import { orderOf, ordersWithTerms, tradeOf } from './repository.ts';
import type { SpotTables, SpotTrade } from './tables.ts';

/** Filter of orders, and of fills by the fields of their orders; an absent field does not filter. */
export interface OrderFilter {
  readonly symbols?: readonly string[] | undefined;
  readonly side?: Side | undefined;
  readonly type?: OrderType | undefined;
  readonly states?: readonly OrderState[] | undefined;
  /**
   * Start and end, in milliseconds and both inclusive, of the period in which orders were placed or, in a filter of
   * fills, fills happened.
   */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface FillFilter extends OrderFilter {
  readonly orderId?: string | undefined;
}

/** A trade with the user's role in it (maker or taker). */
export interface UserFill extends SpotTrade {
  readonly role: 'maker' | 'taker';
}

type PairOf = (symbol: string) => Pair;
type Condition = RawBuilder<unknown>;

/** A page of a user's spot orders that match the filter, open or ended, newest first. */
export async function ordersOf(
  reader: Reader,
  owner: UserId,
  filter: OrderFilter,
  rows: PagedRows,
  pairOf: PairOf,
): Promise<ListPage<SpotOrder>> {
  const query = ordersOfOwner(reader, owner, filter);
  return mapPage(await readPage(reader, query.selectAll(), BY_ID, rows), (row) => orderOf(row, row, pairOf));
}

/**
 * Up to `limit` of a user's orders that match the filter, newest first: those older than `before`, or the newest if it
 * is undefined.
 */
export async function ordersBefore(
  reader: Reader,
  owner: UserId,
  filter: OrderFilter,
  { before, limit }: { before: OrderId | undefined; limit: number },
  pairOf: PairOf,
): Promise<SpotOrder[]> {
  const query = ordersOfOwner(reader, owner, filter);
  const older = before === undefined ? query : query.where('id', '<', before);
  const rows = await older.selectAll().orderBy('id', 'desc').limit(limit).execute();
  return rows.map((row) => orderOf(row, row, pairOf));
}

function ordersOfOwner(reader: Reader, owner: UserId, filter: OrderFilter) {
  let query = ordersWithTerms(reader).where('owner', '=', owner);
  if (filter.symbols !== undefined) query = query.where('symbol', 'in', filter.symbols);
  if (filter.side !== undefined) query = query.where('side', '=', filter.side);
  if (filter.type !== undefined) query = query.where('type', '=', filter.type);
  if (filter.states !== undefined) query = query.where('status', 'in', filter.states);
  // An order's id starts with its creation time, so the condition on `id` lets the query use the primary key's index.
  if (filter.from !== undefined)
    query = query.where('created_at', '>=', BigInt(filter.from)).where('id', '>=', firstIdAt(filter.from));
  if (filter.to !== undefined)
    query = query.where('created_at', '<=', BigInt(filter.to)).where('id', '<', firstIdAt(filter.to + 1));
  return query;
}

const BY_TRADE = new ListOrder([
  { name: 'at', type: 'bigint' },
  { name: 'sequence', type: 'bigint' },
]);

/** A page of a user's spot fills that match the filter, newest first. */
export async function fillsOf(
  reader: Reader,
  owner: UserId,
  filter: FillFilter,
  rows: PagedRows,
): Promise<ListPage<UserFill>> {
  const from = BY_TRADE.fromAnchor(rows);
  const counted = sidesOf(owner, filter, [from]);
  const [found, total] = await Promise.all([
    newestFills(reader, owner, sidesOf(owner, filter, [from, BY_TRADE.afterPlace(rows)]), {
      limit: rows.limit + 1,
      offset: rows.offset,
    }),
    countUpToMost(
      reader,
      sql`
        select from spot_trade t where ${counted[0]}
        union all
        select from spot_trade t where ${counted[1]}
      `,
    ),
  ]);
  return listPage(found, total, BY_TRADE, rows);
}

/**
 * Up to `limit` of a user's fills that match the filter, newest first: those older than `before`, or the newest if it
 * is undefined.
 */
export function fillsBefore(
  reader: Reader,
  owner: UserId,
  filter: FillFilter,
  { before, limit }: { before: Pick<UserFill, 'at' | 'sequence'> | undefined; limit: number },
): Promise<UserFill[]> {
  const behind = before === undefined ? [] : [sql`(t.at, t.sequence) < (${before.at}, ${before.sequence})`];
  return newestFills(reader, owner, sidesOf(owner, filter, behind), { limit, offset: 0 });
}

/** The USDT values of trades by trade id; trades without a known value are absent. */
export async function tradeValues(
  reader: Reader,
  trades: readonly string[],
): Promise<ReadonlyMap<string, Decimal>> {
  if (trades.length === 0) return new Map();
  const { rows } = await sql<{ id: string; value: string }>`
    select id, value_usdt as value from spot_trade where id = any(${trades}::uuid[]) and value_usdt is not null
  `.execute(reader);
  return new Map(rows.map(({ id, value }) => [id, Decimal.parse(value)]));
}

/**
 * A user's fills, newest first. Fills as taker and fills as maker are read by separate indexes and merged; no user
 * is on both sides of a trade.
 */
async function newestFills(
  reader: Reader,
  owner: UserId,
  [asTaker, asMaker]: readonly [Condition, Condition],
  { limit, offset }: Pick<PagedRows, 'limit' | 'offset'>,
): Promise<UserFill[]> {
  const newest = sql`order by t.at desc, t.sequence desc limit ${limit + offset}`;
  const found = await sql<Selectable<SpotTables['spot_trade']>>`
    (select t.* from spot_trade t where ${asTaker} ${newest})
    union all
    (select t.* from spot_trade t where ${asMaker} ${newest})
    order by at desc, sequence desc limit ${limit} offset ${offset}
  `.execute(reader);
  return found.rows.map((row) => ({ ...tradeOf(row), role: row.taker === owner ? 'taker' : 'maker' }));
}

/**
 * Two SQL conditions: of the trades that match the filter and in which the user was the taker, and of those
 * in which the user was the maker.
 */
function sidesOf(
  owner: UserId,
  filter: FillFilter,
  also: readonly Condition[] = [],
): readonly [Condition, Condition] {
  const conditionOf = (role: 'taker' | 'maker') => {
    const party = sql.ref(`t.${role}`);
    const order = sql.ref(`t.${role}_order`);
    const conditions: Condition[] = [sql`${party} = ${owner}`, ...also];
    if (filter.orderId !== undefined) conditions.push(sql`${order} = ${filter.orderId}`);
    if (filter.symbols !== undefined) conditions.push(sql`t.symbol = any(${filter.symbols}::text[])`);
    if (filter.side !== undefined)
      conditions.push(sql`(t.taker_side = ${filter.side}) = ${role === 'taker'}`);
    if (filter.from !== undefined) conditions.push(sql`t.at >= ${filter.from}`);
    if (filter.to !== undefined) conditions.push(sql`t.at <= ${filter.to}`);
    if (filter.type !== undefined || filter.states !== undefined) {
      conditions.push(sql`exists (select from spot_order o where o.id = ${order} and ${kindOf(filter)})`);
    }
    return sql`${sql.join(conditions, sql` and `)}`;
  };
  return [conditionOf('taker'), conditionOf('maker')];
}

function kindOf({ type, states }: OrderFilter): Condition {
  const conditions: Condition[] = [];
  if (type !== undefined) conditions.push(sql`o.type = ${type}`);
  if (states !== undefined) conditions.push(sql`o.status = any(${states}::text[])`);
  return sql.join(conditions, sql` and `);
}

/** The sequence number of the ledger entry up to which all ended orders have their inbox messages. */
export async function notifiedUpTo(reader: Reader): Promise<number> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_fill_cursor')
    .select('sequence')
    .executeTakeFirstOrThrow();
  return wholeNumber(row.sequence);
}

/** Advances the cursor that `notifiedUpTo` returns; never moves it back. */
export async function advanceNotifiedUpTo({ store }: Database, sequence: number): Promise<void> {
  await store
    .withTables<SpotTables>()
    .updateTable('spot_fill_cursor')
    .set({ sequence: BigInt(sequence) })
    .where('sequence', '<', BigInt(sequence))
    .execute();
}

/**
 * The ended orders with fills among `orders` and the orders of `trades`, without orders of icebergs, chase orders and
 * grids and without orders of unknown pairs. `wasMaker`: the order was the maker of one of these trades.
 */
export async function endedWithFills(
  reader: Reader,
  { trades, orders }: { readonly trades: readonly TradeId[]; readonly orders: readonly OrderId[] },
  pairOf: (symbol: string) => Pair | undefined,
): Promise<{ order: SpotOrder; wasMaker: boolean }[]> {
  const sides =
    trades.length === 0
      ? []
      : await reader
          .withTables<SpotTables>()
          .selectFrom('spot_trade')
          .select(['maker_order', 'taker_order'])
          .where('id', 'in', trades)
          .execute();
  const makers = new Set(sides.map(({ maker_order: maker }) => maker));
  const ids = new Set([...orders, ...makers, ...sides.map(({ taker_order: taker }) => taker)]);
  if (ids.size === 0) return [];
  const rows = await ordersWithTerms(reader)
    .selectAll()
    .where('id', 'in', [...ids])
    .where('status', '<>', 'open')
    .where('filled_amount', '>', '0')
    .where(sql<boolean>`not exists (select from spot_iceberg_slice where order_id = spot_order.id)`)
    .where(sql<boolean>`not exists (select from spot_grid_order where order_id = spot_order.id)`)
    .where(sql<boolean>`not exists (select from spot_chase where order_id = spot_order.id)`)
    .execute();
  return rows.flatMap((row) => {
    const pair = pairOf(row.symbol);
    return pair === undefined ? [] : [{ order: orderOf(row, row, () => pair), wasMaker: makers.has(row.id) }];
  });
}

/**
 * The sums of the fees that each of `owners` paid as taker and as maker on trades of the period [from, to), by owner,
 * pair and asset (`isBase`: the pair's base coin, otherwise its quote coin).
 */
export async function feesOf(
  reader: Reader,
  owners: readonly UserId[],
  from: Instant,
  to: Instant,
): Promise<{ owner: UserId; symbol: string; isBase: boolean; fee: Decimal }[]> {
  if (owners.length === 0) return [];
  const within = sql`at >= ${from}::bigint and at < ${to}::bigint`;
  const { rows } = await sql<{ owner: UserId; symbol: string; base: boolean; fee: string }>`
    select owner, symbol, base, sum(fee)::text as fee from (
      select taker as owner, symbol, taker_side = 'buy' as base, taker_fee as fee from spot_trade
      where taker = any(${owners}::uuid[]) and ${within}
      union all
      select maker, symbol, taker_side = 'sell', maker_fee from spot_trade
      where maker = any(${owners}::uuid[]) and ${within}
    ) as paid group by 1, 2, 3
  `.execute(reader);
  return rows.map(({ owner, symbol, base, fee }) => ({
    owner,
    symbol,
    isBase: base,
    fee: Decimal.parse(fee),
  }));
}

/** The coins of a pair by its symbol. */
type CoinsOf = (symbol: string) => Pick<Pair, 'base' | 'quote'>;

/**
 * The record sources of orders and fills: operators search orders and open them, and users' timelines show orders and
 * fills.
 */
export function spotRecords(reader: Reader, coinsOf: CoinsOf): readonly RecordSource[] {
  const nameOf = (symbol: string) => {
    const { base, quote } = coinsOf(symbol);
    return `${base}/${quote}`;
  };
  return [
    recordsOfTable(reader, {
      kind: 'order',
      table: 'spot_order',
      at: 'created_at',
      columns: [
        'symbol',
        'side',
        'type',
        'price',
        'amount',
        'total',
        'filled_amount',
        'filled_total',
        'fee',
        'held',
        'held_asset',
        'status',
        'reason',
        'time_in_force',
        'post_only',
        'client_id',
        'created_at',
        'updated_at',
      ],
      times: ['created_at', 'updated_at'],
      describe: ({ symbol = '', side, type = '', price, amount, total, status }) => ({
        event: `${side === 'buy' ? 'Buy' : 'Sell'} ${wordsOf(type)} ${nameOf(symbol)}${price === '' ? '' : ` at ${price}`}`,
        amount: amount === '' ? total : amount,
        asset: amount === '' ? coinsOf(symbol).quote : coinsOf(symbol).base,
        status,
      }),
    }),
    { kind: 'fill', page: (owner, range) => fillRecords(reader, owner, range, coinsOf) },
  ];
}

/** A type of order in words: `stopMarket` becomes `stop market`. */
function wordsOf(type: string): string {
  return type.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const FILL_CURSOR = /^(\d{1,15})_(\d{1,18})$/;

/**
 * At most `limit` fills of an account, newest first; an invalid `before` counts as none. Fills as taker and fills as
 * maker are read by separate indexes.
 */
async function fillRecords(
  reader: Reader,
  owner: UserId,
  { before, from, to, limit }: RecordRange,
  coinsOf: CoinsOf,
): Promise<readonly RecordRow[]> {
  const [, at, sequence] = FILL_CURSOR.exec(before ?? '') ?? [];
  const bounds = sql.join(
    [
      sql`true`,
      ...(at === undefined ? [] : [sql`(at, sequence) < (${at}::bigint, ${sequence}::bigint)`]),
      ...(from === undefined ? [] : [sql`at >= ${from}::bigint`]),
      ...(to === undefined ? [] : [sql`at <= ${to}::bigint`]),
    ],
    sql` and `,
  );
  const ofSide = (side: 'taker' | 'maker') => sql`
    (select id::text, sequence::text, at::text, symbol, price::text, amount::text, total::text,
      ${sql.ref(`${side}_fee`)}::text as fee, ${sql.ref(`${side}_order`)}::text as order, ${side}::text as role,
      (taker_side = 'buy') = (${side}::text = 'taker') as is_buy
    from spot_trade where ${sql.ref(side)} = ${owner}::uuid and ${bounds}
    order by ${sql.ref(`spot_trade.at`)} desc, ${sql.ref('spot_trade.sequence')} desc limit ${limit})`;
  const { rows } = await sql<Record<string, string> & { is_buy: boolean }>`
    select * from (${ofSide('taker')} union all ${ofSide('maker')}) fills
    order by at::bigint desc, sequence::bigint desc limit ${limit}
  `.execute(reader);
  return rows.map(({ is_buy: isBuy, ...row }) => fillRow(owner, row, isBuy, coinsOf));
}

function fillRow(
  owner: UserId,
  row: Readonly<Record<string, string>>,
  isBuy: boolean,
  coinsOf: CoinsOf,
): RecordRow {
  const { id = '', at = '', sequence = '', symbol = '', ...values } = row;
  const { base, quote } = coinsOf(symbol);
  const detail = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, plainNumber(value)]),
  );
  return recordRow({
    id,
    owner,
    at: wholeNumber(BigInt(at)),
    cursor: `${at}_${sequence}`,
    event: `${isBuy ? 'Bought' : 'Sold'} ${base}/${quote} at ${detail['price']}`,
    amount: detail['amount'],
    asset: base,
    detail: { symbol, ...detail },
  });
}
