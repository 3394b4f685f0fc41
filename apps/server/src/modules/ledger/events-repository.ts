import { Decimal, sum } from '@exchange/core/decimal.ts';
import { groupedBy } from '@exchange/core/grouped.ts';
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

/** Narrows an account's events; what is absent does not narrow. */
export interface EventFilter {
  /** Events that changed how much of this coin is in one of the owner's accounts. */
  readonly asset?: string | undefined;
  readonly kinds?: readonly EntryKind[] | undefined;
  /** Milliseconds UTC, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** How much of a coin came to one of the owner's accounts; negative where it left. */
export interface AccountChange {
  readonly product: Product;
  readonly asset: string;
  readonly amount: Decimal;
}

/** A ledger entry as its owner sees it: one trade, one withdrawal, one purchase. */
export interface AccountEvent {
  /** Sequence of the entry in the ledger. */
  readonly entry: number;
  readonly at: number;
  readonly kind: string;
  readonly reference: string | null;
  /** Net of what is available, frozen and locked, and after fees; accounts and coins that did not change are left out. */
  readonly changes: readonly AccountChange[];
  /** Fees that the owner paid, contained in the changes; at most one for each coin. */
  readonly fees: readonly { readonly asset: string; readonly amount: Decimal }[];
}

/** Newest first. Entries are numbered in the order of their time, and the index holds the time before the number. */
const BY_TIME = new ListOrder([
  { name: 'at', type: 'bigint' },
  { name: 'entry', type: 'bigint' },
]);

/** The entry that a page begins behind, or at; undefined for a first page. */
export function entryOfEventPage({ anchor, after }: Pick<PagedRows, 'anchor' | 'after'>): number | undefined {
  const place = after ?? anchor;
  if (place === undefined) return undefined;
  return wholeNumber(BigInt(BY_TIME.read(place, after === undefined ? 'anchor' : 'after')[1]!));
}

/**
 * Leaves out entries that only set funds aside inside one account, and the part of a fund purchase that does.
 * Word by word the condition of the index `ledger_movement_event`.
 */
const IS_EVENT = sql<boolean>`kind not in ('spot.held', 'spot.released', 'seconds.opened', 'seconds.returned', 'withdrawal.held', 'withdrawal.returned')
    and (kind <> 'fund.bought' or bucket = 'available')`;

/** A page of an owner's events. `isMerged` reads entries that are not projected into statements yet as well. */
export async function eventsOf(
  reader: Reader,
  owner: UserId,
  filter: EventFilter,
  page: PagedRows & { readonly isMerged?: boolean },
): Promise<ListPage<AccountEvent>> {
  const rows = page.offset + page.limit + 1;
  const from = BY_TIME.from(page);
  const behind = sql<boolean>`${from} and ${BY_TIME.behind(page)}`;
  const [found, { rows: counted }] = await Promise.all([
    sql<Place>`${placesOf(owner, filter, { behind, rows, isMerged: page.isMerged === true })}
      limit ${page.limit + 1} offset ${page.offset}`.execute(reader),
    sql<{ count: bigint }>`
      ${coinsByKind(owner)}
      select count(distinct entry) as count from (
        select entry from coins cross join lateral (
          select entry from ledger_movement
          where ${ofOneCoin(owner, filter)} and ${from} limit ${PAGED_ROWS_MAX}
        ) as listed
        where ${narrowing(filter)} limit ${PAGED_ROWS_MAX}
      ) as counted`.execute(reader),
  ]);
  const places = listPage(found.rows, wholeNumber(counted[0]?.count ?? 0n), BY_TIME, page);
  return { ...places, list: await eventsAt(reader, owner, places.list) };
}

/** The owner's events that are older than one of them, or the newest; newest first. */
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
  const behind = BY_TIME.behind({ ...firstRows(limit), after });
  const found =
    await sql<Place>`${placesOf(owner, filter, { behind, rows: limit, isMerged })} limit ${limit}`.execute(
      reader,
    );
  return eventsAt(reader, owner, found.rows);
}

/** Where an event stands in the history. */
interface Place {
  readonly at: bigint;
  readonly entry: bigint;
}

/**
 * The places of an owner's newest events behind a place. The index is read once for each kind and coin that the owner ever
 * had, `rows` of each, so that a rare event does not lie behind everything that was traded.
 */
