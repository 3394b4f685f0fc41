import type { CoinCost } from '@exchange/core/cost.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { sql } from 'kysely';
import type { Tx, Reader, Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { PortfolioTables } from './tables.ts';

/** The coin in which the cost basis is measured; it has no cost basis itself. */
const UNCOUNTED = 'USDT';

/** Up to which of the user's ledger entries the books (cost basis and realized gains) have been computed. */
export interface BookPosition {
  /** Number of the newest ledger entry that the user's cost basis and books of gains contain. */
  readonly entry: number;
  /**
   * Number of the newest ledger entry whose events are stored in `tax_event`; not less than `entry`, because
   * events are stored before the books contain them.
   */
  readonly ingested: number;
  /**
   * Whether rows of books that were discarded after a change of a cost or time zone are still being deleted; counting
   * starts after that.
   */
  readonly isClearing: boolean;
}

/**
 * Returns the position of a user's books, and locks it until the transaction ends. For a user without books,
 * it first stores the position before the first ledger entry.
 */
export async function lockPosition(tx: Tx, owner: UserId): Promise<BookPosition> {
  const db = tx.withTables<PortfolioTables>();
  await db
    .insertInto('portfolio_cost_position')
    .values({
      owner,
      entry: 0n,
      ingested: 0n,
      is_clearing: false,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('portfolio_cost_position')
    .selectAll()
    .where('owner', '=', owner)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return {
    entry: wholeNumber(row.entry),
    ingested: wholeNumber(row.ingested),
    isClearing: row.is_clearing,
  };
}

/**
 * Stores up to which ledger entries a user's books are computed, in the row that `lockPosition` has inserted.
 */
export async function savePosition(
  tx: Tx,
  owner: UserId,
  { entry, ingested, isClearing }: BookPosition,
): Promise<void> {
  await tx
    .withTables<PortfolioTables>()
    .updateTable('portfolio_cost_position')
    .set({ entry: BigInt(entry), ingested: BigInt(ingested), is_clearing: isClearing })
    .where('owner', '=', owner)
    .execute();
}

/** Deletes a user's cost basis, which is then counted again from the start. */
export async function deleteCosts(tx: Tx, owner: UserId): Promise<void> {
  await tx.withTables<PortfolioTables>().deleteFrom('portfolio_cost').where('owner', '=', owner).execute();
}

/**
 * Deletes the stored counting positions of owners whose books were deleted before. Needs no limit, because each owner
 * has one row.
 */
export async function deletePositions(tx: Tx, owners: readonly UserId[]): Promise<void> {
  await sql`delete from portfolio_cost_position where owner = any(${owners}::uuid[])`.execute(tx);
}

/** Number of the newest ledger entry that is part of the user's cost basis; 0 if none is. */
export async function positionOf(reader: Reader, owner: UserId): Promise<number> {
  const row = await reader
    .withTables<PortfolioTables>()
    .selectFrom('portfolio_cost_position')
    .select('entry')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row === undefined ? 0 : wholeNumber(row.entry);
}

/** The cost basis of a user's coins, by coin. */
export async function costsOf(tx: Reader, owner: UserId): Promise<Map<string, CoinCost>> {
  const rows = await tx
    .withTables<PortfolioTables>()
    .selectFrom('portfolio_cost')
    .selectAll()
    .where('owner', '=', owner)
    .execute();
  return new Map(
    rows.map(({ asset, amount, cost, realized, uncosted }) => [
      asset,
      {
        amount: Decimal.parse(amount),
        cost: Decimal.parse(cost),
        realized: Decimal.parse(realized),
        uncosted: Decimal.parse(uncosted),
      },
    ]),
  );
}

/** Stores the cost basis of those of a user's coins that `costs` contains; other coins remain unchanged. */
export async function storeCosts(tx: Tx, owner: UserId, costs: ReadonlyMap<string, CoinCost>): Promise<void> {
  const rows = [...costs].map(([asset, { amount, cost, realized, uncosted }]) => ({
    owner,
    asset,
    amount: amount.toString(),
    cost: cost.toString(),
    realized: realized.toString(),
    uncosted: uncosted.toString(),
  }));
  if (rows.length === 0) return;
  await tx
    .withTables<PortfolioTables>()
    .insertInto('portfolio_cost')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['owner', 'asset']).doUpdateSet((eb) => ({
        amount: eb.ref('excluded.amount'),
        cost: eb.ref('excluded.cost'),
        realized: eb.ref('excluded.realized'),
        uncosted: eb.ref('excluded.uncosted'),
      })),
    )
    .execute();
}

/** A coin whose amount in the cost basis differs from the balances of the owner's accounts. */
export interface CostDifference {
  readonly owner: UserId;
  readonly asset: string;
  readonly held: string;
  readonly counted: string;
}

/**
 * Whether the database has books of persons; an audit may run before an older version is migrated, whose books did not
 * include sub-accounts.
 */
export async function hasCosts(reader: Reader): Promise<boolean> {
  const { rows } = await sql<{ present: boolean }>`
    select exists (
      select from pg_attribute where attrelid = to_regclass('tax_event') and attname = 'account' and not attisdropped
    ) as present`.execute(reader);
  return rows[0]?.present === true;
}

/**
 * Compares the next `limit` owners of books after `behind`. Returns the coins whose amount in the cost basis
 * differs from the balance after the last counted entry, by the statements of the main account and all its
 * sub-accounts. `last` is the last of these owners, even if it was left out of the comparison; undefined if
 * no owner is left.
 */
export async function costDifferences(
  reader: Reader,
  behind: string,
  limit: number,
): Promise<{ readonly different: readonly CostDifference[]; readonly last: string | undefined }> {
  // A cost basis may include ledger entries that are not in the statement yet; owners with such a cost basis are not
  // compared.
  const { rows } = await sql<{ last: string | null; different: readonly CostDifference[] | null }>`
    with page as materialized (
      select owner, entry from portfolio_cost_position where owner > ${behind}::uuid order by owner limit ${limit}
    ), compared as (
      select owner, entry from page
      where entry <= (select sequence from ledger_movement_cursor)
        and not exists (select from sub_account where sub_account.id = page.owner)
    ), included as (
      select owner, owner as account_owner, entry from compared
      union all
      select compared.owner, sub_account.id, compared.entry
      from compared join sub_account on sub_account.master = compared.owner
    ), held as (
      select included.owner, a.asset, sum(latest.balance) as amount
      from included join ledger_account a on a.owner = included.account_owner
      cross join lateral (
        select balance from ledger_movement m where m.account = a.id and m.entry <= included.entry
        order by m.entry desc, m.posting desc limit 1
      ) as latest
      where a.asset not like '%:%' and a.asset <> ${UNCOUNTED}
      group by included.owner, a.asset
    ), counted as (
      select cost.owner, cost.asset, cost.amount + cost.uncosted as amount
      from compared join portfolio_cost cost on cost.owner = compared.owner
    ), different as (
      select owner, asset, trim_scale(coalesce(held.amount, 0))::text as held,
        trim_scale(coalesce(counted.amount, 0))::text as counted
      from held full join counted using (owner, asset)
      where coalesce(held.amount, 0) <> coalesce(counted.amount, 0)
    )
    select (select max(owner::text) from page) as last,
      (select json_agg(different order by owner, asset) from different) as different
  `.execute(reader);
  const [row] = rows;
  return { different: row?.different ?? [], last: row?.last ?? undefined };
}

/** Total value of a user in USDT at the end of a UTC day; `day` is the number of days since 1970-01-01. */
export interface DayValue {
  readonly day: number;
  readonly total: Decimal;
  /** Number of the last ledger entry that the total value includes. */
  readonly entry: number;
  /**
   * Net inflow into the account (deposits, funding by the exchange, corrections and transfers from the
   * person's other accounts, minus withdrawals and transfers to them) since the user's previous stored value,
   * in USDT at the prices of the time of this value. Undefined if it was not stored.
   */
  readonly netDeposits: Decimal | undefined;
}

/** A user's stored total values of `day` and the following days, oldest first. */
export async function valuesSince(reader: Reader, owner: UserId, day: number): Promise<DayValue[]> {
  const rows = await reader
    .withTables<PortfolioTables>()
    .selectFrom('portfolio_value')
    .selectAll()
    .where('owner', '=', owner)
    .where('day', '>=', day)
    .orderBy('day')
    .execute();
  return rows.map(dayValueOf);
}

/**
 * The latest stored total value of each of the given users of a day before `day`, in USDT; users without one
 * are omitted.
 */
export async function lastValues(
  reader: Reader,
  owners: readonly UserId[],
  day: number,
): Promise<ReadonlyMap<UserId, DayValue>> {
  const rows = await reader
    .withTables<PortfolioTables>()
    .selectFrom('portfolio_value')
    .distinctOn('owner')
    .selectAll()
    .where(sql<boolean>`owner = any(${owners}::uuid[])`)
    .where('day', '<', day)
    .orderBy('owner')
    .orderBy('day', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.owner as UserId, dayValueOf(row)]));
}

function dayValueOf(row: PortfolioTables['portfolio_value']): DayValue {
  return {
    day: row.day,
    total: Decimal.parse(row.total),
    entry: wholeNumber(row.entry),
    netDeposits: row.net_deposits === null ? undefined : Decimal.parse(row.net_deposits),
  };
}

/** Stores users' total values of a day; existing values are not replaced. */
export async function storeValues(
  store: Store,
  values: readonly (DayValue & { readonly owner: UserId })[],
): Promise<void> {
  if (values.length === 0) return;
  await store
    .withTables<PortfolioTables>()
    .insertInto('portfolio_value')
    .values(
      values.map(({ owner, day, total, entry, netDeposits }) => ({
        owner,
        day,
        total: total.toString(),
        entry: BigInt(entry),
        net_deposits: netDeposits?.toString() ?? null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes users' total values of days before `day`. */
export async function deleteValuesBefore(store: Store, day: number): Promise<void> {
  await store.withTables<PortfolioTables>().deleteFrom('portfolio_value').where('day', '<', day).execute();
}
