import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import type { VersionsBelow } from '../../platform/database/kept-versions.ts';
import { ENTRIES_MAX, type Entry, type EntryBody, type EntryKind } from './domain.ts';
import type { BoardTables } from './tables.ts';

/** A version of an announcement or a banner (an entry), with the operator who published it and the reason. */
export interface EntryVersion extends Entry {
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

/**
 * Returns the newest version of each announcement, or of each banner, including withdrawn, ended and future
 * ones; those with the latest start time come first.
 */
export async function entriesOf(reader: Reader, kind: EntryKind): Promise<Entry[]> {
  const rows = await reader
    .withTables<BoardTables>()
    .selectFrom('board_entry')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('from_at', 'desc')
    .orderBy('code')
    .limit(ENTRIES_MAX)
    .execute();
  return rows.map(entryOf);
}

/** Returns the `limit` newest versions of all announcements and banners together, newest first. */
export async function entryVersions(reader: Reader, limit: number): Promise<EntryVersion[]> {
  const rows = await reader
    .withTables<BoardTables>()
    .selectFrom('board_entry_version')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('code')
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();
  return rows.map(versionOf);
}

/**
 * Lists versions of one announcement or banner, newest first, at most `limit`; with `before` only those with
 * a lower number.
 */
export async function versionsOfEntry(
  reader: Reader,
  kind: EntryKind,
  code: string,
  { before, limit }: VersionsBelow,
): Promise<EntryVersion[]> {
  const rows = await reader
    .withTables<BoardTables>()
    .selectFrom('board_entry_version')
    .selectAll()
    .where('code', '=', code)
    .where('kind', '=', kind)
    .$if(before !== undefined, (query) => query.where('version', '<', sql<number>`${before}::bigint`))
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();
  return rows.map(versionOf);
}

/**
 * Reads the announcement or banner with this code; undefined if the code is unknown. Until the transaction ends, all
 * other transactions that call this function wait, whatever their code.
 */
export async function lockedEntry(tx: Tx, code: string): Promise<Entry | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('board', 0))`.execute(tx);
  return entryOfCode(tx, code);
}

/**
 * Returns the current version of the announcement or banner with this code; undefined if the code is unknown.
 */
export async function entryOfCode(reader: Reader, code: string): Promise<Entry | undefined> {
  const row = await reader
    .withTables<BoardTables>()
    .selectFrom('board_entry')
    .selectAll()
    .where('code', '=', code)
    .executeTakeFirst();
  return row && entryOf(row);
}

export async function entryCount(reader: Reader): Promise<number> {
  const row = await reader
    .withTables<BoardTables>()
    .selectFrom('board_entry')
    .select(({ fn }) => fn.countAll<bigint>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Stores a version and makes it the current version of its announcement or banner. */
export async function writeVersion(
  tx: Tx,
  entry: Entry,
  authorship: { readonly at: Instant; readonly by: string; readonly reason: string },
): Promise<void> {
  const { code, version, kind, body, position, fromAt, untilAt, isWithdrawn } = entry;
  const row = {
    code,
    version,
    kind,
    position,
    body: JSON.stringify(body),
    is_withdrawn: isWithdrawn,
    from_at: BigInt(fromAt),
    until_at: untilAt === undefined ? null : BigInt(untilAt),
  };
  const tables = tx.withTables<BoardTables>();
  await tables
    .insertInto('board_entry')
    .values(row)
    .onConflict((conflict) => conflict.column('code').doUpdateSet(row))
    .execute();
  await tables
    .insertInto('board_entry_version')
    .values({ ...row, ...authorship, at: BigInt(authorship.at) })
    .execute();
}

function versionOf(row: Selectable<BoardTables['board_entry_version']>): EntryVersion {
  return { ...entryOf(row), at: Number(row.at), by: row.by, reason: row.reason };
}

function entryOf(row: Selectable<BoardTables['board_entry']>): Entry {
  return {
    code: row.code,
    version: row.version,
    kind: row.kind,
    body: row.body as EntryBody,
    position: row.position,
    isWithdrawn: row.is_withdrawn,
    fromAt: instant(Number(row.from_at)),
    untilAt: row.until_at === null ? undefined : instant(Number(row.until_at)),
  };
}
