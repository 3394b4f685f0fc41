import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { tablesOf, type Store } from '../../platform/database/database.ts';
import type { OperatorTables } from './tables.ts';

const tables = tablesOf<OperatorTables>();

/** An operator's call with its idempotency key and the digest of its content. */
export interface OperatorSubmission {
  readonly operator: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** The stored state of an earlier call with the same idempotency key. */
export interface EarlierSubmission {
  readonly fingerprint: Buffer;
  /**
   * The first response as JSON; undefined while the first call has not ended, after it was interrupted, and for a
   * response with secrets.
   */
  readonly answer: string | undefined;
  /** True if the response contains secrets and is therefore not stored. */
  readonly isSecret: boolean;
}

/**
 * Stores that a call with an idempotency key has started, and returns undefined. If a call with this key of the
 * operator is stored already, stores nothing and returns that call.
 */
export async function claimSubmission(
  store: Store,
  { operator, key, fingerprint }: OperatorSubmission,
  now: Instant,
): Promise<EarlierSubmission | undefined> {
  const inserted = await tables(store)
    .insertInto('operator_submission')
    .values({ operator, key, fingerprint, answer: null, is_secret: false, at: BigInt(now) })
    .onConflict((conflict) => conflict.columns(['operator', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (inserted !== undefined) return undefined;
  const row = await tables(store)
    .selectFrom('operator_submission')
    .select(['fingerprint', 'answer', 'is_secret'])
    .where('operator', '=', operator)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return { fingerprint: row.fingerprint, answer: row.answer ?? undefined, isSecret: row.is_secret };
}

/** Stores the response of a call. If `answer` is undefined, stores only that the response contains secrets. */
export async function storeAnswer(
  store: Store,
  { operator, key }: OperatorSubmission,
  answer: string | undefined,
): Promise<void> {
  await tables(store)
    .updateTable('operator_submission')
    .set({ answer: answer ?? null, is_secret: answer === undefined })
    .where('operator', '=', operator)
    .where('key', '=', key)
    .execute();
}

/** Deletes the record of a call that was refused or failed, so that it may be repeated. */
export async function releaseSubmission(store: Store, { operator, key }: OperatorSubmission): Promise<void> {
  await tables(store)
    .deleteFrom('operator_submission')
    .where('operator', '=', operator)
    .where('key', '=', key)
    .where('answer', 'is', null)
    .execute();
}

/** Deletes the stored calls that started before the time `before`; their idempotency keys can then be used again. */
export async function removeSubmissionsBefore(store: Store, before: Instant): Promise<void> {
  await sql`delete from operator_submission where at < ${before}::bigint`.execute(store);
}
