import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { TAX_CURRENCY, type TaxPeriod } from '@exchange/core/tax.ts';
import { sql, type Selectable } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import {
  ListOrder,
  mapPage,
  readPage,
  type ListPage,
  type PagedRows,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { TaxEvent } from './domain/tax-events.ts';
import { eventOfRow, taxTables, type EnteredCost } from './tax-books-repository.ts';
import type { TaxTables } from './tables.ts';

/** Queries of the screens and files about a user's tax years. */

const NEWEST_FIRST = new ListOrder([
  { name: 'at', type: 'bigint' },
  { name: 'entry', type: 'bigint' },
  { name: 'asset', type: 'text' },
]);
const NEWEST_LOTS = new ListOrder([{ name: 'lot', type: 'bigint' }]);

const decimalOrNone = (text: string | null): Decimal | undefined =>
  text === null ? undefined : Decimal.parse(text);

const accountOrNone = (id: string | null): UserId | undefined => (id ?? undefined) as UserId | undefined;

/**
 * Calendar years in which a user's coins changed according to the books, newest first; years without a change are
 * missing.
 */
export async function yearsOf(reader: Reader, owner: UserId): Promise<number[]> {
  const rows = await taxTables(reader)
    .selectFrom('tax_year')
    .select('year')
    .distinct()
    .where('owner', '=', owner)
    .orderBy('year', 'desc')
    .execute();
  return rows.map(({ year }) => year);
}

/** Key of a tax event: the number of its ledger entry, and its coin. */
export interface EventKey {
  readonly entry: number;
  readonly asset: string;
}

/** A disposal with the ledger entry that caused it and its cost by both methods. */
export interface DisposalRow extends EventKey {
  /** The sub-account from which the coins left; undefined for the main account. */
  readonly account: UserId | undefined;
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  readonly amount: Decimal;
  readonly proceeds: Decimal | undefined;
  readonly fifoCosted: Decimal;
  readonly fifoCost: Decimal;
  readonly averageCosted: Decimal;
  readonly averageCost: Decimal;
}

type DisposalColumns = Selectable<TaxTables['tax_disposal']> &
  Pick<Selectable<TaxTables['tax_event']>, 'account' | 'kind' | 'reference'>;

/**
 * The query of a user's disposals within a period: trades and losses, but no transfers, and only those that are
 * completely matched with lots; `asset` limits it to one coin.
 */
function disposalsIn(reader: Reader, owner: UserId, period: TaxPeriod, asset: string | undefined) {
  return taxTables(reader)
    .selectFrom('tax_disposal')
    .innerJoin('tax_event', (join) =>
      join
        .onRef('tax_event.owner', '=', 'tax_disposal.owner')
        .onRef('tax_event.entry', '=', 'tax_disposal.entry')
        .onRef('tax_event.asset', '=', 'tax_disposal.asset'),
    )
    .selectAll('tax_disposal')
    .select(['tax_event.account', 'tax_event.kind', 'tax_event.reference'])
    .where('tax_disposal.owner', '=', owner)
    .where(sql<boolean>`tax_disposal.category <> 'transfer'`)
    .where('tax_disposal.at', '>=', BigInt(period.from))
    .where('tax_disposal.at', '<', BigInt(period.until))
    .where(sql<boolean>`tax_disposal.matched = tax_disposal.amount`)
    .where(asset === undefined ? sql<boolean>`true` : sql<boolean>`tax_disposal.asset = ${asset}`);
}

function disposalOf(row: DisposalColumns): DisposalRow {
  return {
    entry: wholeNumber(row.entry),
    asset: row.asset,
    account: accountOrNone(row.account),
    at: wholeNumber(row.at),
    kind: row.kind,
    reference: row.reference,
    amount: Decimal.parse(row.amount),
    proceeds: decimalOrNone(row.proceeds),
    fifoCosted: Decimal.parse(row.fifo_costed),
    fifoCost: Decimal.parse(row.fifo_cost),
    averageCosted: Decimal.parse(row.average_costed),
    averageCost: Decimal.parse(row.average_cost),
  };
}

/** A page of the disposals that `disposalsIn` selects, newest first; only those of `asset` if it is set. */
export async function disposalsPage(
  reader: Reader,
  owner: UserId,
  { period, asset }: { readonly period: TaxPeriod; readonly asset: string | undefined },
  page: PagedRows,
): Promise<ListPage<DisposalRow>> {
  const rows = await readPage(reader, disposalsIn(reader, owner, period, asset), NEWEST_FIRST, page);
  return mapPage(rows, disposalOf);
}

/**
 * At most `limit` disposals of a period, oldest first: the next ones after `after`, or the first ones if it is undefined.
 */
export async function disposalsAfter(
  reader: Reader,
  owner: UserId,
  period: TaxPeriod,
  {
    after,
    limit,
  }: { readonly after: (EventKey & { readonly at: number }) | undefined; readonly limit: number },
): Promise<DisposalRow[]> {
  const rows = await disposalsIn(reader, owner, period, undefined)
    .where(
      after === undefined
        ? sql<boolean>`true`
        : sql<boolean>`(tax_disposal.at, tax_disposal.entry, tax_disposal.asset)
            > (${after.at}::bigint, ${after.entry}::bigint, ${after.asset})`,
    )
    .orderBy('tax_disposal.at')
    .orderBy('tax_disposal.entry')
    .orderBy('tax_disposal.asset')
    .limit(limit)
    .execute();
  return rows.map(disposalOf);
}

/**
 * Part of a lot that a disposal used up, with the data of the lot and of the ledger entry by which its coins arrived.
 */
export interface UseRow {
  /** Number of the ledger entry of the disposal. */
  readonly entry: number;
  readonly asset: string;
  readonly lot: number;
  readonly amount: Decimal;
  readonly cost: Decimal | undefined;
  readonly lotAmount: Decimal;
  readonly acquiredAt: number;
  readonly arrivedAt: number;
  /** The sub-account in which the lot arrived; undefined for the main account. */
  readonly account: UserId | undefined;
  readonly kind: string;
  readonly reference: string | null;
}

interface UseColumns {
  readonly entry: bigint;
  readonly asset: string;
  readonly lot: bigint;
  readonly amount: string;
  readonly cost: string | null;
  readonly lot_amount: string;
  readonly acquired_at: bigint;
  readonly at: bigint;
  readonly account: string | null;
  readonly kind: string;
  readonly reference: string | null;
}

function usesWith(owner: UserId) {
  return sql<UseColumns>`
    select used.entry, used.asset, used.lot, used.amount, used.cost, lot.amount as lot_amount, lot.acquired_at,
      arrival.at, arrival.account, arrival.kind, arrival.reference
    from tax_use used
    join tax_lot lot on lot.owner = used.owner and lot.asset = used.asset and lot.entry = used.lot
    join tax_event arrival
      on arrival.owner = used.owner and arrival.entry = used.lot and arrival.asset = used.asset
    where used.owner = ${owner}`;
}

function useOf(row: UseColumns): UseRow {
  return {
    entry: wholeNumber(row.entry),
    asset: row.asset,
    lot: wholeNumber(row.lot),
    amount: Decimal.parse(row.amount),
    cost: decimalOrNone(row.cost),
    lotAmount: Decimal.parse(row.lot_amount),
    acquiredAt: wholeNumber(row.acquired_at),
    arrivedAt: wholeNumber(row.at),
    account: accountOrNone(row.account),
    kind: row.kind,
    reference: row.reference,
  };
}

/** A page of the parts of lots that a disposal used up, the newest lot first. */
export async function lotsPage(
  reader: Reader,
  owner: UserId,
  { entry, asset }: EventKey,
  page: PagedRows,
): Promise<ListPage<UseRow>> {
  const uses = sql<UseColumns>`${usesWith(owner)} and used.entry = ${entry}::bigint and used.asset = ${asset}`;
  return mapPage(await readPage(reader, uses, NEWEST_LOTS, page), useOf);
}

/** At most `limit` lots of a disposal after the lot `after`, oldest first. */
export async function lotsAfter(
  reader: Reader,
  owner: UserId,
  { entry, asset }: EventKey,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<UseRow[]> {
  const { rows } = await sql<UseColumns>`
    ${usesWith(owner)} and used.entry = ${entry}::bigint and used.asset = ${asset} and used.lot > ${after}::bigint
    order by used.lot limit ${limit}`.execute(reader);
  return rows.map(useOf);
}

/**
 * Coins that arrived at a user from outside the person's accounts, e.g. by a deposit, with the cost that the
 * user entered for them; transfers between accounts of the person are not included.
 */
export interface ArrivalRow extends EventKey {
  /** The sub-account to which the coins were transferred; undefined for the main account. */
  readonly account: UserId | undefined;
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  readonly amount: Decimal;
  readonly entered: EnteredCost | undefined;
}

interface ArrivalColumns {
  readonly entry: bigint;
  readonly asset: string;
  readonly account: string | null;
  readonly at: bigint;
  readonly kind: string;
  readonly reference: string | null;
  readonly amount: string;
  readonly cost: string | null;
  readonly acquired_at: bigint | null;
}

function arrivals(owner: UserId) {
  return sql<ArrivalColumns>`
    select arrival.entry, arrival.asset, arrival.account, arrival.at, arrival.kind, arrival.reference, arrival.amount, entered.cost,
      entered.acquired_at
    from tax_event arrival
    left join tax_cost entered
      on entered.owner = arrival.owner and entered.entry = arrival.entry and entered.asset = arrival.asset
    where arrival.owner = ${owner} and arrival.category = 'transfer' and arrival.amount > 0
      and arrival.asset <> ${TAX_CURRENCY}`;
}

function arrivalOf(row: ArrivalColumns): ArrivalRow {
  return {
    entry: wholeNumber(row.entry),
    asset: row.asset,
    account: accountOrNone(row.account),
    at: wholeNumber(row.at),
    kind: row.kind,
    reference: row.reference,
    amount: Decimal.parse(row.amount),
    entered:
      row.cost === null || row.acquired_at === null
        ? undefined
        : { cost: Decimal.parse(row.cost), acquiredAt: wholeNumber(row.acquired_at) },
  };
}

/** A page of the coins that arrived at a user from outside the person's accounts, newest first. */
export async function arrivalsPage(
  reader: Reader,
  owner: UserId,
  page: PagedRows,
): Promise<ListPage<ArrivalRow>> {
  return mapPage(await readPage(reader, arrivals(owner), NEWEST_FIRST, page), arrivalOf);
}

/**
 * The arrival of a coin by a ledger entry, e.g. a deposit; undefined if the entry brought the user none of
 * the coin from outside the person's accounts.
 */
export async function findArrival(
  reader: Reader,
  owner: UserId,
  { entry, asset }: EventKey,
): Promise<ArrivalRow | undefined> {
  const { rows } = await sql<ArrivalColumns>`
    ${arrivals(owner)} and arrival.entry = ${entry}::bigint and arrival.asset = ${asset}`.execute(reader);
  return rows[0] && arrivalOf(rows[0]);
}

/** Number of costs that a user has entered. */
export async function countEntered(reader: Reader, owner: UserId): Promise<number> {
  const { count } = await taxTables(reader)
    .selectFrom('tax_cost')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Stores the cost that a user entered for the coins of one tax event, replacing one entered earlier for this
 * event.
 */
export async function saveEntered(
  tx: Tx,
  owner: UserId,
  { entry, asset }: EventKey,
  { cost, acquiredAt }: EnteredCost,
  now: number,
): Promise<void> {
  await taxTables(tx)
    .insertInto('tax_cost')
    .values({
      owner,
      entry: BigInt(entry),
      asset,
      cost: cost.toString(),
      acquired_at: BigInt(acquiredAt),
      changed_at: BigInt(now),
    })
    .onConflict((conflict) =>
      conflict.columns(['owner', 'entry', 'asset']).doUpdateSet((eb) => ({
        cost: eb.ref('excluded.cost'),
        acquired_at: eb.ref('excluded.acquired_at'),
        changed_at: eb.ref('excluded.changed_at'),
      })),
    )
    .execute();
}

/** Stores the time zone of a user's tax years, replacing an earlier one. */
export async function saveZone(tx: Tx, owner: UserId, zone: string, now: number): Promise<void> {
  await taxTables(tx)
    .insertInto('tax_zone')
    .values({ owner, zone, changed_at: BigInt(now) })
    .onConflict((conflict) =>
      conflict
        .column('owner')
        .doUpdateSet((eb) => ({ zone: eb.ref('excluded.zone'), changed_at: eb.ref('excluded.changed_at') })),
    )
    .execute();
}

export async function deleteEntered(tx: Tx, owner: UserId, { entry, asset }: EventKey): Promise<void> {
  await taxTables(tx)
    .deleteFrom('tax_cost')
    .where('owner', '=', owner)
    .where('entry', '=', BigInt(entry))
    .where('asset', '=', asset)
    .execute();
}

/**
 * The next tax events of a period after `after`, or the first ones if it is undefined, ordered by time, ledger entry
 * and coin; at most `limit`. A full page may end between two events of one ledger entry.
 */
export async function eventsAfter(
  reader: Reader,
  owner: UserId,
  period: TaxPeriod,
  {
    after,
    limit,
  }: { readonly after: (EventKey & { readonly at: number }) | undefined; readonly limit: number },
): Promise<TaxEvent[]> {
  const rows = await taxTables(reader)
    .selectFrom('tax_event')
    .selectAll()
    .where('owner', '=', owner)
    .where('at', '>=', BigInt(period.from))
    .where('at', '<', BigInt(period.until))
    .where(
      after === undefined
        ? sql<boolean>`true`
        : sql<boolean>`(at, entry, asset) > (${after.at}::bigint, ${after.entry}::bigint, ${after.asset})`,
    )
    .orderBy('at')
    .orderBy('entry')
    .orderBy('asset')
    .limit(limit)
    .execute();
  return rows.map(eventOfRow);
}
