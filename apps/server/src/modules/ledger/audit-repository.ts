import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Reader } from '../../platform/database/database.ts';
import { type RawBuilder, sql } from 'kysely';
import { ISSUE, type AuditProblem, type StoredEntry } from './domain.ts';
import { everything, type Scope } from '../../platform/database/scope.ts';
import type { LedgerTables } from './tables.ts';

export const ENTRIES_PAGE = 5_000;

/**
 * Query of a product's open holds; the holds of all products together must equal the frozen and locked balances of each
 * user.
 */
export interface HoldSource {
  readonly name: string;
  /**
   * Name of the table that contains the holds. If the database lacks the table, for example because it is a backup of
   * an earlier version, the product counts as having no holds.
   */
  readonly table: string;
  /**
   * A `select` of owner (uuid), asset (text) and amount (numeric) of all open holds of the owners in scope.
   * It should use an index by owner that excludes closed holds. The database aggregates and compares the
   * rows.
   */
  openHolds(scope: Scope): RawBuilder<unknown>;
  /**
   * Tokens that this source's product, e.g. token sales, has issued so far: one row per issue, with its id,
   * asset and amount. Absent for a product that issues none.
   */
  issued?(reader: Reader): Promise<{ issue: string; asset: string; amount: string }[]>;
}

/**
 * An asset that the exchange issues: the origins of its world accounts (names of networks, or `issue`) in the
 * order in which the accounts were opened, and the issued amount in units of the asset, as decimal text.
 */
export interface IssuedAsset {
  readonly asset: string;
  readonly origins: readonly string[];
  readonly issued: string;
}

export async function issuedAssets(reader: Reader): Promise<IssuedAsset[]> {
  const { rows } = await sql<IssuedAsset>`
    select asset, array_agg(substring(address from '[^:]+$') order by id) as origins,
      coalesce(-sum(balance) filter (where address like ${`%:${ISSUE}`}), 0)::text as issued
    from ledger_account
    where owner is null and asset in (
      select asset from ledger_account where owner is null and address like ${`world:%:${ISSUE}`}
    ) and address like 'world:%'
    group by asset
  `.execute(reader);
  return rows;
}

/**
 * Greatest number of problems of the same coin that one audit query reports. The limit applies to each coin, so that
 * every coin with a problem is reported and halted.
 */
export const NAMED_PER_COIN = 20;

/** Problems by audit rule M2: assets in which the balances of all accounts together are not zero. */
export async function conservationProblems(reader: Reader): Promise<AuditProblem[]> {
  const sums = await sql<{ asset: string; total: string }>`
    select asset, sum(balance)::text as total from ledger_account group by asset having sum(balance) <> 0
  `.execute(reader);
  return sums.rows.map(({ asset, total }) => sumProblem(asset, total));
}

/** The problem by audit rule M2 of an asset in which the balances of all accounts sum to `total` instead of zero. */
export function sumProblem(asset: string, total: string): AuditProblem {
  return { invariant: 'M2', asset, detail: `all accounts sum to ${total}` };
}

/**
 * Problems by audit rule M3: accounts with a negative balance, at most `NAMED_PER_COIN` per coin. World
 * accounts, which mirror balances outside the exchange, may be negative.
 */
export async function signProblems(reader: Reader, accounts: Scope = everything): Promise<AuditProblem[]> {
  const negative = await sql<{ asset: string; address: string; balance: string }>`
    select asset, address, balance::text from (
      select *, row_number() over (partition by asset) as nth from ledger_account
      where balance < 0 and address not like 'world:%' and ${accounts('id')}
    ) as negative where nth <= ${NAMED_PER_COIN}
  `.execute(reader);
  return negative.rows.map(({ asset, address, balance }) => ({
    invariant: 'M3',
    asset,
    detail: `${address} has ${balance}`,
  }));
}

