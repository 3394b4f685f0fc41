import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { readStoredVersions, type VersionsBelow } from '../../platform/database/kept-versions.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { nextCredit, type ByLocale, type MiningOrder, type Product } from './domain.ts';
import type { MiningTables } from './tables.ts';

const tables = tablesOf<MiningTables>();

/**
 * This file reads and writes products and orders, mostly for steps of the sequencer. Each function runs on the
 * connection or in the transaction of the reader that it receives.
 */

const toInstant = (value: bigint): Instant => instant(wholeNumber(value));

/** All mining products, oldest first; publication limits their number. */
export async function everyProduct(reader: Reader): Promise<Product[]> {
  const query = tables(reader).selectFrom('mining_product').selectAll().orderBy('id');
  return (await query.execute()).map(productOf);
}

export async function productsByIds(reader: Reader, ids: readonly string[]): Promise<Product[]> {
  const query = tables(reader)
    .selectFrom('mining_product')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`);
  return (await query.execute()).map(productOf);
}

/** The mining product with this id or this code; undefined if there is none. */
export async function findProduct(
  reader: Reader,
  key: { readonly id: string } | { readonly code: string },
): Promise<Product | undefined> {
  const [[column, value]] = Object.entries(key) as [['id' | 'code', string]];
  const row = await tables(reader)
    .selectFrom('mining_product')
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
  const source = { versions: 'mining_product_version', things: 'mining_product', of: 'product' };
  return readStoredVersions(reader, source, code, range);
}

/** The total daily income of all orders that have days which are not credited yet, by coin of the products. */
export async function runningIncome(reader: Reader): Promise<ReadonlyMap<string, Decimal>> {
  const { rows } = await sql<{ asset: string; daily: string }>`
    select asset, sum(running_income)::text as daily from mining_product group by asset
  `.execute(reader);
  return new Map(rows.map(({ asset, daily }) => [asset, Decimal.parse(daily)]));
}

/**
 * Inserts a new mining product, or changes an existing one to its next version; stores the version with its author and
 * reason.
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
    cycle: terms.cycle,
    daily_rate: terms.dailyRate.toString(),
    start_amount: terms.startAmount.toString(),
    max_amount: terms.maxAmount.toString(),
    capacity: terms.capacity.toString(),
    opens_at: BigInt(terms.opensAt),
    closes_at: terms.closesAt === undefined ? null : BigInt(terms.closesAt),
    agreement_version: terms.agreementVersion,
  };
  await tables(store)
    .insertInto('mining_product')
    .values({ id, code, running_income: '0', ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
  const versionColumns = { terms: JSON.stringify({ code, ...terms }), set_by: by, reason, at: BigInt(now) };
  await tables(store)
    .insertInto('mining_product_version')
    .values({ product: id, version, ...versionColumns })
    .execute();
}

/**
 * Inserts a new mining order, stores that its owner accepted the agreement, and adds the order's daily income to the
 * product's `running_income`, the sum over orders with days that are not credited yet.
 */
export async function insertOrder(
  store: Store,
  order: MiningOrder,
  details: {
    readonly version: number;
    readonly origin: string | undefined;
    readonly agreementVersion: string;
  },
): Promise<void> {
  const boughtAt = BigInt(order.boughtAt);
  await tables(store)
    .insertInto('mining_order')
    .values({
      id: order.id,
      owner: order.owner,
      product: order.product,
      product_version: details.version,
      asset: order.asset,
      principal: order.principal.toString(),
      cycle: order.cycle,
      daily_rate: order.dailyRate.toString(),
      daily_income: order.dailyIncome.toString(),
      bought_at: boughtAt,
      start_at: BigInt(order.startAt),
      end_at: BigInt(order.endAt),
      days_credited: 0,
      next_at: BigInt(nextCredit(order)!),
      redeemed_at: null,
      origin: details.origin ?? null,
    })
    .execute();
  await tables(store)
    .insertInto('mining_agreement')
    .values({ owner: order.owner, version: details.agreementVersion, at: boughtAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await sql`
    update mining_product set running_income = running_income + ${order.dailyIncome.toString()}
    where id = ${order.product}
  `.execute(store);
}

/** The mining orders with these ids, in the given order; unknown ids are left out. */
export async function ordersByIds(reader: Reader, ids: readonly string[]): Promise<MiningOrder[]> {
  const orders = await ordersById(reader, ids);
  return ids.flatMap((id) => orders.get(id) ?? []);
}

export async function ordersById(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MiningOrder>> {
  if (ids.length === 0) return new Map();
  const rows = await tables(reader)
    .selectFrom('mining_order')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, orderOf(row)]));
}

/**
 * The order with this `origin`, the unique key of an order that the exchange placed itself; undefined if
 * there is none.
 */
export async function orderOfOrigin(reader: Reader, origin: string): Promise<MiningOrder | undefined> {
  const query = tables(reader).selectFrom('mining_order').selectAll().where('origin', '=', origin);
  const row = await query.executeTakeFirst();
  return row && orderOf(row);
}

/**
 * Stores the income of the next day of each of these mining orders in one statement, and advances the orders. Subtracts
 * the daily income of orders whose last day is now credited from `running_income` of their products. The statement
 * fails if the income of one of these days is stored already.
 */
export async function creditDay(reader: Reader, ids: readonly string[], now: Instant): Promise<void> {
  await sql`
    with moved as (
      update mining_order set
        days_credited = days_credited + 1,
        next_at = case when days_credited + 1 < cycle then next_at + ${DAY_MS}::bigint end
      where id = any(${ids}::uuid[])
      returning id, owner, product, daily_income, days_credited as day, cycle, start_at
    ), ended as (
      update mining_product p set running_income = running_income - e.daily
      from (select product, sum(daily_income) as daily from moved where day = cycle group by product) e
      where p.id = e.product
    )
    insert into mining_income (order_id, day, owner, earned_on, amount, at)
    select id, day, owner, start_at + (day - 1) * ${DAY_MS}::bigint, daily_income, ${now}::bigint from moved
  `.execute(reader);
}

export async function saveRedeemed(reader: Reader, id: string, now: Instant): Promise<void> {
  await sql`update mining_order set redeemed_at = ${now}::bigint where id = ${id}`.execute(reader);
}

/** Stores notices to owners of mining orders, which a job sends later. */
export async function enqueueNotices(
  store: Store,
  notices: readonly (Pick<Selectable<MiningTables['mining_notice']>, 'id' | 'kind'> & {
    readonly order: MiningOrder;
    readonly amount: Decimal;
  })[],
  now: Instant,
): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map(({ id, kind, order, amount }) => ({
    id,
    kind,
    owner: order.owner,
    order_id: order.id,
    amount: amount.toString(),
    at: BigInt(now),
  }));
  await tables(store).insertInto('mining_notice').values(rows).execute();
}

/**
 * Source of the principals of mining orders that are not redeemed, and of the used parts of the users'
 * limits, which the reconciliation and the audit compare with the users' locked balances.
 */
export const miningHolds = { name: 'mining', table: 'mining_order', openHolds };

/** The principals of mining orders that are not redeemed, and the parts of the users' limits that these orders use. */
function openHolds(owners: Scope): RawBuilder<unknown> {
  return sql`
    select owner, asset, principal as amount from mining_order where redeemed_at is null and ${owners('owner')}
    union all
    select owner, 'limit:' || product, principal from mining_order where redeemed_at is null and ${owners('owner')}
  `;
}

function productOf(row: Selectable<MiningTables['mining_product']>): Product {
  return {
    id: row.id,
    code: row.code,
    version: row.version,
    asset: row.asset,
    cycle: row.cycle,
    name: row.name as ByLocale,
    source: row.source as ByLocale,
    dailyRate: Decimal.parse(row.daily_rate),
    startAmount: Decimal.parse(row.start_amount),
    maxAmount: Decimal.parse(row.max_amount),
    capacity: Decimal.parse(row.capacity),
    agreementVersion: row.agreement_version,
    opensAt: toInstant(row.opens_at),
    closesAt: row.closes_at === null ? undefined : toInstant(row.closes_at),
  };
}

export function orderOf(row: Selectable<MiningTables['mining_order']>): MiningOrder {
  return {
    id: row.id,
    owner: row.owner as UserId,
    product: row.product,
    asset: row.asset,
    cycle: row.cycle,
    principal: Decimal.parse(row.principal),
    dailyRate: Decimal.parse(row.daily_rate),
    dailyIncome: Decimal.parse(row.daily_income),
    boughtAt: toInstant(row.bought_at),
    startAt: toInstant(row.start_at),
    endAt: toInstant(row.end_at),
    daysCredited: row.days_credited,
    redeemedAt: row.redeemed_at === null ? undefined : toInstant(row.redeemed_at),
  };
}
