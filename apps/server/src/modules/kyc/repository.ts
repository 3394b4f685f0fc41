import type { UserId } from '@exchange/core/ids.ts';
import type { KycReason } from '@exchange/core/kyc.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import { mapBounded, readBounded, type BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import { tablesOf, type Store, type Tx, type Reader } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { FINGERPRINT_VERSION } from './domain/document-match.ts';
import type { Decision, Submission, SubmissionStatus } from './domain.ts';
import type { KycTables } from './tables.ts';

const tables = tablesOf<KycTables>();
const toInstant = (value: bigint): Instant => instant(wholeNumber(value));

/** A submission that waits for review, with two facts that help the reviewer. */
export interface QueuedSubmission {
  readonly submission: Submission;
  /** Number of submissions that the same user made before this one. */
  readonly earlier: number;
  /** Number of other accounts with a pending or verified submission of the same document. */
  readonly sameDocument: number;
}

/**
 * Makes other transactions that submit an identity of this user, or decide about one, wait until this transaction ends.
 */
export async function lockOwner(tx: Tx, owner: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`kyc ${owner}`}, 0))`.execute(tx);
}

/**
 * Makes other transactions that verify an identity with the same document wait until this transaction ends, so that two
 * accounts cannot be verified with it at the same time. A caller that needs both locks must call `lockOwner` first.
 */
export async function lockDocument(tx: Tx, { documentHash }: Submission): Promise<void> {
  const document = documentHash.toString('hex');
  await sql`select pg_advisory_xact_lock(hashtextextended(${`kyc document ${document}`}, 0))`.execute(tx);
}

export async function lastSubmission(store: Store, owner: UserId): Promise<Submission | undefined> {
  const row = await tables(store)
    .selectFrom('kyc_submission')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('submitted_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && submissionOf(row);
}

export async function submissionById(store: Store, id: string): Promise<Submission | undefined> {
  const row = await tables(store)
    .selectFrom('kyc_submission')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && submissionOf(row);
}

/** True if the user has a submission with this idempotency key. */
export async function hasKey(store: Store, owner: UserId, key: string): Promise<boolean> {
  const row = await tables(store)
    .selectFrom('kyc_submission')
    .select('id')
    .where('owner', '=', owner)
    .where('request_key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countSince(store: Store, owner: UserId, since: Instant): Promise<number> {
  const { n } = await tables(store)
    .selectFrom('kyc_submission')
    .select(({ fn }) => fn.countAll<bigint>().as('n'))
    .where('owner', '=', owner)
    .where('submitted_at', '>', BigInt(since))
    .executeTakeFirstOrThrow();
  return wholeNumber(n);
}

/** Keyed hashes through which a submission is found. */
export interface IndexKeys {
  /**
   * Keyed hashes of the index texts of the document number (`nearTexts`); two similar numbers have at least one in
   * common.
   */
  readonly near: readonly Buffer[];
  /** Keyed hash of the document number without the country. */
  readonly number: Buffer;
  /** Keyed hashes of the words of the name, and of the name without spaces. */
  readonly names: readonly Buffer[];
}

export async function insertSubmission(
  tx: Tx,
  submission: Submission,
  keys: IndexKeys,
  key: string | undefined,
): Promise<void> {
  await tables(tx)
    .insertInto('kyc_submission')
    .values({
      id: submission.id,
      owner: submission.owner,
      request_key: key ?? null,
      country: submission.country,
      sealed: submission.sealed,
      document_hash: submission.documentHash,
      front: submission.front,
      back: submission.back,
      fingerprint_version: FINGERPRINT_VERSION,
      near_keys: [...keys.near],
      number_key: keys.number,
      name_keys: [...keys.names],
      is_same_side: submission.isSameSide,
      status: submission.status,
      submitted_at: BigInt(submission.submittedAt),
      decided_at: null,
      decided_by: null,
      reasons: [],
      note: '',
      photos_erased_at: null,
    })
    .execute();
}

/** Stores the decision about a pending submission, and returns true. Returns false if the submission is not pending. */
export async function storeDecision(
  tx: Tx,
  id: string,
  decision: Decision,
  { by, now }: { readonly by: string; readonly now: Instant },
): Promise<boolean> {
  const row = await tables(tx)
    .updateTable('kyc_submission')
    .set({
      status: decision.status,
      decided_at: BigInt(now),
      decided_by: by,
      ...(decision.status === 3 ? { reasons: [...decision.reasons], note: decision.note } : {}),
    })
    .where('id', '=', id)
    .where('status', '=', 1)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** True if another account is verified with the same document. */
export async function isTaken(store: Store, { documentHash, owner }: Submission): Promise<boolean> {
  const row = await tables(store)
    .selectFrom('kyc_submission')
    .select('id')
    .where('document_hash', '=', documentHash)
    .where('status', '=', 2)
    .where('owner', '<>', owner)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Of these pairs of user ids, returns the id `one` of each pair whose two users submitted the same document,
 * whatever was decided about their submissions.
 */
export async function sharedDocuments(
  store: Store,
  pairs: readonly { readonly one: UserId; readonly other: UserId }[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await sql<{ one: UserId }>`
    select pair.one from unnest(
      ${pairs.map(({ one }) => one)}::uuid[], ${pairs.map(({ other }) => other)}::uuid[]
    ) as pair (one, other)
    where exists (
      select from kyc_submission a join kyc_submission b
        on b.owner = pair.other and b.document_hash = a.document_hash
      where a.owner = pair.one
    )
  `.execute(store);
  return new Set(rows.map(({ one }) => one));
}

/** Greatest number of candidates, newest first, that are read to compare them with a submission. */
const NEAR_MOST = 20;

/**
 * For each of the submissions, the submissions of other users that have a keyed hash of similar document
 * numbers (`near_keys`) in common with it: at most `NEAR_MOST`, newest first.
 */
export async function nearSubmissions(
  store: Store,
  ids: readonly string[],
): Promise<{ about: string; submission: Submission }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ about: string } & Selectable<KycTables['kyc_submission']>>`
    select one.id as about, other.* from kyc_submission one cross join lateral (
      select * from kyc_submission other
      where other.near_keys && one.near_keys and other.owner <> one.owner
      order by other.submitted_at desc limit ${NEAR_MOST}
    ) other
    where one.id = any(${ids}::uuid[])
  `.execute(store);
  return rows.map((row) => ({ about: row.about, submission: submissionOf(row) }));
}

/** Verified submissions ordered by id, starting after the id `after`, at most `limit`. */
export async function verifiedSubmissions(
  store: Store,
  after: string | undefined,
  limit: number,
): Promise<Submission[]> {
  const verified = tables(store).selectFrom('kyc_submission').selectAll().where('status', '=', 2);
  const following = after === undefined ? verified : verified.where('id', '>', after);
  return (await following.orderBy('id').limit(limit).execute()).map(submissionOf);
}

/** Submissions whose fingerprints an earlier version of the software computed, at most `limit`. */
export async function outdatedFingerprints(store: Store, limit: number): Promise<Submission[]> {
  const rows = await tables(store)
    .selectFrom('kyc_submission')
    .selectAll()
    .where('fingerprint_version', '<', FINGERPRINT_VERSION)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(submissionOf);
}

export async function storeFingerprints(
  store: Store,
  id: string,
  { hash, keys }: { readonly hash: Buffer; readonly keys: IndexKeys },
): Promise<void> {
  await tables(store)
    .updateTable('kyc_submission')
    .set({
      document_hash: hash,
      near_keys: [...keys.near],
      number_key: keys.number,
      name_keys: [...keys.names],
      fingerprint_version: FINGERPRINT_VERSION,
    })
    .where('id', '=', id)
    .execute();
}

/** Submissions that wait for review, oldest first, at most `limit`. */
export async function pendingSubmissions(
  store: Store,
  limit: number,
): Promise<BoundedRows<QueuedSubmission>> {
  const waiting = tables(store)
    .selectFrom('kyc_submission as one')
    .selectAll('one')
    .select((row) => [
      row
        .selectFrom('kyc_submission as before')
        .select(({ fn }) => fn.countAll<bigint>().as('n'))
        .whereRef('before.owner', '=', 'one.owner')
        .whereRef('before.id', '<>', 'one.id')
        .as('earlier'),
      row
        .selectFrom('kyc_submission as other')
        .select(sql<bigint>`count(distinct other.owner)`.as('n'))
        .whereRef('other.document_hash', '=', 'one.document_hash')
        .whereRef('other.owner', '<>', 'one.owner')
        .where('other.status', 'in', [1, 2])
        .as('same_document'),
    ])
    .where('one.status', '=', 1)
    .orderBy('one.submitted_at');
  return mapBounded(await readBounded(store, waiting, limit), (row) => ({
    submission: submissionOf(row),
    earlier: wholeNumber(row.earlier ?? 0n),
    sameDocument: wholeNumber(row.same_document ?? 0n),
  }));
}

/** Submissions that have waited for review since `before` or longer, oldest first, at most `limit`. */
export async function pendingSince(store: Store, before: Instant, limit: number): Promise<Submission[]> {
  const rows = await tables(store)
    .selectFrom('kyc_submission')
    .selectAll()
    .where('status', '=', 1)
    .where('submitted_at', '<=', BigInt(before))
    .orderBy('submitted_at')
    .limit(limit)
    .execute();
  return rows.map(submissionOf);
}

export async function storeView(
  store: Store,
  view: {
    readonly id: string;
    readonly submission: string;
    readonly what: 'data' | 'front' | 'back';
    readonly operator: string;
  },
  now: Instant,
): Promise<void> {
  await tables(store)
    .insertInto('kyc_look')
    .values({ ...view, at: BigInt(now) })
    .execute();
}

export async function countViewsSince(store: Store, operator: string, since: Instant): Promise<number> {
  const { n } = await tables(store)
    .selectFrom('kyc_look')
    .select(({ fn }) => fn.countAll<bigint>().as('n'))
    .where('operator', '=', operator)
    .where('at', '>', BigInt(since))
    .executeTakeFirstOrThrow();
  return wholeNumber(n);
}

/** The parts of a submission that these operators have viewed, as keys made by `viewKey`. */
export async function viewedParts(
  store: Store,
  submission: string,
  operators: readonly string[],
): Promise<ReadonlySet<string>> {
  if (operators.length === 0) return new Set();
  const rows = await tables(store)
    .selectFrom('kyc_look')
    .select(['operator', 'what'])
    .distinct()
    .where('submission', '=', submission)
    .where('operator', 'in', operators)
    .execute();
  return new Set(rows.map(({ operator, what }) => viewKey(operator, what)));
}

/** Returns the text that identifies an operator's view of one part of a submission. */
export function viewKey(operator: string, part: string): string {
  return `${operator} ${part}`;
}

/** Which operator viewed which part of which submission, newest first, at most `limit`. */
export async function recentViews(store: Store, limit: number) {
  const looks = tables(store)
    .selectFrom('kyc_look')
    .select(['submission', 'what', 'operator', 'at'])
    .orderBy('id', 'desc');
  return mapBounded(await readBounded(store, looks, limit), (row) => ({ ...row, at: toInstant(row.at) }));
}

/** Submissions that were decided before `before` and whose photos are not erased yet, at most `limit`. */
export async function photosToErase(store: Store, before: Instant, limit: number): Promise<Submission[]> {
  const rows = await tables(store)
    .selectFrom('kyc_submission')
    .selectAll()
    .where('decided_at', '<', BigInt(before))
    .where('photos_erased_at', 'is', null)
    .orderBy('decided_at')
    .limit(limit)
    .execute();
  return rows.map(submissionOf);
}

export async function markPhotosErased(tx: Tx, ids: readonly string[], now: Instant): Promise<void> {
  if (ids.length === 0) return;
  await tables(tx)
    .updateTable('kyc_submission')
    .set({ photos_erased_at: BigInt(now) })
    .where('id', 'in', ids)
    .execute();
}

/**
 * Returns the file ids of all photos of those submissions that use at least one of the files `ids` and whose
 * photos are not erased. A file in `ids` that is not in the result is not in use.
 */
export async function photosInUse(store: Store, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tables(store)
    .selectFrom('kyc_submission')
    .select(['front', 'back'])
    .where('photos_erased_at', 'is', null)
    .where((row) => row.or([row('front', 'in', ids), row('back', 'in', ids)]))
    .execute();
  return new Set(rows.flatMap(({ front, back }) => [front, back]));
}

function submissionOf(row: Selectable<KycTables['kyc_submission']>): Submission {
  return {
    id: row.id,
    owner: row.owner as UserId,
    country: row.country,
    sealed: row.sealed,
    documentHash: row.document_hash,
    front: row.front,
    back: row.back,
    isSameSide: row.is_same_side,
    status: row.status as SubmissionStatus,
    submittedAt: toInstant(row.submitted_at),
    decidedAt: row.decided_at === null ? undefined : toInstant(row.decided_at),
    reasons: row.reasons as KycReason[],
    note: row.note,
  };
}

const SUBMISSION_STATUS = ['', 'in review', 'verified', 'rejected'] as const;

/** Keyed hashes of the text of a search: of a document number, and of the words of a name. */
export interface PersonKeys {
  readonly number: Buffer | undefined;
  /** Sets of keys for the search by name: a name matches if it has all keys of at least one set. */
  readonly names: readonly (readonly Buffer[])[];
}

/**
 * Source of submissions for timelines and for the operators' search, which finds them by the keyed hash of the document
 * number or of the name; neither is ever compared in clear text.
 */
export function kycRecords(reader: Reader, keysOf: (text: string) => PersonKeys): RecordSource {
  const source = recordsOfTable(reader, {
    kind: 'identity',
    table: 'kyc_submission',
    at: 'submitted_at',
    columns: ['country', 'status', 'decided_by', 'submitted_at', 'decided_at'],
    times: ['submitted_at', 'decided_at'],
    named: ({ text }) => {
      const { number, names } = keysOf(text);
      return [
        ...(number === undefined ? [] : [sql`number_key = ${number}`]),
        ...names.map((keys) => sql`name_keys @> ${[...keys]}::bytea[]`),
      ];
    },
    describe: ({ country, status }) => ({
      event: `Identity document of ${country}`,
      status: SUBMISSION_STATUS[Number(status)],
    }),
  });
  return { ...source, isConfidential: true };
}

/**
 * Submissions of other accounts with the number of a document that the account submitted, newest first, at most
 * `limit`.
 */
export async function sameNumbers(
  store: Store,
  owner: UserId,
  limit: number,
): Promise<readonly { readonly user: UserId; readonly country: string; readonly at: number }[]> {
  const { rows } = await sql<{ user: UserId; country: string; at: string }>`
    select other.owner as user, other.country, other.submitted_at::text as at
    from (select distinct number_key from kyc_submission where owner = ${owner}::uuid and number_key is not null) own
    join kyc_submission other on other.number_key = own.number_key
    where other.owner <> ${owner}::uuid order by other.submitted_at desc limit ${limit}
  `.execute(store);
  return rows.map(({ at, ...row }) => ({ ...row, at: Number(at) }));
}