/** Returns the names among `tables` that exist in the database. */
async function presentTables(reader: Reader, tables: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${tables}::text[]) as name where to_regclass(name) is not null`.execute(reader);
  return new Set(rows.map(({ name }) => name));
}

/**
 * Problems by audit rule M4: users whose frozen and locked balances in an asset, added together, differ from the sum of
 * their open holds. At most `NAMED_PER_COIN` users per asset.
 */
export async function holdProblems(
  reader: Reader,
  sources: readonly HoldSource[],
  owners: Scope = everything,
): Promise<(AuditProblem & { readonly owner: string })[]> {
  const present = await presentTables(
    reader,
    sources.map(({ table }) => table),
  );
  const queries = sources
    .filter(({ table }) => present.has(table))
    .map((source) => sql`(${source.openHolds(owners)})`);
  const holds =
    queries.length === 0
      ? sql`select null::uuid as owner, ''::text as asset, 0::numeric as amount where false`
      : sql.join(queries, sql` union all `);
  const different = await sql<{ owner: string; asset: string; frozen: string; held: string }>`
    with hold (owner, asset, amount) as (${holds}),
    held as (select owner, asset, sum(amount) as total from hold group by owner, asset),
    frozen as (
      select owner, asset, sum(balance) as total from ledger_account
      where owner is not null and ${owners('owner')}
        and (address like '%:frozen' or address like '%:locked') and balance <> 0
      group by owner, asset
    )
    select owner, asset, frozen, held from (
      select coalesce(frozen.owner, held.owner)::text as owner, coalesce(frozen.asset, held.asset) as asset,
        trim_scale(coalesce(frozen.total, 0))::text as frozen, trim_scale(coalesce(held.total, 0))::text as held,
        row_number() over (partition by coalesce(frozen.asset, held.asset)) as nth
      from frozen full join held on held.owner = frozen.owner and held.asset = frozen.asset
      where coalesce(frozen.total, 0) <> coalesce(held.total, 0)
    ) as different where nth <= ${NAMED_PER_COIN}
  `.execute(reader);
  return different.rows.map(({ owner, asset, frozen, held }) => ({
    invariant: 'M4',
    asset,
    owner,
    detail: `${owner} has ${frozen} frozen and locked, the open holds say ${held}`,
  }));
}

export async function entriesAfter(
  reader: Reader,
  sequence: number,
  limit: number = ENTRIES_PAGE,
): Promise<{ entry: StoredEntry; hash: string }[]> {
  const rows = await reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_entry')
    .select(['sequence', 'at', 'kind', 'reference', 'hash'])
    .select([
      sql<string>`array_to_string(sources, ',')`.as('sources'),
      sql<string>`array_to_string(destinations, ',')`.as('destinations'),
      sql<string>`array_to_string(array(select trim_scale(a) from unnest(amounts) with ordinality as u(a, n) order by n), ',')`.as(
        'amounts',
      ),
    ])
    .where('sequence', '>', BigInt(sequence))
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    hash: row.hash.toString('hex'),
    entry: {
      sequence: wholeNumber(row.sequence),
      at: wholeNumber(row.at),
      kind: row.kind,
      reference: row.reference,
      sources: row.sources.split(',').map(wholeNumber),
      destinations: row.destinations.split(',').map(wholeNumber),
      amounts: row.amounts.split(','),
    },
  }));
}

/**
 * Problems by audit rule M6: accounts whose stored balance differs from the sum of their postings, and postings of
 * accounts that are not stored. Reads all postings.
 */
export async function recomputedProblems(reader: Reader): Promise<AuditProblem[]> {
  const wrong = await sql<{
    asset: string | null;
    account: string;
    stored: string | null;
    posted: string | null;
  }>`
    with posting as (
      select unnest(sources) as account, -unnest(amounts) as amount from ledger_entry
      union all
      select unnest(destinations), unnest(amounts) from ledger_entry
    ), posted as (select account, sum(amount) as total from posting group by account)
    select asset, account, stored, posted from (
      select a.asset, coalesce(a.id, p.account)::text as account, a.balance::text as stored,
        p.total::text as posted, row_number() over (partition by a.asset) as nth
      from ledger_account a full join posted p on p.account = a.id
      where coalesce(a.balance, 0) <> coalesce(p.total, 0) or a.id is null
    ) as different where nth <= ${NAMED_PER_COIN}
  `.execute(reader);
  return wrong.rows.map(({ asset, account, stored, posted }) => ({
    invariant: 'M6',
    asset: asset ?? undefined,
    detail: `account ${account} has ${stored}, its postings say ${posted}`,
  }));
}

/** The stored balances of all ledger accounts, in the order of account ids. */
export async function everyBalance(
  reader: Reader,
): Promise<{ id: bigint; address: string; asset: string; balance: string }[]> {
  return reader
    .withTables<LedgerTables>()
    .selectFrom('ledger_account')
    .select(['id', 'address', 'asset', sql<string>`trim_scale(balance)::text`.as('balance')])
    .orderBy('id')
    .execute();
}

export function atomsOf(numeric: string): bigint {
  const [whole = '0', fraction = ''] = numeric.split('.');
  return BigInt(whole + fraction.padEnd(18, '0').slice(0, 18));
}