function placesOf(
  owner: UserId,
  filter: EventFilter,
  page: { readonly behind: RawBuilder<boolean>; readonly rows: number; readonly isMerged: boolean },
): RawBuilder<Place> {
  const { behind, rows, isMerged } = page;
  return sql<Place>`
    ${coinsByKind(owner)}
    select at, entry from (
      select newest.at, newest.entry from coins cross join lateral (
        select at, entry from ledger_movement
        where ${ofOneCoin(owner, filter)} and ${behind}
        group by at, entry order by at desc, entry desc limit ${rows}
      ) as newest
      where ${narrowing(filter)}
      ${isMerged ? sql`union all ${placesOfTail(owner, filter, behind)}` : sql``}
    ) as places
    group by at, entry order by at desc, entry desc`;
}

/** Every kind and coin of an owner's events: each is the next in the index behind the one before. */
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

function ofOneCoin(owner: UserId, { from, to }: EventFilter): RawBuilder<boolean> {
  return sql<boolean>`owner = ${owner} and ${IS_EVENT}
    and ledger_movement.kind = coins.kind and ledger_movement.asset = coins.asset
    ${from === undefined ? sql`` : sql`and at >= ${from}::bigint`}
    ${to === undefined ? sql`` : sql`and at <= ${to}::bigint`}`;
}

function narrowing({ kinds, asset }: EventFilter): RawBuilder<boolean> {
  return sql<boolean>`true
    ${kinds === undefined ? sql`` : sql`and coins.kind = any(${kinds}::text[])`}
    ${asset === undefined ? sql`` : sql`and coins.asset = ${asset}`}`;
}

/** The places of events among the entries that are not projected yet. */
function placesOfTail(
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
  /** The owner's products on both sides; null where a side is somebody else's. */
  readonly source: Product | null;
  readonly destination: Product | null;
  readonly is_fee: boolean;
}

/** The events at some places of an owner's history, in their order. */
async function eventsAt(reader: Reader, owner: UserId, places: readonly Place[]): Promise<AccountEvent[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<PostingRow>`
    select e.sequence as entry, e.at, e.kind, e.reference, s.asset, posting.amount::text as amount,
      case when s.owner = ${owner} then split_part(s.address, ':', 3) end as source,
      case when d.owner = ${owner} then split_part(d.address, ':', 3) end as destination,
      d.address = 'house:fees' as is_fee
    from ledger_entry e
    cross join lateral unnest(e.sources, e.destinations, e.amounts) with ordinality
      as posting(source, destination, amount, place)
    join ledger_account s on s.id = posting.source and s.asset not like '%:%'
    join ledger_account d on d.id = posting.destination
    where e.sequence = any(${places.map(({ entry }) => entry)}::bigint[])
      and (s.owner = ${owner} or d.owner = ${owner} or d.address = 'house:fees')
    order by e.sequence, posting.place
  `.execute(reader);
  const postings = groupedBy(rows, ({ entry }) => entry);
  return places.map(({ entry }) => eventOf(postings.get(entry)!));
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
    const name = `${product} ${asset}`;
    const before = changes.get(name)?.amount ?? Decimal.zero;
    changes.set(name, { product, asset, amount: before.plus(amount) });
  };
  for (const { source, destination, asset, amount } of postings) {
    add(source, asset, Decimal.parse(amount).negated());
    add(destination, asset, Decimal.parse(amount));
  }
  return [...changes.values()].filter(({ amount }) => !amount.isZero());
}

/** Kinds in which each side pays its fee out of what it receives, whoever's account the posting names as its source. */
const PAID_FROM_RECEIVED: ReadonlySet<string> = new Set<EntryKind>(['spot.traded', 'convert.exchanged']);

function feesOf(
  kind: string,
  postings: readonly PostingRow[],
  changes: readonly AccountChange[],
): AccountEvent['fees'] {
  const received = new Set(changes.filter(({ amount }) => amount.isPositive()).map(({ asset }) => asset));
  const paid = postings.filter(
    ({ is_fee: isFee, source, asset }) =>
      isFee && (PAID_FROM_RECEIVED.has(kind) ? received.has(asset) : source !== null),
  );
  return [...groupedBy(paid, ({ asset }) => asset)].map(([asset, parts]) => ({
    asset,
    amount: sum(parts.map(({ amount }) => Decimal.parse(amount))),
  }));
}
