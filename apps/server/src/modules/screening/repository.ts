import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import { tablesOf, type Reader, type Tx, type Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { addressKey, nameWords, PART_WORDS, type Hit, type ListEntry } from './domain.ts';
import type { ScreeningTables } from './tables.ts';

const tables = tablesOf<ScreeningTables>();

/** A sanctions list as it was last imported. */
export interface ImportedList {
  readonly name: string;
  readonly fileHash: string;
  readonly addresses: number;
  readonly names: number;
  readonly importedAt: Instant;
}

const INSERT_CHUNK = 1_000;

export async function importedLists(reader: Reader): Promise<ImportedList[]> {
  const rows = await tables(reader).selectFrom('sanction_list').selectAll().orderBy('name').execute();
  return rows.map(({ name, file_hash: fileHash, addresses, names, imported_at: importedAt }) => ({
    name,
    fileHash,
    addresses,
    names,
    importedAt: instant(wholeNumber(importedAt)),
  }));
}

/** Stores a sanctions list with its entries, which replace all stored entries of the list with this name. */
export async function storeList(
  tx: Tx,
  { name, fileHash, at }: { readonly name: string; readonly fileHash: string; readonly at: Instant },
  entries: readonly ListEntry[],
): Promise<void> {
  const addresses = entries.filter(({ kind }) => kind === 'address').length;
  await sql`
    insert into sanction_list (name, file_hash, addresses, names, imported_at)
    values (${name}, ${fileHash}, ${addresses}, ${entries.length - addresses}, ${at}::bigint)
    on conflict (name) do update set file_hash = excluded.file_hash, addresses = excluded.addresses,
      names = excluded.names, imported_at = excluded.imported_at
  `.execute(tx);
  await tables(tx).deleteFrom('sanction_entry').where('list', '=', name).execute();
  for (let start = 0; start < entries.length; start += INSERT_CHUNK)
    await tables(tx)
      .insertInto('sanction_entry')
      .values(
        entries.slice(start, start + INSERT_CHUNK).map(({ kind, entry, reference }) => {
          const words = kind === 'name' ? nameWords(entry) : [];
          return {
            list: name,
            kind,
            key: kind === 'name' ? words.join(' ') : addressKey(entry),
            words,
            entry,
            reference,
          };
        }),
      )
      .execute();
}

/**
 * Progress of one comparison of a source's stored names and addresses with the sanctions lists.
 */
export interface Pass {
  /** Identifies the versions of the sanctions lists with which the names and addresses are compared. */
  readonly lists: string;
  /**
   * The `subject` of the last name or address that was compared; the next page starts after it. Undefined before the
   * first.
   */
  readonly after: string | undefined;
  readonly compared: number;
  readonly finishedAt: Instant | undefined;
}

/** The latest comparison of a source's names and addresses, running or finished; undefined if there was none. */
export async function latestPass(reader: Reader, source: string): Promise<Pass | undefined> {
  const row = await tables(reader)
    .selectFrom('screening_pass')
    .selectAll()
    .where('source', '=', source)
    .executeTakeFirst();
  return (
    row && {
      lists: row.lists,
      after: row.after ?? undefined,
      compared: row.compared,
      finishedAt: row.finished_at === null ? undefined : instant(wholeNumber(row.finished_at)),
    }
  );
}

export async function storePass(reader: Reader, source: string, pass: Pass): Promise<void> {
  await sql`
    insert into screening_pass (source, lists, after, compared, finished_at)
    values (${source}, ${pass.lists}, ${pass.after ?? null}, ${pass.compared}, ${pass.finishedAt ?? null}::bigint)
    on conflict (source) do update set lists = excluded.lists, after = excluded.after,
      compared = excluded.compared, finished_at = excluded.finished_at
  `.execute(reader);
}

/** An entry of a sanctions list that an address or a name matches. */
export interface Match {
  readonly list: string;
  readonly entry: string;
  readonly reference: string;
}

/**
 * Entries of sanctions lists with this address, compared without regard to upper and lower case; at most
 * `limit`.
 */
export function addressMatches(reader: Reader, address: string, limit: number): Promise<BoundedRows<Match>> {
  const matches = tables(reader)
    .selectFrom('sanction_entry')
    .select(['list', 'entry', 'reference'])
    .where('kind', '=', 'address')
    .where('key', '=', addressKey(address))
    .orderBy('list')
    .orderBy('reference');
  return readBounded(reader, matches, limit);
}

/**
 * At most `limit` entries of sanctions lists that match a name: entries with the same words, and
 * entries with at least two common words of which one side contains all words of the other.
 */
export function nameMatches(reader: Reader, name: string, limit: number): Promise<BoundedRows<Match>> {
  const words = nameWords(name);
  const matches = tables(reader)
    .selectFrom('sanction_entry')
    .select(['list', 'entry', 'reference'])
    .where('kind', '=', 'name')
    .where(
      sql<boolean>`${words.length > 0} and (
        key = ${words.join(' ')}
        or (words <@ ${words}::text[] and cardinality(words) >= ${PART_WORDS})
        or (words @> ${words}::text[] and ${words.length} >= ${PART_WORDS})
      )`,
    )
    .orderBy('list')
    .orderBy('reference');
  return readBounded(reader, matches, limit);
}

/**
 * Stores a sanctions match. Returns false if a match of the same subject, list and reference is stored already,
 * whatever was decided about it.
 */
export async function insertHit(
  store: Store,
  hit: Omit<Hit, 'state' | 'decidedAt' | 'decidedBy' | 'reason'>,
): Promise<boolean> {
  const stored = await tables(store)
    .insertInto('sanction_hit')
    .values({
      id: hit.id,
      subject_kind: hit.subjectKind,
      subject: hit.subject,
      owner: hit.owner,
      screened: hit.screened ?? null,
      list: hit.list,
      reference: hit.reference,
      entry: hit.entry,
      state: 'open',
      created_at: BigInt(hit.createdAt),
      decided_at: null,
      decided_by: null,
      reason: null,
    })
    .onConflict((conflict) => conflict.columns(['subject_kind', 'subject', 'list', 'reference']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

export async function findHit(reader: Reader, id: string): Promise<Hit | undefined> {
  const row = await tables(reader)
    .selectFrom('sanction_hit')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && hitOf(row);
}

/** The sanctions matches without a decision, at most `limit`, the earliest found first. */
export async function openHits(reader: Reader, limit: number): Promise<BoundedRows<Hit>> {
  const open = tables(reader)
    .selectFrom('sanction_hit')
    .selectAll()
    .where('state', '=', 'open')
    .orderBy('id');
  return mapBounded(await readBounded(reader, open, limit), hitOf);
}

/** Sanctions matches with a decision, at most `limit`, the latest found first. */
export async function decidedHits(reader: Reader, limit: number): Promise<BoundedRows<Hit>> {
  const decided = tables(reader)
    .selectFrom('sanction_hit')
    .selectAll()
    .where('state', '<>', 'open')
    .orderBy('id', 'desc');
  return mapBounded(await readBounded(reader, decided, limit), hitOf);
}

/** Whether an account has a sanctions match that is open or confirmed. */
export async function isBlocked(reader: Reader, owner: UserId): Promise<boolean> {
  const { rows } = await sql`
    select from sanction_hit where owner = ${owner} and state <> 'cleared' limit 1
  `.execute(reader);
  return rows.length > 0;
}

/** The accounts among `owners` that have a sanctions match that is open or confirmed. */
export async function blockedAmong(reader: Reader, owners: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  const { rows } = await sql<{ owner: UserId }>`
    select distinct owner from sanction_hit where owner = any(${owners}::uuid[]) and state <> 'cleared'
  `.execute(reader);
  return new Set(rows.map(({ owner }) => owner));
}

/**
 * Decides an open sanctions match as cleared or confirmed, or clears a confirmed one. Returns false, without a change,
 * if the match does not exist or is in another state.
 */
export async function decideHit(
  store: Store,
  id: string,
  decision: {
    readonly state: 'cleared' | 'confirmed';
    readonly by: string;
    readonly reason: string;
    readonly at: Instant;
  },
): Promise<boolean> {
  const { state, by, reason, at } = decision;
  const row = await tables(store)
    .updateTable('sanction_hit')
    .set({ state, decided_at: BigInt(at), decided_by: by, reason })
    .where('id', '=', id)
    .where('state', 'in', state === 'cleared' ? ['open', 'confirmed'] : ['open'])
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

function hitOf(row: Selectable<ScreeningTables['sanction_hit']>): Hit {
  return {
    id: row.id,
    subjectKind: row.subject_kind,
    subject: row.subject,
    owner: row.owner as UserId,
    screened: row.screened ?? undefined,
    list: row.list,
    reference: row.reference,
    entry: row.entry,
    state: row.state,
    createdAt: instant(wholeNumber(row.created_at)),
    decidedAt: row.decided_at === null ? undefined : instant(wholeNumber(row.decided_at)),
    decidedBy: row.decided_by ?? undefined,
    reason: row.reason ?? undefined,
  };
}
