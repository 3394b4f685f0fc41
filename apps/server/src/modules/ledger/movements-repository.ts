import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
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
export type MovementGroup = 'spot' | 'seconds' | 'products';
/** How the kinds of a group begin. */
const PRODUCTS = ['finance', 'mining', 'fund', 'subscription'];

export interface MovementFilter {
  readonly asset?: string | undefined;
  readonly kind?: string | undefined;
  /** Of trading, of the seconds contract, or of products that are bought for a time. */
  readonly group?: MovementGroup | undefined;
  /** Leaves out what is locked in products: the coin account alone. */
  readonly isAvailableOnly?: boolean | undefined;
  /** Of these accounts alone, with what is locked in them. */
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
  /** Of the same account, after it. */
  readonly balance: Decimal;
  readonly at: number;
  /** How many movements of a month it is the sum of; 1 where it is one. */
  readonly entries: number;
}

/** The backward order of the primary key. */
const BY_ENTRY = new ListOrder([
  { name: 'entry', type: 'bigint' },
  { name: 'posting', type: 'integer' },
  { name: 'account', type: 'bigint' },
]);

/** The entry that a page of movements begins behind, or at; undefined for a first page. */
export function entryOfPage({ anchor, after }: Pick<PagedRows, 'anchor' | 'after'>): number | undefined {
  if (after !== undefined) return wholeNumber(BigInt(BY_ENTRY.read(after, 'after')[0]!));
  return anchor === undefined ? undefined : wholeNumber(BigInt(BY_ENTRY.read(anchor, 'anchor')[0]!));
}

/**
 * A user's movements, newest first. A page that is requested behind a movement which has been summed since begins behind that
 * place, like any other.
 */
