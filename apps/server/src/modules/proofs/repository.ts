import { instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Reader, Store } from '../../platform/database/database.ts';
import {
  ListOrder,
  type ListPage,
  type PagedRows,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { dayText, KEPT_SNAPSHOTS, type CoinTotal, type Snapshot } from './domain.ts';

interface SnapshotRow {
  readonly day: number;
  readonly at: bigint;
  readonly entry: bigint;
  readonly leaves: number;
  readonly root: string;
  readonly totals: readonly CoinTotal[];
  readonly key: string;
  readonly signature: string;
}

/** A node of the Merkle tree: its hash in hex, and its sums by coin as text, such as `BTC:0.5,USDT:12`. */
export interface StoredNode {
  readonly hash: string;
  readonly sums: string;
}

export interface PlacedNode extends StoredNode {
  readonly level: number;
  readonly place: number;
}

/** SQL query of the days of the `KEPT_SNAPSHOTS` newest snapshots, whose leaves stay stored. */
const KEPT_DAYS = sql`select day from proof_snapshot order by day desc limit ${KEPT_SNAPSHOTS}`;
const COLUMNS = sql`day, at, entry, leaves, encode(root, 'hex') as root, totals, key, signature`;

function snapshotOf({ day, at, entry, key, signature, ...row }: SnapshotRow): Snapshot {
  return {
    ...row,
    day: dayText(day),
    time: instant(wholeNumber(at)),
    entry: wholeNumber(entry),
    receipt: { key, signature },
  };
}

const BY_DAY = new ListOrder([{ name: 'day', type: 'integer' }]);

export async function snapshots(reader: Reader, page: PagedRows): Promise<ListPage<Snapshot>> {
  const snapshotsQuery = sql<SnapshotRow>`select ${COLUMNS} from proof_snapshot`;
  return mapPage(await readPage(reader, snapshotsQuery, BY_DAY, page), snapshotOf);
}

/**
 * The latest liability snapshot, or that of `day` if it is among the `KEPT_SNAPSHOTS` newest ones, whose leaves are
 * stored; undefined if there is none.
 */
export async function storedSnapshot(reader: Reader, day?: number): Promise<Snapshot | undefined> {
  const { rows } = await sql<SnapshotRow>`
    with kept as (select * from proof_snapshot order by day desc limit ${KEPT_SNAPSHOTS})
    select ${COLUMNS} from kept where ${day ?? null}::integer is null or day = ${day ?? null}::integer
    order by day desc limit 1`.execute(reader);
  return rows[0] && snapshotOf(rows[0]);
}

export async function lastDay(reader: Reader): Promise<number | undefined> {
  const { rows } = await sql<{ day: number | null }>`select max(day) as day from proof_snapshot`.execute(
    reader,
  );
  return rows[0]?.day ?? undefined;
}

/** Publishes a liability snapshot. Returns false if its day already has one. */
export async function publish(store: Store, day: number, snapshot: Snapshot): Promise<boolean> {
  const { time, entry, leaves, root, totals, receipt } = snapshot;
  const { numAffectedRows } = await sql`
    insert into proof_snapshot (day, at, entry, leaves, root, totals, key, signature)
    values (${day}, ${time}, ${entry}, ${leaves}, decode(${root}, 'hex'), ${JSON.stringify(totals)}::jsonb,
      ${receipt.key}, ${receipt.signature})
    on conflict (day) do nothing`.execute(store);
  return numAffectedRows === 1n;
}

export async function saveOwed(
  store: Store,
  day: number,
  rows: readonly { readonly owner: string; readonly amounts: string }[],
): Promise<void> {
  await sql`
    insert into proof_owed (day, owner, amounts)
    select ${day}, * from unnest(
      ${rows.map(({ owner }) => owner)}::uuid[], ${rows.map(({ amounts }) => amounts)}::text[])`.execute(
    store,
  );
}

export async function saveLeaves(store: Store, day: number, leaves: readonly StoredNode[]): Promise<void> {
  await sql`
    insert into proof_leaf (day, hash, sums)
    select ${day}, decode(hash, 'hex'), sums from unnest(
      ${leaves.map(({ hash }) => hash)}::text[], ${leaves.map(({ sums }) => sums)}::text[])
      as leaf(hash, sums)`.execute(store);
}

/**
 * Up to `limit` leaves of a Merkle tree after the hash `behind`, ordered by hash. The recursive query
 * reads the index leaf by leaf. Without statistics for the new rows, the planner might otherwise sort
 * all leaves for every page.
 */
export async function leavesAfter(
  store: Store,
  day: number,
  behind: string,
  limit: number,
): Promise<StoredNode[]> {
  const { rows } = await sql<StoredNode>`
    with recursive next(hash, sums, turn) as (
      (select hash, sums, 1 from proof_leaf
       where day = ${day} and hash > decode(${behind}, 'hex') order by hash limit 1)
      union all
      select leaf.hash, leaf.sums, next.turn + 1 from next cross join lateral (
        select hash, sums from proof_leaf where day = ${day} and hash > next.hash order by hash limit 1
      ) as leaf
      where next.turn < ${limit}
    )
    select encode(hash, 'hex') as hash, sums from next order by turn`.execute(store);
  return rows;
}

/**
 * Stores the positions of a day's leaves in the Merkle tree: consecutive ones from `first`, in the order of
 * `hashes`.
 */
export async function placeLeaves(
  store: Store,
  day: number,
  hashes: readonly string[],
  first: number,
): Promise<void> {
  await sql`
    update proof_leaf set
      place = ${first}::integer + array_position(${hashes}::text[], encode(hash, 'hex')) - 1
    where day = ${day}
      and hash = any(array(select decode(one, 'hex') from unnest(${hashes}::text[]) as one))`.execute(store);
}

export async function saveNodes(store: Store, day: number, nodes: readonly PlacedNode[]): Promise<void> {
  await sql`
    insert into proof_node (day, level, place, hash, sums)
    select ${day}, level, place, decode(hash, 'hex'), sums from unnest(
      ${nodes.map(({ level }) => level)}::smallint[], ${nodes.map(({ place }) => place)}::integer[],
      ${nodes.map(({ hash }) => hash)}::text[], ${nodes.map(({ sums }) => sums)}::text[])
      as node(level, place, hash, sums)`.execute(store);
}

/**
 * Amounts owed to a user in the liability snapshot of a day, in the notation of `sumsText`; undefined if
 * nothing is owed.
 */
export async function owedTo(reader: Reader, day: number, owner: string): Promise<string | undefined> {
  const { rows } = await sql<{ amounts: string }>`
    select amounts from proof_owed where day = ${day} and owner = ${owner}`.execute(reader);
  return rows[0]?.amounts;
}

/** The positions, by hash, of those of the given leaves that the Merkle tree of a day contains. */
export async function placesOf(
  reader: Reader,
  day: number,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ hash: string; place: number }>`
    select encode(hash, 'hex') as hash, place from proof_leaf where day = ${day}
      and hash = any(array(select decode(one, 'hex') from unnest(${hashes}::text[]) as one))`.execute(reader);
  return new Map(rows.map(({ hash, place }) => [hash, place]));
}

