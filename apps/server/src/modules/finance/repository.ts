import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { readStoredVersions, type VersionsBelow } from '../../platform/database/kept-versions.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { payModeOf, type ByLocale, type FinanceOrder, type Product } from './domain.ts';
import type { FinanceTables } from './tables.ts';

const tables = tablesOf<FinanceTables>();

/**
 * This file reads and writes products and orders, mostly for steps of the sequencer. Each function runs on
 * the connection or in the transaction of the reader that it receives.
 */

const HOSTING = 1;
const COMPLETED = 2;

const toInstant = (value: bigint): Instant => instant(wholeNumber(value));

/** All fixed-term products, oldest first; publication limits their number. */
export async function everyProduct(reader: Reader): Promise<Product[]> {
  const query = tables(reader).selectFrom('finance_product').selectAll().orderBy('id');
  return (await query.execute()).map(productOf);
}

export async function productsByIds(reader: Reader, ids: readonly string[]): Promise<Product[]> {
  const query = tables(reader)
    .selectFrom('finance_product')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`);
  return (await query.execute()).map(productOf);
}

/** The fixed-term product with this id or this code; undefined if there is none. */
export async function findProduct(
  reader: Reader,
  key: { readonly id: string } | { readonly code: string },
): Promise<Product | undefined> {
  const [[column, value]] = Object.entries(key) as [['id' | 'code', string]];
  const row = await tables(reader)
    .selectFrom('finance_product')
    .selectAll()
    .where(column, '=', value)
    .executeTakeFirst();
  return row && productOf(row);
}

/**
 * The published versions of the terms of the product with this code, newest first: at most `limit`, with
 * version numbers below `before`.
 */
export function productVersions(reader: Reader, code: string, range: VersionsBelow) {
  const source = { versions: 'finance_product_version', things: 'finance_product', of: 'product' };
  return readStoredVersions(reader, source, code, range);
}

/** The total daily interest of all orders that have days which are not accrued yet, by coin of the products. */
export async function runningInterest(reader: Reader): Promise<ReadonlyMap<string, Decimal>> {
  const rows = await tables(reader)
    .selectFrom('finance_product')
    .select(['asset', ({ fn }) => fn.sum<string>('running_interest').as('daily')])
    .groupBy('asset')
    .execute();
  return new Map(rows.map(({ asset, daily }) => [asset, Decimal.parse(daily)]));
}

/**
 * Inserts a new fixed-term product, or changes an existing one to its next version; stores the version with its author
 * and reason.
 */
export async function saveProduct(
  store: Store,
  product: Product,
  { by, reason, now }: { readonly by: string; readonly reason: string; readonly now: Instant },
): Promise<void> {
  const { id, code, version, ...terms } = product;
  const columns = {
    version,
    name: JSON.stringify(terms.name),
    source: JSON.stringify(terms.source),
    asset: terms.asset,
    period: terms.period,
    daily_rate: terms.dailyRate.toString(),
    start_amount: terms.startAmount.toString(),
    max_amount: terms.maxAmount.toString(),
    capacity: terms.capacity.toString(),
    pay_mode: terms.payMode,
    is_manual: terms.isManual,
    opens_at: BigInt(terms.opensAt),
    closes_at: terms.closesAt === undefined ? null : BigInt(terms.closesAt),
    agreement_version: terms.agreementVersion,
  };
  await tables(store)
    .insertInto('finance_product')
    .values({ id, code, running_interest: '0', ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
  const versionColumns = { terms: JSON.stringify({ code, ...terms }), set_by: by, reason, at: BigInt(now) };
  await tables(store)
    .insertInto('finance_product_version')
    .values({ product: id, version, ...versionColumns })
    .execute();
}

/**
 * Inserts a new fixed-term order, stores that its owner accepted the agreement, and adds the order's daily interest to
 * the product's `running_interest`, the sum over orders with days that are not accrued yet.
 */
export async function insertOrder(
  store: Store,
  order: FinanceOrder,
  details: {
    readonly version: number;
    readonly origin: string | undefined;
    readonly agreementVersion: string;
  },
): Promise<void> {
  await tables(store)
    .insertInto('finance_order')
    .values({
      id: order.id,
      owner: order.owner,
      product: order.product,
      product_version: details.version,

      asset: order.asset,
      principal: order.principal.toString(),
      daily_rate: order.dailyRate.toString(),
      daily_interest: order.dailyInterest.toString(),
      period: order.period,
      pay_mode: order.payMode,
      is_manual: order.isManual,
      bought_at: BigInt(order.boughtAt),
      start_at: BigInt(order.startAt),
      end_at: BigInt(order.endAt),
      days_accrued: 0,
      next_at: BigInt(order.startAt + DAY_MS),
      status: HOSTING,
      closed_at: null,
      origin: details.origin ?? null,
    })
    .execute();
  await tables(store)
    .insertInto('finance_agreement')
    .values({ owner: order.owner, version: details.agreementVersion, at: BigInt(order.boughtAt) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tables(store)
    .updateTable('finance_product')
    .set({ running_interest: sql`running_interest + ${order.dailyInterest.toString()}` })
    .where('id', '=', order.product)
    .execute();
}

/** The fixed-term orders with these ids, in the given order; unknown ids are left out. */
export async function ordersByIds(reader: Reader, ids: readonly string[]): Promise<FinanceOrder[]> {
  const orders = await ordersById(reader, ids);
  return ids.flatMap((id) => orders.get(id) ?? []);
}

export async function ordersById(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FinanceOrder>> {
  if (ids.length === 0) return new Map();
  const rows = await tables(reader)
    .selectFrom('finance_order')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, orderOf(row)]));
}

/**
 * The order with this `origin`, the unique key of an order that the exchange itself placed; undefined if there is none.
 */
export async function orderOfOrigin(reader: Reader, origin: string): Promise<FinanceOrder | undefined> {
  const row = await tables(reader)
    .selectFrom('finance_order')
    .selectAll()
    .where('origin', '=', origin)
    .executeTakeFirst();
  return row && orderOf(row);
}

/**
 * Stores the interest of the next days of fixed-term orders in one statement, and advances the orders. Subtracts the
 * daily interest of orders whose last day is now accrued from `running_interest` of their products. The statement fails
 * if the interest of one of these days is stored already.
 */
export async function creditDays(
  reader: Reader,
  credited: readonly { readonly id: string; readonly days: number }[],
  now: Instant,
): Promise<void> {
  await sql`
    with given as (
      select * from unnest(${credited.map(({ id }) => id)}::uuid[], ${credited.map(({ days }) => days)}::int[]) as g(id, days)
    ), moved as (
      update finance_order o set
        days_accrued = days_accrued + g.days,
        next_at = case when days_accrued + g.days < period then next_at + g.days * ${DAY_MS}::bigint end
      from given g where o.id = g.id
      returning o.id, o.owner, o.product, o.daily_interest, o.days_accrued, o.period, o.start_at, g.days
    ), ended as (
      update finance_product p set running_interest = running_interest - e.daily
      from (select product, sum(daily_interest) as daily from moved where days_accrued = period group by product) e
      where p.id = e.product
    )
    insert into finance_income (order_id, day, owner, earned_on, amount, at)
    select id, day, owner, start_at + (day - 1) * ${DAY_MS}::bigint, daily_interest, ${now}::bigint
    from moved cross join lateral generate_series(days_accrued - days + 1, days_accrued) as day
  `.execute(reader);
}

export async function completeOrders(reader: Reader, ids: readonly string[], now: Instant): Promise<void> {
  await sql`update finance_order set status = ${COMPLETED}, closed_at = ${now}::bigint where id = any(${ids}::uuid[])`.execute(
    reader,
  );
}

/** Stores notices to owners of fixed-term orders, which a job sends later. */
export async function enqueueNotices(
  reader: Reader,
  notices: readonly (Pick<Selectable<FinanceTables['finance_notice']>, 'id' | 'kind' | 'order_id'> & {
    readonly owner: string;
    readonly amount: Decimal;
  })[],
  now: Instant,
): Promise<void> {
  if (notices.length === 0) return;
  await sql`
    insert into finance_notice (id, owner, order_id, kind, amount, at)
    select *, ${now}::bigint from unnest(
      ${notices.map(({ id }) => id)}::uuid[], ${notices.map(({ owner }) => owner)}::uuid[],
      ${notices.map(({ order_id }) => order_id)}::uuid[], ${notices.map(({ kind }) => kind)}::text[],
      ${notices.map(({ amount }) => amount.toString())}::numeric[]
    )
  `.execute(reader);
}

/**
 * Source of the principals of running fixed-term orders, and of the used parts of the users' limits, which the
 * reconciliation and the audit compare with the users' locked balances.
 */
export const financeHolds = { name: 'finance', table: 'finance_order', openHolds };

/**
 * SQL query of the amounts that users' running fixed-term orders hold: one row with the principal and one
 * with the used part of the limit per order. The ledger's audit compares them with the locked balances.
 */
function openHolds(owners: Scope): RawBuilder<unknown> {
  // The status is a literal in the SQL text, because PostgreSQL would not use a partial index for a status passed as a
  // parameter.
  const isHosting = sql<boolean>`status = ${sql.lit(HOSTING)}`;
  return sql`
    select owner, asset, principal as amount from finance_order where ${isHosting} and ${owners('owner')}
    union all
    select owner, 'limit:' || product, principal from finance_order where ${isHosting} and ${owners('owner')}
  `;
}

function productOf(row: Selectable<FinanceTables['finance_product']>): Product {
  return {
    id: row.id,
    code: row.code,
    version: row.version,
    asset: row.asset,
    period: row.period,
    name: row.name as ByLocale,
    source: row.source as ByLocale,
    isManual: row.is_manual,
    dailyRate: Decimal.parse(row.daily_rate),
    payMode: payModeOf(row.pay_mode),
    startAmount: Decimal.parse(row.start_amount),
    maxAmount: Decimal.parse(row.max_amount),
    capacity: Decimal.parse(row.capacity),
    agreementVersion: row.agreement_version,
    opensAt: toInstant(row.opens_at),
    closesAt: row.closes_at === null ? undefined : toInstant(row.closes_at),
  };
}

export function orderOf(row: Selectable<FinanceTables['finance_order']>): FinanceOrder {
  return {
    id: row.id,
    owner: row.owner as UserId,
    product: row.product,
    asset: row.asset,
    period: row.period,
    principal: Decimal.parse(row.principal),
    dailyRate: Decimal.parse(row.daily_rate),
    dailyInterest: Decimal.parse(row.daily_interest),
    payMode: payModeOf(row.pay_mode),

    isManual: row.is_manual,
    boughtAt: toInstant(row.bought_at),
    startAt: toInstant(row.start_at),
    endAt: toInstant(row.end_at),
    daysAccrued: row.days_accrued,
    status: row.status === HOSTING ? 'hosting' : 'completed',
    closedAt: row.closed_at === null ? undefined : toInstant(row.closed_at),
  };
}
