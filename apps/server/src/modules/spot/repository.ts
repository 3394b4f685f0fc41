import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, TradeId, UserId } from '@exchange/core/ids.ts';
import type { Pair, PairStatus, Side } from '@exchange/core/pair.ts';
import type { OrderType, TimeInForce } from '@exchange/core/spot.ts';
import { instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { EndReason, OrderState, SpotOrder } from './order-domain.ts';
import type { SpotTables, SpotTrade } from './tables.ts';

type PairOf = (symbol: string) => Pair;

export interface OrderFilter {
  readonly symbols?: readonly string[] | undefined;
  readonly side?: Side | undefined;
  readonly type?: OrderType | undefined;
  readonly states?: readonly OrderState[] | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** A user's side of a trade. */
export interface OwnFill extends SpotTrade {
  readonly role: 'maker' | 'taker';
}

/** All open orders, in the order of their time priority. */
export async function openOrders(reader: Reader, pairOf: PairOf): Promise<SpotOrder[]> {
  const rows = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_order')
    .selectAll()
    .where('status', '=', 'open')
    .orderBy('symbol')
    .orderBy('rank')
    .execute();
  return rows.map((row) => orderOf(row, pairOf));
}

export async function pairStatuses(reader: Reader): Promise<Map<string, PairStatus>> {
  const rows = await reader.withTables<SpotTables>().selectFrom('spot_pair_status').selectAll().execute();
  return new Map(rows.map(({ symbol, status }) => [symbol, status as PairStatus]));
}

export async function lastTradeSequence(reader: Reader): Promise<number> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_trade')
    .select(({ fn }) => fn.max('sequence').as('sequence'))
    .executeTakeFirst();
  return wholeNumber(row?.sequence ?? 0);
}

/** Trades behind a sequence number, oldest first. */
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

export async function findOrder(
  reader: Reader,
  owner: UserId,
  id: string,
  pairOf: PairOf,
): Promise<SpotOrder | undefined> {
  const row = await reader
    .withTables<SpotTables>()
    .selectFrom('spot_order')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row === undefined ? undefined : orderOf(row, pairOf);
}

/** A user's orders, newest first, and how many there are. */
export async function ordersOf(
  reader: Reader,
  owner: UserId,
  filter: OrderFilter,
  page: Page,
  pairOf: PairOf,
): Promise<{ list: SpotOrder[]; total: number }> {
  let query = reader.withTables<SpotTables>().selectFrom('spot_order').where('owner', '=', owner);
  if (filter.symbols !== undefined) query = query.where('symbol', 'in', filter.symbols);
  if (filter.side !== undefined) query = query.where('side', '=', filter.side);
  if (filter.type !== undefined) query = query.where('type', '=', filter.type);
  if (filter.states !== undefined) query = query.where('status', 'in', filter.states);
  if (filter.from !== undefined) query = query.where('created_at', '>=', BigInt(filter.from));
  if (filter.to !== undefined) query = query.where('created_at', '<=', BigInt(filter.to));
  const [rows, counted] = await Promise.all([
    query.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute(),
    query.select(({ fn }) => fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { list: rows.map((row) => orderOf(row, pairOf)), total: wholeNumber(counted.count) };
}

/** A user's fills, newest first, and how many there are; those of one order when named. */
export async function fillsOf(
  reader: Reader,
  owner: UserId,
  filter: OrderFilter & { orderId?: string },
  page: Page,
): Promise<{ list: OwnFill[]; total: number }> {
  const conditions = [sql`(t.taker = ${owner} or t.maker = ${owner})`];
  if (filter.orderId !== undefined)
    conditions.push(sql`(t.taker_order = ${filter.orderId} or t.maker_order = ${filter.orderId})`);
  if (filter.symbols !== undefined) conditions.push(sql`t.symbol = any(${filter.symbols}::text[])`);
  if (filter.side !== undefined) conditions.push(sql`(t.taker_side = ${filter.side}) = (t.taker = ${owner})`);
  if (filter.from !== undefined) conditions.push(sql`t.at >= ${filter.from}`);
  if (filter.to !== undefined) conditions.push(sql`t.at <= ${filter.to}`);
  const where = sql.join(conditions, sql` and `);
  const [rows, counted] = await Promise.all([
    sql<Selectable<SpotTables['spot_trade']>>`
      select t.* from spot_trade t where ${where} order by t.sequence desc limit ${page.limit} offset ${page.offset}
    `.execute(reader),
    sql<{ count: bigint }>`select count(*) as count from spot_trade t where ${where}`.execute(reader),
  ]);
  const list = rows.rows.map((row): OwnFill => ({
    ...tradeOf(row),
    role: row.taker === owner ? 'taker' : 'maker',
  }));
  return { list, total: wholeNumber(counted.rows[0]?.count ?? 0) };
}

/** What a user has traded since an instant, in USDT, as maker and as taker. */
export async function tradedValue(reader: Reader, owner: UserId, since: number): Promise<Decimal> {
  const found = await sql<{ value: string }>`
    select coalesce(sum(value_usdt), 0)::text as value from (
      select value_usdt from spot_trade where taker = ${owner} and at >= ${since}
      union all
      select value_usdt from spot_trade where maker = ${owner} and at >= ${since}
    ) traded
  `.execute(reader);
  return Decimal.parse(found.rows[0]!.value);
}

/** What is held for open orders, per owner and asset: the ledger's audit compares it with what is frozen. */
export async function openHolds(reader: Reader): Promise<{ owner: string; asset: string; amount: string }[]> {
  return reader
    .withTables<SpotTables>()
    .selectFrom('spot_order')
    .select(['owner', 'held_asset as asset', sql<string>`sum(held)::text`.as('amount')])
    .where('status', '=', 'open')
    .groupBy(['owner', 'held_asset'])
    .execute();
}

function orderOf(row: Selectable<SpotTables['spot_order']>, pairOf: PairOf): SpotOrder {
  return {
    id: row.id as OrderId,
    owner: row.owner as UserId,
    pair: pairOf(row.symbol),
    side: row.side as Side,
    type: row.type as OrderType,
    timeInForce: row.time_in_force as TimeInForce,
    postOnly: row.post_only,
    selfTrade: row.self_trade as SpotOrder['selfTrade'],
    price: decimalOf(row.price),
    amount: decimalOf(row.amount),
    total: decimalOf(row.total),
    heldAsset: row.held_asset,
    makerRate: Decimal.parse(row.maker_rate),
    takerRate: Decimal.parse(row.taker_rate),
    clientId: row.client_id,
    rank: wholeNumber(row.rank),
    createdAt: instant(wholeNumber(row.created_at)),
    filledAmount: Decimal.parse(row.filled_amount),
    filledTotal: Decimal.parse(row.filled_total),
    fee: Decimal.parse(row.fee),
    held: Decimal.parse(row.held),
    state: row.status as OrderState,
    reason: row.reason as EndReason,
    updatedAt: instant(wholeNumber(row.updated_at)),
  };
}

function tradeOf(row: Selectable<SpotTables['spot_trade']>): SpotTrade {
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

function decimalOf(text: string | null): Decimal | undefined {
  return text === null ? undefined : Decimal.parse(text);
}