/**
 * The nodes of a day's Merkle tree at the given levels and positions, in no order; level 0 contains the
 * leaves. Nodes that are not stored are left out.
 */
export async function nodesAt(
  reader: Reader,
  day: number,
  positions: readonly { readonly level: number; readonly place: number }[],
): Promise<PlacedNode[]> {
  const { rows } = await sql<PlacedNode>`
    with wanted as (
      select * from unnest(
        ${positions.map(({ level }) => level)}::smallint[], ${positions.map(({ place }) => place)}::integer[])
        as one(level, place)
    )
    select 0::smallint as level, leaf.place, encode(leaf.hash, 'hex') as hash, leaf.sums
    from wanted join proof_leaf leaf on leaf.day = ${day} and leaf.place = wanted.place
    where wanted.level = 0
    union all
    select node.level, node.place, encode(node.hash, 'hex') as hash, node.sums
    from wanted join proof_node node
      on node.day = ${day} and node.level = wanted.level and node.place = wanted.place`.execute(reader);
  return rows;
}

/** Days whose snapshot rows can be deleted: their snapshot is not published, or is older than the kept ones. */
export async function surplusDays(reader: Reader): Promise<number[]> {
  const { rows } = await sql<{ day: number }>`
    with recursive present(day) as (
      (select day from proof_owed order by day limit 1)
      union all
      select (select day from proof_owed where day > present.day order by day limit 1)
      from present where present.day is not null
    )
    select day from present where day is not null
      and day not in (${KEPT_DAYS})`.execute(reader);
  return rows.map(({ day }) => day);
}

const TABLES = ['proof_node', 'proof_leaf', 'proof_owed'] as const;

/**
 * Deletes the leaves, inner nodes and owed amounts of a day's snapshot in batches of `limit`; its published
 * row stays. The rows of `proof_owed`, by which `surplusDays` finds the day, are deleted last, so an
 * interrupted deletion is resumed. The statement itself excludes days with a kept snapshot, because another
 * process may publish one concurrently.
 */
export async function clearDay(store: Store, day: number, limit: number): Promise<void> {
  for (const table of TABLES) {
    for (let deletedCount = limit; deletedCount >= limit;) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where day = ${day} and day not in (${KEPT_DAYS})
          limit ${limit}))`.execute(store);
      deletedCount = Number(numAffectedRows ?? 0n);
    }
  }
}