export async function movementsOf(
  reader: Reader,
  owner: UserId,
  filter: MovementFilter,
  page: PagedRows & { readonly isMerged?: boolean },
): Promise<ListPage<Movement>> {
  const from = BY_ENTRY.from(page);
  const behind = sql<boolean>`${from} and ${BY_ENTRY.behind(page)}`;
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

/** A user's movements that are older than one of them, or the newest; newest first. */
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

/** What one entry changed of everything that a user has. */
export interface EntryChanges {
  readonly entry: number;
  readonly kind: string;
  readonly reference: string | null;
  /** By coin, all accounts of the user together: zero where coins only changed their account. */
  readonly changes: ReadonlyMap<string, Decimal>;
}

/**
 * What the entries behind one of them changed of everything that a user has, oldest first: those of at most `limit`
 * movements, whole entries only. `isLast` where none is behind them. `isMerged` reads those that are not projected yet as well.
 */
export async function changesAfter(
  reader: Reader,
  owner: UserId,
  entry: number,
  { limit, isMerged }: { readonly limit: number; readonly isMerged: boolean },
): Promise<{ entries: EntryChanges[]; isLast: boolean }> {
  const movements = isMerged ? movementsWithTail(reader, owner, {}) : movementsOfOwner(reader, owner, {});
  const rows = await movements
    .where('entry', '>', BigInt(entry))
    .select(['entry', 'kind', 'reference', 'asset', 'amount'])
    .orderBy('entry')
    .orderBy('posting')
    .orderBy('account')
    .limit(limit)
    .execute();
  const isLast = rows.length < limit;
  const lastEntry = rows.at(-1)?.entry;
  const entries = new Map<
    bigint,
    { kind: string; reference: string | null; changes: Map<string, Decimal> }
  >();
  for (const row of rows) {
    // The rest of the last entry may be behind the limit.
    if (!isLast && row.entry === lastEntry) break;
    const { kind, reference } = row;
    const found = entries.get(row.entry) ?? { kind, reference, changes: new Map<string, Decimal>() };
    found.changes.set(
      row.asset,
      (found.changes.get(row.asset) ?? Decimal.zero).plus(Decimal.parse(row.amount)),
    );
    entries.set(row.entry, found);
  }
  return {
    entries: [...entries].map(([sequence, changed]) => ({ entry: wholeNumber(sequence), ...changed })),
    isLast,
  };
}

/** A time of one user: from an instant up to another, which is not part of it. */
export interface OwnerPeriod {
  readonly owner: UserId;
  readonly from: Instant;
  /** Without one, up to now. */
  readonly to?: Instant | undefined;
}

/**
 * Coins that came to users' accounts from outside in these periods (deposits, claims from the faucet, corrections,
 * transfers from other users) less those that left (withdrawals, transfers to other users): one map by coin for each
 * period, in their order. Entries that are not projected yet count as well.
 */
export async function netDepositsIn(
  reader: Reader,
  periods: readonly OwnerPeriod[],
): Promise<ReadonlyMap<string, Decimal>[]> {
  // The kinds are those of the index that finds them, word by word.
  const { rows } = await sql<{ place: number; asset: string; amount: string }>`
    with period as (
      select * from unnest(
        ${periods.map(({ owner }) => owner)}::uuid[],
        ${periods.map(({ from }) => from)}::bigint[],
        ${periods.map(({ to }) => to ?? Number.MAX_SAFE_INTEGER)}::bigint[]
      ) with ordinality as one (owner, starts, ends, place)
    ), moved as (
      select period.place, m.asset, m.amount from period join ledger_movement m
        on m.owner = period.owner and m.at >= period.starts and m.at < period.ends
        and m.kind in ('faucet.claimed', 'inventory.funded', 'deposit.credited', 'correction.posted', 'withdrawal.sent')
      union all
      select period.place, a.asset, side.delta from (
        select * from (
          select * from ledger_entry where sequence > (select sequence from ledger_movement_cursor)
          order by sequence limit ${TAIL_MAX}
        ) as newest
        where kind in ('faucet.claimed', 'inventory.funded', 'deposit.credited', 'correction.posted', 'withdrawal.sent')
      ) as tail
      cross join lateral unnest(tail.sources, tail.destinations, tail.amounts) as one (source, destination, amount)
      cross join lateral (values (one.source, -one.amount), (one.destination, one.amount)) as side (account, delta)
      join ledger_account a on a.id = side.account and a.asset not like '%:%'
      join period on period.owner = a.owner and tail.at >= period.starts and tail.at < period.ends
      where one.amount is not null
    )
    select place::int as place, asset, sum(amount)::text as amount from moved group by place, asset
  `.execute(reader);
  const found = periods.map(() => new Map<string, Decimal>());
  for (const { place, asset, amount } of rows) found[place - 1]!.set(asset, Decimal.parse(amount));
  return found;
}

function movementsOfOwner(reader: Reader, owner: UserId, filter: MovementFilter) {
  const query = reader
    .withTables<MovementTables>()
    .selectFrom('ledger_movement')
    .where('owner', '=', owner)
    .where(narrowing(filter));
  return filter.isAvailableOnly === true ? query.where('bucket', '<>', 'locked') : query;
}

/**
 * The newest `rows` of each account that an owner has on some products. They are found by account: what moved on a
 * quiet one does not lie behind everything that was traded.
 */
function movementsOfProducts(
  reader: Reader,
  owner: UserId,
  products: readonly Product[],
  { filter, place, rows }: { filter: MovementFilter; place: RawBuilder<boolean>; rows: number },
) {
  const found = sql<MovementTables['ledger_movement']>`(
    select newest.* from ledger_account
    cross join lateral (
      select * from ledger_movement
      where ledger_movement.account = ledger_account.id and ${narrowing(filter)} and ${place}
      order by entry desc, posting desc limit ${rows}
    ) as newest
    where ledger_account.owner = ${owner} and split_part(address, ':', 3) = any(${products}::text[])
  )`;
  return reader.withTables<MovementTables>().selectFrom(found.as('ledger_movement'));
}

/** So many entries that are not projected yet are read for one statement. */
export const TAIL_MAX = 50_000;

/**
 * The movements of an owner and, made of the entries behind the cursor, those that are not projected yet. Everything
 * is read in one statement, so that each movement comes once.
 */
function movementsWithTail(reader: Reader, owner: UserId, filter: MovementFilter) {
  const isShown =
    filter.products === undefined
      ? sql<boolean>`true`
      : sql<boolean>`split_part(a.address, ':', 3) = any(${filter.products}::text[])`;
  const found = sql<MovementTables['ledger_movement']>`(
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
      select one.ordinality - 1 as posting, moved.account, moved.delta
      from unnest(tail.sources, tail.destinations, tail.amounts) with ordinality
        as one(source, destination, amount, ordinality)
      cross join lateral (values (one.source, -one.amount), (one.destination, one.amount)) as moved(account, delta)
      where one.amount is not null
    ) as side
    join ledger_account a on a.id = side.account and a.owner = ${owner} and a.asset not like '%:%'
    left join lateral (
      select balance from ledger_movement m where m.account = a.id order by m.entry desc, m.posting desc limit 1
    ) as latest on true
    where ${isShown}
  )`;
  const query = reader
    .withTables<MovementTables>()
    .selectFrom(found.as('ledger_movement'))
    .where(narrowing(filter));
  return filter.isAvailableOnly === true ? query.where('bucket', '<>', 'locked') : query;
}

/** The last entry that is projected, and the last of all. */
export async function projectedUpTo(reader: Reader): Promise<{ projected: number; last: number }> {
  const { rows } = await sql<{ projected: bigint; last: bigint }>`
    select sequence as projected, coalesce((select max(sequence) from ledger_entry), 0) as last
    from ledger_movement_cursor
  `.execute(reader);
  const { projected = 0n, last = 0n } = rows[0] ?? {};
  return { projected: wholeNumber(projected), last: wholeNumber(last) };
}

function narrowing({ asset, kind, group, from, to }: MovementFilter) {
  const conditions = [
    ...(asset === undefined ? [] : [sql<boolean>`ledger_movement.asset = ${asset}`]),
    ...(kind === undefined ? [] : [sql<boolean>`kind = ${kind}`]),
    ...(group === undefined ? [] : [ofGroup(group)]),
    ...(from === undefined ? [] : [sql<boolean>`at >= ${BigInt(from)}`]),
    ...(to === undefined ? [] : [sql<boolean>`at <= ${BigInt(to)}`]),
  ];
  return conditions.length === 0 ? sql<boolean>`true` : sql.join<boolean>(conditions, sql` and `);
}

/** As written, the last two are found by the index of what is not trading. */
function ofGroup(group: MovementGroup) {
  if (group === 'spot') return sql<boolean>`kind like 'spot.%'`;
  if (group === 'seconds') return sql<boolean>`kind not like 'spot.%' and kind like 'seconds.%'`;
  return sql<boolean>`kind not like 'spot.%' and split_part(kind, '.', 1) = any(${PRODUCTS}::text[])`;
}

/** In the backward order of the primary key. */
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
 * Projects the next entries behind the cursor, at most `limit`; gives how many. All of it happens in the
 * database: a busy second brings thousands of movements, and the process that trades has no time for them.
 * Running balances continue from each account's latest movement. Nobody reads the statement of an owner in `unread`,
 * so it is not made, and quotas are on none.
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
      select page.sequence, page.kind, page.reference, page.at, one.ordinality - 1 as posting, side.account, side.delta
      from page
      cross join lateral unnest(page.sources, page.destinations, page.amounts) with ordinality
        as one(source, destination, amount, ordinality)
      cross join lateral (values (one.source, -one.amount), (one.destination, one.amount)) as side(account, delta)
      where one.amount is not null
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
