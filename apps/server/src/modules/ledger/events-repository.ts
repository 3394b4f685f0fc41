import { Decimal, sum } from '@exchange/core/decimal.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import {
  ListOrder,
  PAGED_ROWS_MAX,
  firstRows,
  listPage,
  type ListPage,
  type PagedRows,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { EntryKind, Product } from './domain.ts';
import { TAIL_MAX } from './movements-repository.ts';

/** Filters of an account's history of events; absent fields do not filter. */
export interface EventFilter {
  /** Only events that changed a balance of this coin. */
  readonly asset?: string | undefined;
  readonly kinds?: readonly EntryKind[] | undefined;
  /** Start and end of the period in milliseconds UTC, both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Change of a coin's balance on one of the owner's accounts; can be negative. */
export interface AccountChange {
  readonly product: Product;
  readonly asset: string;
  readonly amount: Decimal;
}

/** A ledger entry as its owner sees it: a trade, a withdrawal, a purchase. */
export interface AccountEvent {
  /** Sequence number of the ledger entry. */
  readonly entry: number;
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  /**
   * Net change per product and coin (available, frozen and locked balances together), after fees; without zero changes.
   */
  readonly changes: readonly AccountChange[];
  /** Fees paid by the owner, included in `changes`; at most one per coin. */
  readonly fees: readonly { readonly asset: string; readonly amount: Decimal }[];
}

/**
 * Sort order of an account's history: newest first. Entries are numbered in the order of time; `at` comes first because
 * the index starts with it.
 */
const BY_TIME = new ListOrder([
  { name: 'at', type: 'bigint' },
  { name: 'entry', type: 'bigint' },
]);

/**
 * Number of the ledger entry from which a page of the account history continues: the entry after which the page starts
 * (`after`), otherwise the entry of the first row of the first page (`anchor`). Undefined for a first page, which has
 * neither cursor.
 */
export function entryOfEventPage({ anchor, after }: Pick<PagedRows, 'anchor' | 'after'>): number | undefined {
  const place = after ?? anchor;
  if (place === undefined) return undefined;
  return wholeNumber(BigInt(BY_TIME.read(place, after === undefined ? 'anchor' : 'after')[1]!));
}

/**
 * SQL condition that excludes entries that only hold or release funds within one account, and those movements of a fund
 * purchase that are not of the available balance. Must equal the condition of the index `ledger_movement_event`
 * literally.
 */
const IS_EVENT = sql<boolean>`kind not in ('spot.held', 'spot.released', 'seconds.opened', 'seconds.returned', 'withdrawal.held', 'withdrawal.returned')
    and (kind <> 'fund.bought' or bucket = 'available')`;

/**
 * Reads a page of an owner's events. With `isMerged`, entries that are not projected into statements yet are included.
 */
export async function eventsOf(
  reader: Reader,
  owner: UserId,
  filter: EventFilter,
  page: PagedRows & { readonly isMerged?: boolean },
): Promise<ListPage<AccountEvent>> {
  const rows = page.offset + page.limit + 1;
  const from = BY_TIME.fromAnchor(page);
  const behind = sql<boolean>`${from} and ${BY_TIME.afterPlace(page)}`;
  const [pageRows, { rows: countRows }] = await Promise.all([
    sql<EventPosition>`${positionsOf(owner, filter, { behind, rows, isMerged: page.isMerged === true })}
      limit ${page.limit + 1} offset ${page.offset}`.execute(reader),
    sql<{ count: bigint }>`
      ${coinsByKind(owner)}
      select count(distinct entry) as count from (
        select entry from coins cross join lateral (
          select entry from ledger_movement
          where ${ofKindAndCoin(owner, filter)} and ${from} limit ${PAGED_ROWS_MAX}
        ) as listed
        where ${filterConditions(filter)} limit ${PAGED_ROWS_MAX}
      ) as counted`.execute(reader),
  ]);
  const positions = listPage(pageRows.rows, wholeNumber(countRows[0]?.count ?? 0n), BY_TIME, page);
  return { ...positions, list: await eventsAt(reader, owner, positions.list) };
}

/**
 * The owner's account events older than the event `before`, newest first, at most `limit`; without `before`,
 * the newest events. With `isMerged`, entries that are not projected into statements yet are included.
 */
export async function eventsBefore(
  reader: Reader,
  owner: UserId,
  filter: EventFilter,
  rows: {
    readonly before: Pick<AccountEvent, 'at' | 'entry'> | undefined;
    readonly limit: number;
    readonly isMerged?: boolean;
  },
): Promise<AccountEvent[]> {
  const { before, limit, isMerged = false } = rows;
  const after = before === undefined ? undefined : BY_TIME.placeOf(before);
  const behind = BY_TIME.afterPlace({ ...firstRows(limit), after });
  const pageRows =
    await sql<EventPosition>`${positionsOf(owner, filter, { behind, rows: limit, isMerged })} limit ${limit}`.execute(
      reader,
    );
  return eventsAt(reader, owner, pageRows.rows);
}

/**
 * The event with this entry number, as the first of `owners` sees it whose balances the entry changed; undefined if the
 * entry does not exist or changed no balance of them.
 */
export async function eventAt(
  reader: Reader,
  owners: readonly UserId[],
  entry: number,
): Promise<(AccountEvent & { readonly owner: UserId }) | undefined> {
  const postings = (await postingsOf(reader, owners, [BigInt(entry)])).get(BigInt(entry)) ?? [];
  const present = new Set(postings.flatMap((row) => [row.source_owner, row.destination_owner]));
  for (const owner of owners.filter((candidate) => present.has(candidate))) {
    const event = eventOf(postings.map((row) => seenBy(owner, row)));
    if (event.changes.length > 0) return { ...event, owner };
  }
  return undefined;
}

/**
 * The posting as one owner sees it: the product of a side (source or destination) is null if the account belongs to
 * somebody else.
 */
function seenBy(owner: UserId, row: PostingRow): PostingRow {
  return {
    ...row,
    source: row.source_owner === owner ? row.source : null,
    destination: row.destination_owner === owner ? row.destination : null,
  };
}

/** Time and sequence number of an event's ledger entry, by which an account's history is sorted. */
interface EventPosition {
  readonly at: bigint;
  readonly entry: bigint;
}

/**
 * SQL query of the times and entry numbers of the owner's events that satisfy the condition `behind`, newest first. For
 * each kind of entry and coin that the owner has, at most `rows` events are read from the index, so that rare events
 * are found without scanning all trades.
 */
function positionsOf(
  owner: UserId,
  filter: EventFilter,
  page: { readonly behind: RawBuilder<boolean>; readonly rows: number; readonly isMerged: boolean },
): RawBuilder<EventPosition> {
  const { behind, rows, isMerged } = page;
  return sql<EventPosition>`
    ${coinsByKind(owner)}
    select at, entry from (
      select newest.at, newest.entry from coins cross join lateral (
        select at, entry from ledger_movement
        where ${ofKindAndCoin(owner, filter)} and ${behind}
        group by at, entry order by at desc, entry desc limit ${rows}
      ) as newest
      where ${filterConditions(filter)}
      ${isMerged ? sql`union all ${positionsOfTail(owner, filter, behind)}` : sql``}
    ) as places
    group by at, entry order by at desc, entry desc`;
}

/**
 * The start of an SQL query: a recursive `with` clause that lists all pairs of kind and coin of an owner's
 * events, found by skipping through the index.
 */
function coinsByKind(owner: UserId): RawBuilder<unknown> {
  return sql`
    with recursive coins as (
      (select kind, asset from ledger_movement where owner = ${owner} and ${IS_EVENT}
        order by kind, asset limit 1)
      union all
      select next.kind, next.asset from coins cross join lateral (
        select kind, asset from ledger_movement
        where owner = ${owner} and ${IS_EVENT} and (kind, asset) > (coins.kind, coins.asset)
        order by kind, asset limit 1
      ) as next
    )`;
}

function ofKindAndCoin(owner: UserId, { from, to }: EventFilter): RawBuilder<boolean> {
  return sql<boolean>`owner = ${owner} and ${IS_EVENT}
    and ledger_movement.kind = coins.kind and ledger_movement.asset = coins.asset
    ${from === undefined ? sql`` : sql`and at >= ${from}::bigint`}
    ${to === undefined ? sql`` : sql`and at <= ${to}::bigint`}`;
}

function filterConditions({ kinds, asset }: EventFilter): RawBuilder<boolean> {
  return sql<boolean>`true
    ${kinds === undefined ? sql`` : sql`and coins.kind = any(${kinds}::text[])`}
    ${asset === undefined ? sql`` : sql`and coins.asset = ${asset}`}`;
}

/**
 * Query of the times and entry numbers of an owner's events among the first `TAIL_MAX` ledger entries that
 * are not projected into statements yet.
 */
function positionsOfTail(
  owner: UserId,
  { kinds, asset, from, to }: EventFilter,
  behind: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`
    select at, entry from (
      select tail.at, tail.sequence as entry, tail.kind, a.asset, split_part(a.address, ':', 4) as bucket
      from (
        select * from ledger_entry where sequence > (select sequence from ledger_movement_cursor)
        order by sequence limit ${TAIL_MAX}
      ) as tail
      cross join lateral unnest(tail.sources || tail.destinations) as side(account)
      join ledger_account a on a.id = side.account and a.owner = ${owner} and a.asset not like '%:%'
    ) as unprojected
    where ${IS_EVENT} and ${behind}
      ${kinds === undefined ? sql`` : sql`and kind = any(${kinds}::text[])`}
      ${asset === undefined ? sql`` : sql`and asset = ${asset}`}
      ${from === undefined ? sql`` : sql`and at >= ${from}::bigint`}
      ${to === undefined ? sql`` : sql`and at <= ${to}::bigint`}`;
}

interface PostingRow {
  readonly entry: bigint;
  readonly at: bigint;
  readonly kind: string;
  readonly reference: string | null;
  readonly asset: string;
  readonly amount: string;
  /**
   * Product and owner of the posting's source and destination account; null if the account does not belong to one of
   * the requested owners.
   */
  readonly source: Product | null;
  readonly source_owner: UserId | null;
  readonly destination: Product | null;
  readonly destination_owner: UserId | null;
  readonly is_fee: boolean;
}

/** The events of an owner with the given times and entry numbers, in the order of `positions`. */
async function eventsAt(
  reader: Reader,
  owner: UserId,
  positions: readonly EventPosition[],
): Promise<AccountEvent[]> {
  const postings = await postingsOf(
    reader,
    [owner],
    positions.map(({ entry }) => entry),
  );
  return positions.map(({ entry }) => eventOf(postings.get(entry)!));
}

/** Fees that owners paid by the given entries, by entry; entries for which they paid no fee are left out. */
export async function feesOfEntries(
  reader: Reader,
  owners: readonly UserId[],
  entries: readonly number[],
): Promise<ReadonlyMap<number, AccountEvent['fees']>> {
  const postings = await postingsOf(reader, owners, entries.map(BigInt));
  return new Map(
    [...postings.values()].flatMap((entryPostings) => {
      const { entry, fees } = eventOf(entryPostings);
      return fees.length === 0 ? [] : [[entry, fees] as const];
    }),
  );
}

/**
 * By entry: those postings of `entries` that concern one of the owners or credit the fees account, without
 * quotas.
 */
async function postingsOf(
  reader: Reader,
  owners: readonly UserId[],
  entries: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly PostingRow[]>> {
  if (entries.length === 0) return new Map();
  const { rows } = await sql<PostingRow>`
    select e.sequence as entry, e.at, e.kind, e.reference, s.asset, posting.amount::text as amount,
      case when s.owner = any(${owners}::uuid[]) then split_part(s.address, ':', 3) end as source,
      case when s.owner = any(${owners}::uuid[]) then s.owner end as source_owner,
      case when d.owner = any(${owners}::uuid[]) then split_part(d.address, ':', 3) end as destination,
      case when d.owner = any(${owners}::uuid[]) then d.owner end as destination_owner,
      d.address = 'house:fees' as is_fee
    from ledger_entry e
    cross join lateral unnest(e.sources, e.destinations, e.amounts) with ordinality
      as posting(source, destination, amount, place)
    join ledger_account s on s.id = posting.source and s.asset not like '%:%'
    join ledger_account d on d.id = posting.destination
    where e.sequence = any(${entries}::bigint[])
      and (s.owner = any(${owners}::uuid[]) or d.owner = any(${owners}::uuid[]) or d.address = 'house:fees')
    order by e.sequence, posting.place
  `.execute(reader);
  return groupBy(rows, ({ entry }) => entry);
}

function eventOf(postings: readonly PostingRow[]): AccountEvent {
  const { entry, at, kind, reference } = postings[0]!;
  const changes = changesOf(postings);
  return {
    entry: wholeNumber(entry),
    at: wholeNumber(at),
    kind,
    reference,
    changes,
    fees: feesOf(kind, postings, changes),
  };
}

function changesOf(postings: readonly PostingRow[]): readonly AccountChange[] {
  const changes = new Map<string, AccountChange>();
  const add = (product: Product | null, asset: string, amount: Decimal): void => {
    if (product === null) return;
    const key = `${product} ${asset}`;
    const before = changes.get(key)?.amount ?? Decimal.zero;
    changes.set(key, { product, asset, amount: before.plus(amount) });
  };
  for (const { source, destination, asset, amount } of postings) {
    add(source, asset, Decimal.parse(amount).negated());
    add(destination, asset, Decimal.parse(amount));
  }
  return [...changes.values()].filter(({ amount }) => !amount.isZero());
}

/**
 * Kinds of ledger entries in which each user pays the fee in the coin that the user received. For these kinds a fee is
 * attributed by its coin and not by the posting's source account, which may belong to the other user.
 */
const PAID_FROM_RECEIVED: ReadonlySet<string> = new Set<EntryKind>(['spot.traded', 'convert.exchanged']);

/**
 * Kinds of entries that can credit the fees account with an amount that is no fee; corrections and debts are posted as
 * `correction.posted`.
 */
const WITHOUT_FEES: ReadonlySet<string> = new Set<EntryKind>(['correction.posted']);

function feesOf(
  kind: string,
  postings: readonly PostingRow[],
  changes: readonly AccountChange[],
): AccountEvent['fees'] {
  if (WITHOUT_FEES.has(kind)) return [];
  const received = new Set(changes.filter(({ amount }) => amount.isPositive()).map(({ asset }) => asset));
  const paid = postings.filter(
    ({ is_fee: isFee, source, asset }) =>
      isFee && (PAID_FROM_RECEIVED.has(kind) ? received.has(asset) : source !== null),
  );
  return [...groupBy(paid, ({ asset }) => asset)].map(([asset, parts]) => ({
    asset,
    amount: sum(parts.map(({ amount }) => Decimal.parse(amount))),
  }));
}
