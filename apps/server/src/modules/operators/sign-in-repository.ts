import { later, DAY_MS, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { tablesOf, type Store, type Reader, type Tx } from '../../platform/database/database.ts';
import type { OperatorTables } from './tables.ts';

const tables = tablesOf<OperatorTables>();

/**
 * Adds a failed attempt to the counter of a subject (a name and an origin), and returns the new count. A counter that
 * started at or before `windowFrom` restarts at one. Also deletes the counters of all subjects that are older than a
 * day.
 */
export async function countGuess(
  store: Store,
  subject: string,
  now: Instant,
  windowFrom: Instant,
): Promise<number> {
  await tables(store)
    .deleteFrom('operator_guess')
    .where((where) =>
      where.or([
        where('since', '<=', BigInt(later(now, -DAY_MS))),
        where.and([where('subject', '=', subject), where('since', '<=', BigInt(windowFrom))]),
      ]),
    )
    .execute();
  const row = await tables(store)
    .insertInto('operator_guess')
    .values({ subject, failures: 1, since: BigInt(now) })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({ failures: sql<number>`operator_guess.failures + 1` }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return row.failures;
}

/** Subtracts one failed attempt from the counter of a subject, and deletes the counter if none is left. */
export async function uncountGuess(store: Store, subject: string): Promise<void> {
  const { numUpdatedRows } = await tables(store)
    .updateTable('operator_guess')
    .set({ failures: sql<number>`failures - 1` })
    .where('subject', '=', subject)
    .where('failures', '>', 1)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await resetGuesses(store, subject);
}

export async function resetGuesses(store: Store, subject: string): Promise<void> {
  await tables(store).deleteFrom('operator_guess').where('subject', '=', subject).execute();
}

export async function replaceRecoveryCodes(
  tx: Tx,
  operator: string,
  hashes: readonly Buffer[],
): Promise<void> {
  const codes = tx.withTables<OperatorTables>();
  await codes.deleteFrom('operator_recovery_code').where('operator', '=', operator).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((code_hash) => ({ operator, code_hash, used_at: null }));
  await codes.insertInto('operator_recovery_code').values(rows).execute();
}

/** Marks a recovery code of an operator as used. Returns false if it is unknown or used. */
export async function useRecoveryCode(
  store: Store,
  operator: string,
  hash: Buffer,
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await store
    .withTables<OperatorTables>()
    .updateTable('operator_recovery_code')
    .set({ used_at: BigInt(now) })
    .where('operator', '=', operator)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function countRecoveryCodes(reader: Reader): Promise<Map<string, number>> {
  const rows = await reader
    .withTables<OperatorTables>()
    .selectFrom('operator_recovery_code')
    .select((builder) => ['operator', builder.fn.countAll<bigint>().as('left')])
    .where('used_at', 'is', null)
    .groupBy('operator')
    .execute();
  return new Map(rows.map(({ operator, left }) => [operator, Number(left)]));
}
