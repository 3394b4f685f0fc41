import { instant, type Instant } from '@exchange/core/time.ts';
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
import type { StampTables } from './tables.ts';

/** A calendar's proof that a statement existed, with the Bitcoin block that attests it. */
export interface StoredProof {
  readonly calendar: string;
  /**
   * The calendar's proof of the statement: operations and attestations in the binary format of
   * OpenTimestamps.
   */
  readonly proof: Buffer;
  /** Height of the Bitcoin block that attests the statement; undefined while no block attests it yet. */
  readonly block: number | undefined;
}

export interface Stamp {
  readonly hour: Instant;
  readonly at: Instant;
  readonly statement: string;
  readonly proofs: readonly StoredProof[];
}

interface StampRow {
  readonly hour: bigint;
  readonly at: bigint;
  readonly statement: string;
}

const BY_HOUR = new ListOrder([{ name: 'hour', type: 'bigint' }]);
const STAMPS = sql<StampRow>`select hour, at, statement from stamp`;

/** A page of the hourly stamps with their proofs, newest first. */
export async function stamps(reader: Reader, page: PagedRows): Promise<ListPage<Stamp>> {
  const rows = await readPage(reader, STAMPS, BY_HOUR, page);
  const proofs = await proofsOf(reader, rows.list);
  return mapPage(rows, (row) => stampOf(row, proofs));
}

/** The stamp of an hour; undefined if there is none. */
export async function stampAt(reader: Reader, hour: Instant): Promise<Stamp | undefined> {
  const { rows } = await sql<StampRow>`${STAMPS} where hour = ${hour}::bigint`.execute(reader);
  return rows[0] && stampOf(rows[0], await proofsOf(reader, rows));
}

/** The newest stamp; undefined if there is none. */
export async function newestStamp(reader: Reader): Promise<Stamp | undefined> {
  const { rows } = await sql<StampRow>`${STAMPS} order by hour desc limit 1`.execute(reader);
  return rows[0] && stampOf(rows[0], await proofsOf(reader, rows));
}

/** Stores a statement for its hour; an already stored statement of the hour stays unchanged. */
export async function saveStatement(
  store: Store,
  { hour, at, statement }: Pick<Stamp, 'hour' | 'at' | 'statement'>,
): Promise<void> {
  await sql`insert into stamp (hour, at, statement)
    values (${hour}::bigint, ${at}::bigint, ${statement}) on conflict (hour) do nothing`.execute(store);
}

/**
 * Stores a calendar's proof, or replaces the stored proof of the same calendar and hour if no Bitcoin block attests it
 * yet.
 */
export async function saveProof(store: Store, hour: Instant, { calendar, proof, block }: StoredProof) {
  await sql`insert into stamp_proof (hour, calendar, proof, block)
    values (${hour}::bigint, ${calendar}, ${proof}, ${block ?? null}::integer)
    on conflict (hour, calendar) do update set proof = excluded.proof, block = excluded.block
      where stamp_proof.block is null`.execute(store);
}

/**
 * Parameters of `waitingStamps`, which reads the hourly stamps of which at least one calendar's proof is not
 * attested by a Bitcoin block yet.
 */
export interface WaitingStamps {
  /** The URLs of the calendars in the settings; proofs of other calendars are ignored. */
  readonly calendars: readonly string[];
  /** Only stamps of hours before this one; undefined for no bound. */
  readonly before?: Instant | undefined;
  readonly limit: number;
}

/**
 * At most `limit` hourly stamps of which the proof of at least one of the calendars is not attested by a Bitcoin block
 * yet, newest first.
 */
export async function waitingStamps(
  reader: Reader,
  { calendars, before, limit }: WaitingStamps,
): Promise<Stamp[]> {
  const { rows } = await sql<StampRow>`${STAMPS}
    where hour in (${waitingHours(calendars)}) and hour < coalesce(${before ?? null}::bigint, hour + 1)
    order by hour desc limit ${limit}`.execute(reader);
  const proofs = await proofsOf(reader, rows);
  return rows.map((row) => stampOf(row, proofs));
}

/**
 * The earliest hour whose stamp has a proof of one of the calendars that no Bitcoin block attests yet; undefined if
 * there is none.
 */
export async function oldestWaiting(
  reader: Reader,
  calendars: readonly string[],
): Promise<Instant | undefined> {
  const { rows } = await sql<{ hour: bigint }>`${waitingHours(calendars)} order by hour limit 1`.execute(
    reader,
  );
  return rows[0] && instant(wholeNumber(rows[0].hour));
}

function waitingHours(calendars: readonly string[]) {
  return sql`select hour from stamp_proof where block is null and calendar = any(${calendars}::text[])`;
}

async function proofsOf(
  reader: Reader,
  rows: readonly StampRow[],
): Promise<ReadonlyMap<bigint, readonly StoredProof[]>> {
  if (rows.length === 0) return new Map();
  const stored = await reader
    .withTables<StampTables>()
    .selectFrom('stamp_proof')
    .selectAll()
    .where(
      'hour',
      'in',
      rows.map(({ hour }) => hour),
    )
    .orderBy('hour')
    .orderBy('calendar')
    .execute();
  const byHour = new Map<bigint, StoredProof[]>();
  for (const { hour, calendar, proof, block } of stored)
    byHour.set(hour, [...(byHour.get(hour) ?? []), { calendar, proof, block: block ?? undefined }]);
  return byHour;
}

function stampOf(
  { hour, at, statement }: StampRow,
  proofs: ReadonlyMap<bigint, readonly StoredProof[]>,
): Stamp {
  return {
    hour: instant(wholeNumber(hour)),
    at: instant(wholeNumber(at)),
    statement,
    proofs: proofs.get(hour) ?? [],
  };
}
