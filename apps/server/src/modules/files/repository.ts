import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { UploadPurpose } from '@exchange/core/upload.ts';
import { sql, type Selectable } from 'kysely';
import { tablesOf, type Store } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { ClaimedFile, StoredFile } from './domain/file.ts';
import type { FileTables } from './tables.ts';

const tables = tablesOf<FileTables>();

/**
 * Counts one attempt of a user to upload a file on the UTC day that starts at `day`, and returns true. Returns false
 * and counts nothing if the user already has `limit` attempts on that day.
 */
export async function countAttempt(
  store: Store,
  owner: UserId,
  day: Instant,
  limit: number,
): Promise<boolean> {
  const counted = await tables(store)
    .insertInto('file_day')
    .values({ owner, day: BigInt(day), tries: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'day'])
        .doUpdateSet({ tries: sql<number>`file_day.tries + 1` })
        .where('file_day.tries', '<', limit),
    )
    .returning('tries')
    .executeTakeFirst();
  return counted !== undefined;
}

export async function insertFile(store: Store, file: StoredFile): Promise<void> {
  const { id, owner, purpose, hash, width, height, createdAt } = file;
  await tables(store)
    .insertInto('file')
    .values({
      id,
      owner,
      purpose,
      sha256: Buffer.from(hash, 'hex'),
      width,
      height,
      state: 'free',
      claimed_for: null,
      created_at: BigInt(createdAt),
    })
    .execute();
}

/** The uploaded file with this id; undefined if there is none, or if it was released (marked for deletion). */
export async function findFile(store: Store, id: string): Promise<StoredFile | undefined> {
  const row = await tables(store)
    .selectFrom('file')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'gone')
    .executeTakeFirst();
  return row && fileOf(row);
}

/**
 * Claims, for the object `about`, those of the given files that have the owner and the purpose of the claim and that no
 * module has claimed. Returns them together with those of the given files that were already claimed for the same
 * object.
 */
export async function claimFiles(
  store: Store,
  ids: readonly string[],
  claim: { readonly owner: UserId; readonly purpose: UploadPurpose; readonly about: string },
): Promise<ClaimedFile[]> {
  if (ids.length === 0) return [];
  const { owner, purpose, about } = claim;
  const rows = await tables(store)
    .updateTable('file')
    .set({ state: 'claimed', claimed_for: about })
    .where('id', 'in', ids)
    .where('owner', '=', owner)
    .where('purpose', '=', purpose)
    .where((where) =>
      where.or([
        where('state', '=', 'free'),
        where.and([where('state', '=', 'claimed'), where('claimed_for', '=', about)]),
      ]),
    )
    .returningAll()
    .returning((row) =>
      row
        .exists(
          row
            .selectFrom('file as earlier')
            .select('earlier.id')
            .where('earlier.sha256', '=', row.ref('file.sha256'))
            .where('earlier.purpose', '=', purpose)
            .where('earlier.id', '<', row.ref('file.id')),
        )
        .as('is_repeated'),
    )
    .execute();
  return rows.map((row) => ({ ...fileOf(row), isRepeated: row.is_repeated === true }));
}

/** Releases uploaded files: they can no longer be found, and the next clean-up erases their content. */
export async function releaseFiles(store: Store, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tables(store).updateTable('file').set({ state: 'gone' }).where('id', 'in', ids).execute();
}

/**
 * Releases uploaded files that were created before `before` and that no module has claimed, at most `limit`. Returns
 * the number of released files.
 */
export async function releaseUnclaimed(store: Store, before: Instant, limit: number): Promise<number> {
  const rows = await tables(store)
    .updateTable('file')
    .set({ state: 'gone' })
    .where('id', 'in', (files) =>
      files
        .selectFrom('file')
        .select('id')
        .where('state', '=', 'free')
        .where('created_at', '<', BigInt(before))
        .orderBy('created_at')
        .limit(limit),
    )
    .where('state', '=', 'free')
    .returning('id')
    .execute();
  return rows.length;
}

export async function releasedFiles(store: Store, limit: number): Promise<string[]> {
  const rows = await tables(store)
    .selectFrom('file')
    .select('id')
    .where('state', '=', 'gone')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes the database rows of uploaded files whose content was erased. */
export async function deleteFiles(store: Store, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tables(store).deleteFrom('file').where('id', 'in', ids).where('state', '=', 'gone').execute();
}

export async function deleteAttemptCounts(store: Store, before: Instant): Promise<void> {
  await tables(store).deleteFrom('file_day').where('day', '<', BigInt(before)).execute();
}

function fileOf(row: Selectable<FileTables['file']>): StoredFile {
  return {
    id: row.id,
    owner: row.owner as UserId,
    purpose: row.purpose as UploadPurpose,
    hash: row.sha256.toString('hex'),
    width: row.width,
    height: row.height,
    createdAt: instant(wholeNumber(row.created_at)),
  };
}
