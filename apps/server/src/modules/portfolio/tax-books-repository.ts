import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DEFAULT_TAX_ZONE, type TaxMethod, type TaxSection } from '@exchange/core/tax.ts';
import { sql, type Selectable } from 'kysely';
import { tablesOf, type Reader, type Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Lot, LotUse } from './domain/lots.ts';
import type { TaxCategory, TaxEvent, ValueSource } from './domain/tax-events.ts';
import type { SectionTotals, YearTotals } from './domain/tax-totals.ts';
import { deletePositions } from './repository.ts';
import type { TaxTables } from './tables.ts';

/**
 * Starts a query of the tables of users' books of gains. The query runs on the connection or in the
 * transaction that the caller passes.
 */
export const taxTables = tablesOf<TaxTables>();

const decimalOrNone = (text: string | null): Decimal | undefined =>
  text === null ? undefined : Decimal.parse(text);

/** Stores a user's new tax events; events that are stored already stay as they are. */
export async function insertEvents(tx: Tx, owner: UserId, events: readonly TaxEvent[]): Promise<void> {
  if (events.length === 0) return;
  await taxTables(tx)
    .insertInto('tax_event')
    .values(
      events.map(({ value, counter, fee, ...event }) => ({
        owner,
        entry: BigInt(event.entry),
        asset: event.asset,
        at: BigInt(event.at),
        kind: event.kind,
        reference: event.reference,
        category: event.category,
        section: event.section ?? null,
        amount: event.amount.toString(),
        value: value?.value.toString() ?? null,
        value_source: value?.source ?? null,
        counter_asset: counter?.asset ?? null,
        counter_amount: counter?.amount.toString() ?? null,
        fee_asset: fee?.asset ?? null,
        fee_amount: fee?.amount.toString() ?? null,
        fee_value: fee?.value?.toString() ?? null,
        entries: event.entries,
        account: event.account ?? null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function eventOfRow(row: Selectable<TaxTables['tax_event']>): TaxEvent {
  const value = decimalOrNone(row.value);
  const feeAmount = decimalOrNone(row.fee_amount);
  const counterAmount = decimalOrNone(row.counter_amount);
  return {
    entry: wholeNumber(row.entry),
    at: wholeNumber(row.at),
    asset: row.asset,
    kind: row.kind,
    reference: row.reference,
    entries: row.entries,
    account: (row.account ?? undefined) as UserId | undefined,
    category: row.category as TaxCategory,
    section: (row.section ?? undefined) as TaxSection | undefined,
    amount: Decimal.parse(row.amount),
    value: value && { value, source: row.value_source as ValueSource },
    counter: counterAmount && { asset: row.counter_asset!, amount: counterAmount },
    fee: feeAmount && {
      asset: row.fee_asset!,
      amount: feeAmount,
      value: decimalOrNone(row.fee_value),
    },
  };
}

/**
 * A user's stored events of the entries after `after` up to `upTo`, oldest first, at most `limit`. An entry is returned
 * with all its events or not at all. `isLast` is true if these are all events of the range, and false if the limit was
 * reached, so that more may be stored.
 */
export async function storedEventsBetween(
  tx: Tx,
  owner: UserId,
  { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<{ events: TaxEvent[]; isLast: boolean }> {
  const rows = await taxTables(tx)
    .selectFrom('tax_event')
    .selectAll()
    .where('owner', '=', owner)
    .where('entry', '>', BigInt(after))
    .where('entry', '<=', BigInt(upTo))
    .orderBy('entry')
    .orderBy('amount')
    .limit(limit)
    .execute();
  const isLast = rows.length < limit;
  const lastEntry = rows.at(-1)?.entry;
  // The limit may have cut off events of the last entry, so the next call reads this entry again.
  const complete = isLast ? rows : rows.filter((row) => row.entry !== lastEntry);
  return { events: complete.map(eventOfRow), isLast };
}

/** Cost in USDT and time of acquisition in milliseconds UTC that a user entered for coins that were transferred in. */
export interface EnteredCost {
  readonly cost: Decimal;
  readonly acquiredAt: number;
}

/**
 * The costs that a user entered for coins of these ledger entries, by `costKey`; coins without an entered cost are
 * missing.
 */
export async function enteredCosts(
  tx: Tx,
  owner: UserId,
  entries: readonly number[],
): Promise<ReadonlyMap<string, EnteredCost>> {
  if (entries.length === 0) return new Map();
  const rows = await taxTables(tx)
    .selectFrom('tax_cost')
    .selectAll()
    .where('owner', '=', owner)
    .where('entry', 'in', entries.map(BigInt))
    .execute();
  return new Map(
    rows.map((row) => [
      costKey({ entry: wholeNumber(row.entry), asset: row.asset }),
      { cost: Decimal.parse(row.cost), acquiredAt: wholeNumber(row.acquired_at) },
    ]),
  );
}

/** Time zone of a user's tax years, an IANA name: the one that the user has chosen, otherwise UTC. */
export async function zoneOf(reader: Reader, owner: UserId): Promise<string> {
  const row = await taxTables(reader)
    .selectFrom('tax_zone')
    .select('zone')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row?.zone ?? DEFAULT_TAX_ZONE;
}

export function costKey({ entry, asset }: Pick<TaxEvent, 'entry' | 'asset'>): string {
  return `${entry} ${asset}`;
}

/** Lots of a coin with remaining amounts, in the order of their entries, after an entry; at most `limit`. */
export async function openLots(
  tx: Tx,
  owner: UserId,
  asset: string,
  afterEntry: number,
  limit: number,
): Promise<Lot[]> {
  const rows = await taxTables(tx)
    .selectFrom('tax_lot')
    .selectAll()
    .where('owner', '=', owner)
    .where('asset', '=', asset)
    .where('entry', '>', BigInt(afterEntry))
    .where('remaining', '>', '0')
    .orderBy('entry')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    entry: wholeNumber(row.entry),
    acquiredAt: wholeNumber(row.acquired_at),
    amount: Decimal.parse(row.amount),
    remaining: Decimal.parse(row.remaining),
    cost: decimalOrNone(row.cost),
  }));
}

/** Stores new lots and the remaining amounts of stored ones. */
export async function saveLots(
  tx: Tx,
  owner: UserId,
  lots: readonly (Lot & { readonly asset: string })[],
): Promise<void> {
  if (lots.length === 0) return;
  await taxTables(tx)
    .insertInto('tax_lot')
    .values(
      lots.map(({ asset, entry, acquiredAt, amount, remaining, cost }) => ({
        owner,
        asset,
        entry: BigInt(entry),
        acquired_at: BigInt(acquiredAt),
        amount: amount.toString(),
        remaining: remaining.toString(),
        cost: cost?.toString() ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'asset', 'entry'])
        .doUpdateSet((eb) => ({ remaining: eb.ref('excluded.remaining') })),
    )
    .execute();
}

export async function insertUses(
  tx: Tx,
  owner: UserId,
  uses: readonly (LotUse & { readonly entry: number; readonly asset: string })[],
): Promise<void> {
  if (uses.length === 0) return;
  await taxTables(tx)
    .insertInto('tax_use')
    .values(
      uses.map(({ entry, asset, lot, amount, cost }) => ({
        owner,
        entry: BigInt(entry),
        asset,
        lot: BigInt(lot),
        amount: amount.toString(),
        cost: cost?.toString() ?? null,
      })),
    )
    .execute();
}

/**
 * Coins that left a user by one ledger entry, with the cost of the lots matched so far and the cost by the average
 * method.
 */
export interface Disposal {
  readonly entry: number;
  readonly asset: string;
  readonly at: number;
  readonly category: TaxCategory;
  readonly section: TaxSection | undefined;
  readonly amount: Decimal;
  /** Part of the amount that lots cover so far; the disposal is complete when it equals `amount`. */
  readonly matched: Decimal;
  readonly proceeds: Decimal | undefined;
  readonly fifoCosted: Decimal;
  readonly fifoCost: Decimal;
  readonly averageCosted: Decimal;
  readonly averageCost: Decimal;
}

/**
 * The progress of the stored disposals of an entry: how much of each is matched with lots, and the cost of that part.
 * Coins without a stored disposal are missing.
 */
export async function startedDisposals(
  tx: Tx,
  owner: UserId,
  entry: number,
): Promise<Pick<Disposal, 'asset' | 'matched' | 'fifoCosted' | 'fifoCost'>[]> {
  const rows = await taxTables(tx)
    .selectFrom('tax_disposal')
    .select(['asset', 'matched', 'fifo_costed', 'fifo_cost'])
    .where('owner', '=', owner)
    .where('entry', '=', BigInt(entry))
    .execute();
  return rows.map((row) => ({
    asset: row.asset,
    matched: Decimal.parse(row.matched),
    fifoCosted: Decimal.parse(row.fifo_costed),
    fifoCost: Decimal.parse(row.fifo_cost),
  }));
}

/** Stores new disposals and the progress of started ones. */
export async function saveDisposals(tx: Tx, owner: UserId, disposals: readonly Disposal[]): Promise<void> {
  if (disposals.length === 0) return;
  await taxTables(tx)
    .insertInto('tax_disposal')
    .values(
      disposals.map((disposal) => ({
        owner,
        entry: BigInt(disposal.entry),
        asset: disposal.asset,
        at: BigInt(disposal.at),
        category: disposal.category,
        section: disposal.section ?? null,
        amount: disposal.amount.toString(),
        matched: disposal.matched.toString(),
        proceeds: disposal.proceeds?.toString() ?? null,
        fifo_costed: disposal.fifoCosted.toString(),
        fifo_cost: disposal.fifoCost.toString(),
        average_costed: disposal.averageCosted.toString(),
        average_cost: disposal.averageCost.toString(),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['owner', 'entry', 'asset']).doUpdateSet((eb) => ({
        matched: eb.ref('excluded.matched'),
        fifo_costed: eb.ref('excluded.fifo_costed'),
        fifo_cost: eb.ref('excluded.fifo_cost'),
        average_costed: eb.ref('excluded.average_costed'),
        average_cost: eb.ref('excluded.average_cost'),
      })),
    )
    .execute();
}

/**
 * A coin's totals of a calendar year in the user's time zone, by one cost method (first in, first out, or average
 * cost).
 */
export interface CoinYear {
  readonly year: number;
  readonly method: TaxMethod;
  readonly asset: string;
  readonly totals: YearTotals;
}

export function coinYearOfRow(row: Selectable<TaxTables['tax_year']>): CoinYear {
  return {
    year: row.year,
    method: row.method as TaxMethod,
    asset: row.asset,
    totals: {
      quantity: Decimal.parse(row.quantity),
      cost: Decimal.parse(row.cost),
      uncosted: Decimal.parse(row.uncosted),
      acquired: Decimal.parse(row.acquired),
      acquiredCost: Decimal.parse(row.acquired_cost),
      income: Decimal.parse(row.income),
      incomeValue: Decimal.parse(row.income_value),
      arrived: Decimal.parse(row.arrived),
      arrivedCost: Decimal.parse(row.arrived_cost),
      departed: Decimal.parse(row.departed),
      departedCost: Decimal.parse(row.departed_cost),
      disposed: Decimal.parse(row.disposed),
      proceeds: Decimal.parse(row.proceeds),
      disposedCost: Decimal.parse(row.disposed_cost),
      gain: Decimal.parse(row.gain),
      unknownProceeds: Decimal.parse(row.unknown_proceeds),
      fees: Decimal.parse(row.fees),
      unvalued: row.unvalued,
    },
  };
}

/**
 * For each of a user's coins, by the given cost method or, if `method` is undefined, by each of both, the totals of the
 * last year up to `year` in which the coin changed.
 */
export async function latestYears(
  reader: Reader,
  owner: UserId,
  year: number,
  method?: TaxMethod,
): Promise<CoinYear[]> {
  const rows = await taxTables(reader)
    .selectFrom('tax_year')
    .distinctOn(['method', 'asset'])
    .selectAll()
    .where('owner', '=', owner)
    .where('year', '<=', year)
    .where(method === undefined ? sql<boolean>`true` : sql<boolean>`method = ${method}`)
    .orderBy('method')
    .orderBy('asset')
    .orderBy('year', 'desc')
    .execute();
  return rows.map(coinYearOfRow);
}

/** Stores totals of coins; stored totals of the same coin, year and method are replaced. */
export async function saveYears(tx: Tx, owner: UserId, years: readonly CoinYear[]): Promise<void> {
  if (years.length === 0) return;
  const rows = years.map(({ year, method, asset, totals }) => ({
    owner,
    year,
    method,
    asset,
    quantity: totals.quantity.toString(),
    cost: totals.cost.toString(),
    uncosted: totals.uncosted.toString(),
    acquired: totals.acquired.toString(),
    acquired_cost: totals.acquiredCost.toString(),
    income: totals.income.toString(),
    income_value: totals.incomeValue.toString(),
    arrived: totals.arrived.toString(),
    arrived_cost: totals.arrivedCost.toString(),
    departed: totals.departed.toString(),
    departed_cost: totals.departedCost.toString(),
    disposed: totals.disposed.toString(),
    proceeds: totals.proceeds.toString(),
    disposed_cost: totals.disposedCost.toString(),
    gain: totals.gain.toString(),
    unknown_proceeds: totals.unknownProceeds.toString(),
    fees: totals.fees.toString(),
    unvalued: totals.unvalued,
  }));
  await taxTables(tx)
    .deleteFrom('tax_year')
    .where('owner', '=', owner)
    .where(
      sql<boolean>`(year, method, asset) in (select * from unnest(
        ${years.map(({ year }) => year)}::integer[],
        ${years.map(({ method }) => method)}::text[],
        ${years.map(({ asset }) => asset)}::text[]
      ))`,
    )
    .execute();
  await taxTables(tx).insertInto('tax_year').values(rows).execute();
}

/** What a user gained and lost in a coin in a year by one section: a kind of income, or a product. */
export interface SectionYear {
  readonly year: number;
  readonly section: TaxSection;
  readonly asset: string;
  readonly totals: SectionTotals;
}

/**
 * What a user gained and lost by each section and coin in the given years; combinations without an event are missing.
 */
export async function sectionsOfYears(
  reader: Reader,
  owner: UserId,
  years: readonly number[],
): Promise<SectionYear[]> {
  if (years.length === 0) return [];
  const rows = await taxTables(reader)
    .selectFrom('tax_section')
    .selectAll()
    .where('owner', '=', owner)
    .where('year', 'in', years)
    .orderBy('year')
    .orderBy('section')
    .orderBy('asset')
    .execute();
  return rows.map((row) => ({
    year: row.year,
    section: row.section as TaxSection,
    asset: row.asset,
    totals: {
      events: row.events,
      gained: Decimal.parse(row.gained),
      gainedValue: Decimal.parse(row.gained_value),
      lost: Decimal.parse(row.lost),
      lostValue: Decimal.parse(row.lost_value),
      unvalued: row.unvalued,
    },
  }));
}

/** Stores totals of sections; stored totals of the same section, coin and year are replaced. */
export async function saveSections(tx: Tx, owner: UserId, sections: readonly SectionYear[]): Promise<void> {
  if (sections.length === 0) return;
  await taxTables(tx)
    .insertInto('tax_section')
    .values(
      sections.map(({ year, section, asset, totals }) => ({
        owner,
        year,
        section,
        asset,
        events: totals.events,
        gained: totals.gained.toString(),
        gained_value: totals.gainedValue.toString(),
        lost: totals.lost.toString(),
        lost_value: totals.lostValue.toString(),
        unvalued: totals.unvalued,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['owner', 'year', 'section', 'asset']).doUpdateSet((eb) => ({
        events: eb.ref('excluded.events'),
        gained: eb.ref('excluded.gained'),
        gained_value: eb.ref('excluded.gained_value'),
        lost: eb.ref('excluded.lost'),
        lost_value: eb.ref('excluded.lost_value'),
        unvalued: eb.ref('excluded.unvalued'),
      })),
    )
    .execute();
}

/** Deletes all totals of a user, without a limit, because there are few rows per coin and year. */
export async function deleteTotals(tx: Tx, owner: UserId): Promise<void> {
  await taxTables(tx).deleteFrom('tax_year').where('owner', '=', owner).execute();
  await taxTables(tx).deleteFrom('tax_section').where('owner', '=', owner).execute();
}

/**
 * Deletes up to `limit` rows each of a person's lots, lot uses and disposals, and of the stored events of sub-accounts
 * from a version in which sub-accounts had books of their own. Returns false if more may be left.
 */
export async function clearBooks(
  tx: Tx,
  { person, subAccounts }: { readonly person: UserId; readonly subAccounts: readonly UserId[] },
  limit: number,
): Promise<boolean> {
  const owners = [person, ...subAccounts];
  const deleted = await sql<{ count: bigint }>`
    with uses as (
      delete from tax_use where ctid = any(array(
        select ctid from tax_use where owner = any(${owners}::uuid[]) limit ${limit})) returning 1
    ), lots as (
      delete from tax_lot where ctid = any(array(
        select ctid from tax_lot where owner = any(${owners}::uuid[]) limit ${limit})) returning 1
    ), disposals as (
      delete from tax_disposal where ctid = any(array(
        select ctid from tax_disposal where owner = any(${owners}::uuid[]) limit ${limit})) returning 1
    ), events as (
      delete from tax_event where ctid = any(array(
        select ctid from tax_event where owner = any(${subAccounts}::uuid[]) limit ${limit})) returning 1
    )
    select greatest(
      (select count(*) from uses), (select count(*) from lots), (select count(*) from disposals),
      (select count(*) from events)
    ) as count
  `.execute(tx);
  const isCleared = wholeNumber(deleted.rows[0]?.count ?? 0n) < limit;
  if (isCleared && subAccounts.length > 0) await deletePositions(tx, subAccounts);
  return isCleared;
}
