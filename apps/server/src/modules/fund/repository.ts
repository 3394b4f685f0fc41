import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { tablesOf, type Reader, type Store } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { readStoredVersions, type VersionsBelow } from '../../platform/database/kept-versions.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import {
  liquidationPrice,
  STATUSES,
  watchPrice,
  type ByLocale,
  type Fund,
  type FundTerms,
  type Position,
  type Sell,
} from './domain.ts';
import type { FundTables } from './tables.ts';

const tables = tablesOf<FundTables>();

/**
 * This file reads and writes funds, positions, sell orders, daily costs and notices, mostly for steps of the
 * sequencer. Each function runs on the connection or in the transaction of the reader that it receives.
 */

const toInstant = (value: bigint): Instant => instant(wholeNumber(value));
const optionalInstant = (value: bigint | null) => (value === null ? undefined : toInstant(value));
const optionalDecimal = (value: string | null) => (value === null ? undefined : Decimal.parse(value));

/** All funds, oldest first; publication limits their number. */
export async function everyFund(reader: Reader): Promise<Fund[]> {
  const rows = await tables(reader).selectFrom('fund_product').selectAll().orderBy('id').execute();
  return rows.map((row) => fundOf(row));
}

/** The fund with this id or this code; undefined if there is none. */
export async function findFund(
  reader: Reader,
  key: { readonly id: string } | { readonly code: string },
): Promise<Fund | undefined> {
  const query = tables(reader).selectFrom('fund_product').selectAll();
  const row = await (
    'id' in key ? query.where('id', '=', key.id) : query.where('code', '=', key.code)
  ).executeTakeFirst();
  return row && fundOf(row);
}

/**
 * The published versions of the terms of the fund with this code, newest first: at most `limit`, with version
 * numbers below `before`.
 */
export function fundVersions(reader: Reader, code: string, range: VersionsBelow) {
  return readStoredVersions(
    reader,
    { versions: 'fund_product_version', things: 'fund_product', of: 'product' },
    code,
    range,
  );
}

/**
 * Total notional value of the open and pending positions of all funds in a coin. The balance of the exchange's fund
 * account in this coin has to cover it.
 */
export async function openNotional(reader: Reader, asset: string): Promise<Decimal> {
  const { rows } = await sql<{ total: string }>`
    select coalesce(sum(open_notional), 0)::text as total from fund_product where asset = ${asset}
  `.execute(reader);
  return Decimal.parse(rows[0]!.total);
}

/** Inserts a new fund, or stores the next version of the terms of an existing fund. */
export async function saveFund(
  store: Store,
  fund: Fund,
  { by, reason, now }: { readonly by: string; readonly reason: string; readonly now: Instant },
): Promise<void> {
  const terms = {
    version: fund.version,
    name: JSON.stringify(fund.name),
    documents: JSON.stringify(fund.documents),
    asset: fund.asset,
    constituents: JSON.stringify(fund.constituents),
    divisor: fund.divisor.toString(),
    leverages: JSON.stringify(fund.leverages),
    min_amount: fund.minAmount.toString(),
    step: fund.step.toString(),
    mmr: fund.mmr.toString(),
    manage_rate: fund.manageRate.toString(),
    finance_rate: fund.financeRate.toString(),
    liq_fee: fund.liqFee.toString(),
    is_open: fund.isOpen,
    closed_at: fund.closedAt === undefined ? null : BigInt(fund.closedAt),
  };
  await tables(store)
    .insertInto('fund_product')
    .values({ id: fund.id, code: fund.code, open_notional: '0', ...terms })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(terms))
    .execute();
  await sql`
    insert into fund_product_version (product, version, terms, set_by, reason, at)
    values (${fund.id}, ${fund.version}, ${JSON.stringify({ ...termsOf(fund), closedAt: fund.closedAt })}::jsonb,
      ${by}, ${reason}, ${now}::bigint)
  `.execute(store);
}

/** The fund positions with these ids, in the given order; unknown ids are left out. */
export async function positionsByIds(reader: Reader, ids: readonly string[]): Promise<Position[]> {
  const rows = await tables(reader)
    .selectFrom('fund_position')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  const positions = new Map(rows.map((row) => [row.id, positionOf(row)]));
  return ids.flatMap((id) => positions.get(id) ?? []);
}

/**
 * The position with this `origin`, the unique key of a position that the exchange itself opened; undefined if there is
 * none.
 */
export async function positionOfOrigin(reader: Reader, origin: string): Promise<Position | undefined> {
  const row = await tables(reader)
    .selectFrom('fund_position')
    .selectAll()
    .where('origin', '=', origin)
    .executeTakeFirst();
  return row && positionOf(row);
}

