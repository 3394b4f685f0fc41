import { accountsOfPart, type StatementPart } from '@exchange/core/accounts.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import {
  ListOrder,
  type ListPage,
  PAGED_ROWS_MAX,
  type PagedRows,
  countUpToMost,
  listPage,
  mapPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Product } from './domain.ts';
import type { LedgerTables } from './tables.ts';

type MovementTables = { ledger_movement: Selectable<LedgerTables['ledger_movement']> };

export interface MovementFilter {
  readonly asset?: string | undefined;
  readonly kind?: string | undefined;
  /** Filter: movements of spot trading, of seconds contracts, or of all other products. */
  readonly group?: StatementPart | undefined;
  /** If true, movements of locked balances are left out; those of frozen balances are included. */
  readonly leavesOutLocked?: boolean | undefined;
  /** If set, only movements of the accounts of these products, including locked balances. */
  readonly products?: readonly Product[] | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface Movement {
  readonly id: string;
  readonly asset: string;
  readonly bucket: string;
  readonly kind: string;
  readonly reference: string | null;
  readonly amount: Decimal;
  /** Balance of the account in `asset` after the movement. */
  readonly balance: Decimal;
  readonly at: number;
  /** Number of movements of a month that are summed in this row; 1 for a single movement. */
  readonly entries: number;
}

/** Sort order of statements: newest first, the reverse of the primary key. */
const BY_ENTRY = new ListOrder([
  { name: 'entry', type: 'bigint' },
  { name: 'posting', type: 'integer' },
  { name: 'account', type: 'bigint' },
]);

/**
 * Number of the ledger entry from which a statement page continues: the entry after which the page starts (`after`),
 * otherwise the entry of the first row of the first page (`anchor`). Undefined for a first page, which has neither
 * cursor.
 */
export function entryOfPage({ anchor, after }: Pick<PagedRows, 'anchor' | 'after'>): number | undefined {
  if (after !== undefined) return wholeNumber(BigInt(BY_ENTRY.read(after, 'after')[0]!));
  return anchor === undefined ? undefined : wholeNumber(BigInt(BY_ENTRY.read(anchor, 'anchor')[0]!));
}

/**
 * A page of a user's movements, newest first; with `isMerged`, entries that are not projected into statements
 * yet are included. If the movement in the page's cursor was replaced by a monthly sum meanwhile, the page
 * starts at the next older movement.
 */
export async function movementsOf(
  reader: Reader,
  owner: UserId,
  filter: MovementFilter,
  page: PagedRows & { readonly isMerged?: boolean },
): Promise<ListPage<Movement>> {
  const from = BY_ENTRY.fromAnchor(page);
  const behind = sql<boolean>`${from} and ${BY_ENTRY.afterPlace(page)}`;
  const within = (place: RawBuilder<boolean>, rows: number) => {
    if (page.isMerged === true) return movementsWithTail(reader, owner, filter).where(place);
    return filter.products === undefined
      ? movementsOfOwner(reader, owner, filter).where(place)
      : movementsOfProducts(reader, owner, filter.products, { filter, place, rows });
  };
  const [rows, total] = await Promise.all([
    newestFirst(within(behind, page.offset + page.limit + 1))
      .limit(page.limit + 1)
      .offset(page.offset)
      .execute(),
    countUpToMost(reader, sql`${within(from, PAGED_ROWS_MAX).select('entry')}`),
  ]);
  return mapPage(listPage(rows, total, BY_ENTRY, page), movementOf);
}

/**
 * A user's movements older than the movement with the id `before`, newest first, at most `limit`; without
 * `before`, the newest movements. With `isMerged`, entries that are not projected into statements yet are
 * included.
 */
export async function movementsBefore(
  reader: Reader,
  owner: UserId,
  filter: MovementFilter,
  { before, limit, isMerged = false }: { before: string | undefined; limit: number; isMerged?: boolean },
): Promise<Movement[]> {
  const query = isMerged ? movementsWithTail(reader, owner, filter) : movementsOfOwner(reader, owner, filter);
  const [entry, posting, account] = (before ?? '').split('-');
  const isOlder = sql<boolean>`(entry, posting, account) < (${entry}, ${posting}, ${account})`;
  const behind = before === undefined ? query : query.where(isOlder);
  const rows = await newestFirst(behind).limit(limit).execute();
  return rows.map(movementOf);
}

/** The changes of the balances of one person's accounts, the main account and its sub-accounts, by one ledger entry. */
export interface EntryChanges {
  readonly entry: number;
  readonly at: number;
  /** Greatest number of movements that one statement row of this entry sums up; 1 if no row is a monthly sum. */
  readonly entries: number;
  readonly kind: string;
  readonly reference: string | null;
  /** Those of the requested owners whose balances the entry moved. */
  readonly owners: ReadonlySet<UserId>;
  /**
   * By coin: sum of the entry's changes over all balances of the requested owners; zero for coins that only
   * moved between these balances.
   */
  readonly changes: ReadonlyMap<string, Decimal>;
}

/** A row of a movement, as the query in `changesAfter` returns it. */
interface ChangeRow {
  readonly owner: UserId;
  readonly entry: bigint;
  readonly at: bigint;
  readonly entries: number;
  readonly kind: string;
  readonly reference: string | null;
  readonly asset: string;
  readonly amount: string;
}

/**
 * The changes by the ledger entries after `entry` of the balances of `owners` together, oldest entry first. Reads at
 * most `limit` movements and leaves out an entry that the limit may have cut off. `isLast` is true if no later entry
 * exists. With `isMerged`, entries that are not projected into statements yet are included.
 */
export async function changesAfter(
  reader: Reader,
  owners: readonly UserId[],
  entry: number,
  { limit, isMerged }: { readonly limit: number; readonly isMerged: boolean },
): Promise<{ entries: EntryChanges[]; isLast: boolean }> {
  // The movements of each owner are read in the order of the index, so that the database merges these lists and reads
  // about `limit` rows in total.
  const parts = owners.map(
    (owner) => sql`(
      select owner, entry, posting, account, asset, kind, reference, amount, at, entries from ledger_movement
      where owner = ${owner}::uuid and entry > ${entry}::bigint order by entry, posting, account limit ${limit}
    )`,
  );
  if (isMerged) parts.push(tailAfter(owners, entry, limit));
  const { rows } = await sql<ChangeRow>`
    select owner, entry, at, entries, kind, reference, asset, amount::text as amount
    from (${sql.join(parts, sql` union all `)}) as moved
    order by entry, posting, account limit ${limit}
  `.execute(reader);
  const isLast = rows.length < limit;
  const lastEntry = rows.at(-1)?.entry;
  const entries = new Map<
    bigint,
    {
      at: number;
      entries: number;
      kind: string;
      reference: string | null;
      owners: Set<UserId>;
      changes: Map<string, Decimal>;
    }
  >();
  for (const row of rows) {
    // The row limit may have cut off further movements of the last entry, so this entry is left out; the next call
    // reads it again.
    if (!isLast && row.entry === lastEntry) break;
    const { kind, reference } = row;
    const entryChanges = entries.get(row.entry) ?? {
      at: wholeNumber(row.at),
      entries: row.entries,
      kind,
      reference,
      owners: new Set<UserId>(),
      changes: new Map<string, Decimal>(),
    };
    entryChanges.entries = Math.max(entryChanges.entries, row.entries);
    entryChanges.owners.add(row.owner);
    entryChanges.changes.set(
      row.asset,
      (entryChanges.changes.get(row.asset) ?? Decimal.zero).plus(Decimal.parse(row.amount)),
    );
    entries.set(row.entry, entryChanges);
  }
  return {
    entries: [...entries].map(([sequence, changed]) => ({ entry: wholeNumber(sequence), ...changed })),
    isLast,
  };
}

/**
 * The movements of owners by entries after `entry` that are not projected into statements yet, at most
 * `limit`; only the first `TAIL_MAX` unprojected entries are read.
 */
function tailAfter(owners: readonly UserId[], entry: number, limit: number): RawBuilder<unknown> {
  return sql`(
    select a.owner, tail.sequence as entry, (transfer.ordinality - 1)::integer as posting, a.id as account, a.asset,
      tail.kind, tail.reference, side.delta as amount, tail.at, 1 as entries
    from (
      select * from ledger_entry where sequence > (select sequence from ledger_movement_cursor)
      order by sequence limit ${TAIL_MAX}
    ) as tail
    cross join lateral unnest(tail.sources, tail.destinations, tail.amounts) with ordinality
      as transfer(source, destination, amount, ordinality)
    cross join lateral (values (transfer.source, -transfer.amount), (transfer.destination, transfer.amount)) as side(account, delta)
    join ledger_account a on a.id = side.account and a.owner = any(${owners}::uuid[]) and a.asset not like '%:%'
    where transfer.amount is not null and tail.sequence > ${entry}::bigint
    order by tail.sequence, posting, a.id limit ${limit}
  )`;
}

/**
 * True if these owners together have more than `count` statement rows after a ledger entry; entries that are not
 * projected into statements yet are not counted. Reads at most `count` + 1 rows.
 */
export async function hasMoreMovements(
  reader: Reader,
  owners: readonly UserId[],
  entry: number,
  count: number,
): Promise<boolean> {
  const parts = owners.map(
    (owner) => sql`(
      select entry from ledger_movement where owner = ${owner}::uuid and entry > ${entry}::bigint
      order by entry limit ${count + 1}
    )`,
  );
  const { rows } = await sql`
    select from (${sql.join(parts, sql` union all `)}) as moved offset ${count} limit 1
  `.execute(reader);
  return rows.length > 0;
}

/** A user with a range of ledger entries for which the user's net deposits are computed. */
export interface OwnerEntries {
  readonly owner: UserId;
  /** Number of the ledger entry before the first one of the range. */
  readonly after: number;
  /** Number of the last ledger entry of the range; undefined for a range without an end. */
  readonly upTo?: number | undefined;
}

/**
 * Net deposits of users in ranges of ledger entries: deposits, faucet, inventories of market makers, corrections and
 * transfers from the person's other accounts, less withdrawals and transfers to the person's other accounts. Returns
 * one map by coin per range, in the order of `ranges`. Of the entries that are not projected yet, the oldest `TAIL_MAX`
 * are included.
 */
export async function netDepositsIn(
  reader: Reader,
  ranges: readonly OwnerEntries[],
): Promise<ReadonlyMap<string, Decimal>[]> {
  // The SQL condition on kinds must equal the condition of the index `ledger_movement_outside` literally.
  const { rows } = await sql<{ place: number; asset: string; amount: string }>`
    with ranges as (
      select * from unnest(
        ${ranges.map(({ owner }) => owner)}::uuid[],
        ${ranges.map(({ after }) => after)}::bigint[],
        ${ranges.map(({ upTo }) => upTo ?? Number.MAX_SAFE_INTEGER)}::bigint[]
      ) with ordinality as one (owner, after, up_to, place)
    ), moved as (
      select ranges.place, m.asset, m.amount from ranges join ledger_movement m
        on m.owner = ranges.owner and m.entry > ranges.after and m.entry <= ranges.up_to
        and m.kind in ('faucet.claimed', 'inventory.funded', 'deposit.credited', 'correction.posted', 'withdrawal.sent', 'subaccount.transferred')
      union all
      select ranges.place, a.asset, side.delta from (
        select * from (
          select * from ledger_entry where sequence > (select sequence from ledger_movement_cursor)
          order by sequence limit ${TAIL_MAX}
        ) as newest
        where kind in ('faucet.claimed', 'inventory.funded', 'deposit.credited', 'correction.posted', 'withdrawal.sent', 'subaccount.transferred')
      ) as tail
      cross join lateral unnest(tail.sources, tail.destinations, tail.amounts) as transfer (source, destination, amount)
      cross join lateral (values (transfer.source, -transfer.amount), (transfer.destination, transfer.amount)) as side (account, delta)
      join ledger_account a on a.id = side.account and a.asset not like '%:%'
      join ranges on ranges.owner = a.owner and tail.sequence > ranges.after and tail.sequence <= ranges.up_to
      where transfer.amount is not null
    )
    select place::int as place, asset, sum(amount)::text as amount from moved group by place, asset
  `.execute(reader);
  const netDeposits = ranges.map(() => new Map<string, Decimal>());
  for (const { place, asset, amount } of rows) netDeposits[place - 1]!.set(asset, Decimal.parse(amount));
  return netDeposits;
}

function movementsOfOwner(reader: Reader, owner: UserId, filter: MovementFilter) {
  const query = reader
    .withTables<MovementTables>()
    .selectFrom('ledger_movement')
    .where('owner', '=', owner)
    .where(filterConditions(filter));
  return filter.leavesOutLocked === true ? query.where('bucket', '<>', 'locked') : query;
}

/**
 * The newest `rows` movements of each of the owner's accounts on the given products. Reading account by account finds
 * rare movements without scanning all trades.
 */
function movementsOfProducts(
  reader: Reader,
  owner: UserId,
  products: readonly Product[],
  { filter, place, rows }: { filter: MovementFilter; place: RawBuilder<boolean>; rows: number },
) {
  const newestByAccount = sql<MovementTables['ledger_movement']>`(
    select newest.* from ledger_account
    cross join lateral (
      select * from ledger_movement
      where ledger_movement.account = ledger_account.id and ${filterConditions(filter)} and ${place}
      order by entry desc, posting desc limit ${rows}
    ) as newest
    where ledger_account.owner = ${owner} and split_part(address, ':', 3) = any(${products}::text[])
  )`;
  return reader.withTables<MovementTables>().selectFrom(newestByAccount.as('ledger_movement'));
}

/** Greatest number of ledger entries not yet projected into statements that one query reads. */
export const TAIL_MAX = 50_000;

/**
 * The movements of an owner, including those computed from entries that are not projected yet. A single query
 * reads everything, so that each movement occurs once.
 */
function movementsWithTail(reader: Reader, owner: UserId, filter: MovementFilter) {
  const isShown =
    filter.products === undefined
      ? sql<boolean>`true`
      : sql<boolean>`split_part(a.address, ':', 3) = any(${filter.products}::text[])`;
  const projectedAndTail = sql<MovementTables['ledger_movement']>`(
    select m.owner, m.entry, m.posting, m.account, m.asset, m.bucket, m.kind, m.reference, m.amount, m.balance, m.at,
      m.entries
    from ledger_movement m join ledger_account a on a.id = m.account
    where m.owner = ${owner} and ${isShown}
    union all
    select a.owner, tail.sequence, side.posting, a.id, a.asset, split_part(a.address, ':', 4), tail.kind,
      tail.reference, side.delta,
      coalesce(latest.balance, 0) + sum(side.delta) over (partition by a.id order by tail.sequence, side.posting),
      tail.at, 1
    from (
      select * from ledger_entry where sequence > (select sequence from ledger_movement_cursor)
      order by sequence limit ${TAIL_MAX}
    ) as tail
    cross join lateral (
      select transfer.ordinality - 1 as posting, moved.account, moved.delta
      from unnest(tail.sources, tail.destinations, tail.amounts) with ordinality
        as transfer(source, destination, amount, ordinality)
      cross join lateral (values (transfer.source, -transfer.amount), (transfer.destination, transfer.amount)) as moved(account, delta)
      where transfer.amount is not null
    ) as side
    join ledger_account a on a.id = side.account and a.owner = ${owner} and a.asset not like '%:%'
    left join lateral (
      select balance from ledger_movement m where m.account = a.id order by m.entry desc, m.posting desc limit 1
    ) as latest on true
    where ${isShown}
  )`;
  const query = reader
    .withTables<MovementTables>()
    .selectFrom(projectedAndTail.as('ledger_movement'))
    .where(filterConditions(filter));
  return filter.leavesOutLocked === true ? query.where('bucket', '<>', 'locked') : query;
}

/**
 * The number of the last ledger entry that is projected into statements, and the number of the last entry of the
 * ledger.
 */
export async function projectedUpTo(reader: Reader): Promise<{ projected: number; last: number }> {
  const { rows } = await sql<{ projected: bigint; last: bigint }>`
    select sequence as projected, coalesce((select max(sequence) from ledger_entry), 0) as last
    from ledger_movement_cursor
  `.execute(reader);
  const { projected = 0n, last = 0n } = rows[0] ?? {};
  return { projected: wholeNumber(projected), last: wholeNumber(last) };
}

function filterConditions({ asset, kind, group, from, to }: MovementFilter) {
  const conditions = [
    ...(asset === undefined ? [] : [sql<boolean>`ledger_movement.asset = ${asset}`]),
    ...(kind === undefined ? [] : [sql<boolean>`kind = ${kind}`]),
    ...(group === undefined ? [] : [ofGroup(group)]),
    ...(from === undefined ? [] : [sql<boolean>`at >= ${BigInt(from)}`]),
    ...(to === undefined ? [] : [sql<boolean>`at <= ${BigInt(to)}`]),
  ];
  return conditions.length === 0 ? sql<boolean>`true` : sql.join<boolean>(conditions, sql` and `);
}

/**
 * SQL condition that selects the statement rows of spot trading, of seconds contracts, or of the other products. The
 * database can use the partial index on rows of kinds other than `spot.…` only because the conditions for the latter
 * two contain the condition of that index literally.
 */
function ofGroup(group: StatementPart) {
  if (group === 'spot') return sql<boolean>`kind like 'spot.%'`;
  if (group === 'seconds') return sql<boolean>`kind not like 'spot.%' and kind like 'seconds.%'`;
  return sql<boolean>`kind not like 'spot.%' and split_part(kind, '.', 1) = any(${accountsOfPart(group)}::text[])`;
}

/** Orders statement rows newest first, the reverse of the primary key. */
function newestFirst(query: ReturnType<typeof movementsOfOwner>) {
  return query.selectAll().orderBy('entry', 'desc').orderBy('posting', 'desc').orderBy('account', 'desc');
}

function movementOf(row: Selectable<LedgerTables['ledger_movement']>): Movement {
  return {
    id: `${row.entry}-${row.posting}-${row.account}`,
    asset: row.asset,
    bucket: row.bucket,
    kind: row.kind,
    reference: row.reference,
    amount: Decimal.parse(row.amount),
    balance: Decimal.parse(row.balance),
    at: wholeNumber(row.at),
    entries: row.entries,
  };
}

/**
 * Projects the next entries after the cursor, at most `limit`, into movements; returns the number of entries.
 * It runs entirely in the database, because busy seconds have thousands of movements and the trading process
 * must not be slowed down. Running balances continue from the latest movement of each account. Owners in
 * `unread` get no movements, because their statements are never read; quotas are on no statement.
 */
export async function projectNext(
  transaction: Tx,
  limit: number,
  unread: readonly UserId[],
): Promise<number> {
  const cursor = await transaction
    .withTables<LedgerTables>()
    .selectFrom('ledger_movement_cursor')
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow();
  const projected = await sql<{ count: bigint; last: bigint | null }>`
    with page as materialized (
      select * from ledger_entry where sequence > ${cursor.sequence} order by sequence limit ${limit}
    ), moved as (
      select page.sequence, page.kind, page.reference, page.at, transfer.ordinality - 1 as posting, side.account, side.delta
      from page
      cross join lateral unnest(page.sources, page.destinations, page.amounts) with ordinality
        as transfer(source, destination, amount, ordinality)
      cross join lateral (values (transfer.source, -transfer.amount), (transfer.destination, transfer.amount)) as side(account, delta)
      where transfer.amount is not null
    ), owned as materialized (
      select moved.*, a.owner, a.asset, split_part(a.address, ':', 4) as bucket,
        sum(moved.delta) over (partition by moved.account order by moved.sequence, moved.posting) as change
      from moved join ledger_account a on a.id = moved.account
      where a.owner is not null and a.owner <> all(${unread}::uuid[]) and a.asset not like '%:%'
    ), latest as (
      select touched.account, before.balance
      from (select distinct account from owned) as touched
      cross join lateral (
        select balance from ledger_movement m where m.account = touched.account
        order by m.entry desc, m.posting desc limit 1
      ) as before
    ), inserted as (
      insert into ledger_movement
        (owner, entry, posting, account, asset, bucket, kind, reference, amount, balance, at)
      select owner, sequence, posting, owned.account, asset, bucket, kind, reference, delta,
        coalesce(latest.balance, 0) + change, at
      from owned left join latest on latest.account = owned.account
    )
    select count(*) as count, max(sequence) as last from page
  `.execute(transaction);
  const { count = 0n, last } = projected.rows[0] ?? {};
  if (last === null || last === undefined) return 0;
  await transaction
    .withTables<LedgerTables>()
    .updateTable('ledger_movement_cursor')
    .set({ sequence: last })
    .execute();
  return wholeNumber(count);
}

/** The hashes (hex) of ledger entries by sequence number; unknown entries are left out. */
export async function entryHashes(
  reader: Reader,
  entries: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ sequence: bigint; hash: string }>`
    select sequence, encode(hash, 'hex') as hash from ledger_entry where sequence = any(${entries}::bigint[])
  `.execute(reader);
  return new Map(rows.map(({ sequence, hash }) => [wholeNumber(sequence), hash]));
}