/** Inserts or updates fund positions, and changes the open notional value of their fund. */
export async function savePositions(
  reader: Reader,
  positions: readonly Position[],
  notional: { readonly fund: string; readonly change: Decimal },
): Promise<void> {
  if (positions.length > 0)
    await sql`
      insert into fund_position select * from jsonb_populate_recordset(null::fund_position, ${JSON.stringify(positions.map((position) => rowOf(position)))}::jsonb)
      on conflict (id) do update set
        quantity = excluded.quantity, buy_price = excluded.buy_price, margin = excluded.margin, costs = excluded.costs,
        notional = excluded.notional, opened_at = excluded.opened_at, closed_at = excluded.closed_at,
        ended_at = excluded.ended_at, liquidation_price = excluded.liquidation_price,
        watch_price = excluded.watch_price, warned = excluded.warned, cost_at = excluded.cost_at,
        status = excluded.status, sale_price = excluded.sale_price, sell_type = excluded.sell_type,
        payout = excluded.payout, fee = excluded.fee, shortfall = excluded.shortfall
    `.execute(reader);
  if (notional.change.isZero()) return;
  await sql`
    update fund_product set open_notional = open_notional + ${notional.change.toString()}::numeric
    where id = ${notional.fund}
  `.execute(reader);
}

/** The open sell orders of the given positions, oldest first. */
export async function openSells(reader: Reader, positions: readonly string[]): Promise<Sell[]> {
  if (positions.length === 0) return [];
  const rows = await tables(reader)
    .selectFrom('fund_sell')
    .selectAll()
    .where(sql<boolean>`position = any(${positions}::uuid[])`)
    .where('status', '=', 0)
    .orderBy('id')
    .execute();
  return rows.map((row) => sellOf(row));
}

export async function findSell(
  reader: Reader,
  id: string,
): Promise<(Sell & { readonly isOpen: boolean }) | undefined> {
  const row = await tables(reader)
    .selectFrom('fund_sell')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...sellOf(row), isOpen: row.status === 0 };
}

export async function insertSell(store: Store, sell: Sell): Promise<void> {
  await tables(store)
    .insertInto('fund_sell')
    .values({
      id: sell.id,
      position: sell.position,
      owner: sell.owner,
      fund: sell.fund,
      status: 0,
      ended_at: null,
      quantity: sell.quantity.toString(),
      price: sell.price?.toString() ?? null,
      accepted_at: BigInt(sell.acceptedAt),
    })
    .execute();
}

export async function endSells(
  reader: Reader,
  ids: readonly string[],
  outcome: 'executed' | 'cancelled',
  now: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  const status = outcome === 'executed' ? 1 : 2;
  await sql`update fund_sell set status = ${status}, ended_at = ${now}::bigint where id = any(${ids}::uuid[])`.execute(
    reader,
  );
}

/** The cost that a fund position was charged for one day, at its 00:00 UTC. */
export interface Cost {
  readonly position: string;
  readonly owner: string;
  readonly day: Instant;
  readonly value: Decimal;
  readonly amount: Decimal;
}

/** Stores the daily costs of fund positions; fails if the cost of one of these days is stored already. */
export async function insertCosts(reader: Reader, costs: readonly Cost[], now: Instant): Promise<void> {
  if (costs.length === 0) return;
  await sql`
    insert into fund_cost (position, day, owner, value, amount, at)
    select *, ${now}::bigint from unnest(
      ${costs.map(({ position }) => position)}::uuid[], ${costs.map(({ day }) => day)}::bigint[],
      ${costs.map(({ owner }) => owner)}::uuid[], ${costs.map(({ value }) => value.toString())}::numeric[],
      ${costs.map(({ amount }) => amount.toString())}::numeric[])
  `.execute(reader);
}

export type NoticeKind = 'bought' | 'cancelled' | 'warned' | 'liquidated' | 'sold' | 'exited';

/** A notice to the owner of a fund position that is to be queued. */
export interface NewNotice {
  readonly id: string;
  readonly owner: string;
  readonly position: string;
  readonly kind: NoticeKind;
  readonly amount: Decimal;
  readonly value: Decimal;
}

export async function enqueueNotices(
  reader: Reader,
  notes: readonly NewNotice[],
  now: Instant,
): Promise<void> {
  if (notes.length === 0) return;
  await sql`
    insert into fund_notice (id, owner, position, kind, amount, value, at)
    select *, ${now}::bigint from unnest(
      ${notes.map(({ id }) => id)}::uuid[], ${notes.map(({ owner }) => owner)}::uuid[],
      ${notes.map(({ position }) => position)}::uuid[], ${notes.map(({ kind }) => kind)}::text[],
      ${notes.map(({ amount }) => amount.toString())}::numeric[],
      ${notes.map(({ value }) => value.toString())}::numeric[])
  `.execute(reader);
}

/**
 * Source of the margins less costs of pending and open fund positions, which the reconciliation and the audit
 * compare with the users' frozen and locked balances.
 */
export const fundHolds = { name: 'fund', table: 'fund_position', openHolds };

function openHolds(owners: Scope): RawBuilder<unknown> {
  return sql`
    select owner, asset, margin - costs as amount from fund_position
    where status in (0, 1) and ${owners('owner')}
  `;
}

export function termsOf({
  id: _,
  version: __,
  closedAt: ___,
  openNotional: ____,
  ...terms
}: Fund): FundTerms {
  return terms;
}

function fundOf(row: Selectable<FundTables['fund_product']>): Fund {
  const constituents = row.constituents as { symbol: string; weight: string }[];
  return {
    id: row.id,
    code: row.code,
    version: row.version,
    asset: row.asset,
    isOpen: row.is_open,
    name: row.name as ByLocale,
    documents: row.documents as FundTerms['documents'],
    constituents: constituents.map(({ symbol, weight }) => ({ symbol, weight: Decimal.parse(weight) })),
    divisor: Decimal.parse(row.divisor),
    leverages: row.leverages as number[],
    minAmount: Decimal.parse(row.min_amount),
    step: Decimal.parse(row.step),
    manageRate: Decimal.parse(row.manage_rate),
    financeRate: Decimal.parse(row.finance_rate),
    mmr: Decimal.parse(row.mmr),
    liqFee: Decimal.parse(row.liq_fee),
    closedAt: optionalInstant(row.closed_at),
    openNotional: Decimal.parse(row.open_notional),
  };
}

export function positionOf(row: Selectable<FundTables['fund_position']>): Position {
  return {
    id: row.id,
    owner: row.owner as UserId,
    fund: row.fund,
    fundVersion: row.fund_version,
    asset: row.asset,
    leverage: row.leverage,
    step: Decimal.parse(row.step),
    manageRate: Decimal.parse(row.manage_rate),
    financeRate: Decimal.parse(row.finance_rate),
    mmr: Decimal.parse(row.mmr),
    liqFee: Decimal.parse(row.liq_fee),
    quantity: Decimal.parse(row.quantity),
    buyPrice: optionalDecimal(row.buy_price) ?? Decimal.zero,
    margin: Decimal.parse(row.margin),
    costs: Decimal.parse(row.costs),
    notional: Decimal.parse(row.notional),
    acceptedAt: toInstant(row.accepted_at),
    openedAt: optionalInstant(row.opened_at),
    closedAt: optionalInstant(row.closed_at),
    endedAt: optionalInstant(row.ended_at),
    warned: row.warned,
    costAt: optionalInstant(row.cost_at),
    status: STATUSES[row.status]!,
    salePrice: optionalDecimal(row.sale_price),
    sellType: row.sell_type === null ? undefined : row.sell_type === 1 ? 1 : 2,
    payout: optionalDecimal(row.payout),
    fee: optionalDecimal(row.fee),
    shortfall: optionalDecimal(row.shortfall),
    parent: row.parent ?? undefined,
    origin: row.origin ?? undefined,
  };
}

function rowOf(position: Position) {
  const { buyPrice, status } = position;
  return {
    id: position.id,
    owner: position.owner,
    fund: position.fund,
    fund_version: position.fundVersion,
    asset: position.asset,
    leverage: position.leverage,
    step: position.step,
    manage_rate: position.manageRate,
    finance_rate: position.financeRate,
    mmr: position.mmr,
    liq_fee: position.liqFee,
    quantity: position.quantity,
    buy_price: position.openedAt === undefined ? undefined : buyPrice,
    margin: position.margin,
    costs: position.costs,
    notional: position.notional,
    accepted_at: position.acceptedAt,
    opened_at: position.openedAt,
    closed_at: position.closedAt,
    ended_at: position.endedAt,
    liquidation_price: liquidationPrice(position),
    watch_price: watchPrice(position),
    warned: position.warned,
    cost_at: position.costAt,
    status: STATUSES.indexOf(status),
    sale_price: position.salePrice,
    sell_type: position.sellType,
    payout: position.payout,
    fee: position.fee,
    shortfall: position.shortfall,
    parent: position.parent,
    origin: position.origin,
  };
}

function sellOf(row: Selectable<FundTables['fund_sell']>): Sell {
  return {
    id: row.id,
    position: row.position,
    owner: row.owner as UserId,
    fund: row.fund,
    quantity: Decimal.parse(row.quantity),
    price: optionalDecimal(row.price),
    acceptedAt: toInstant(row.accepted_at),
  };
}
