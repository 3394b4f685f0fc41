import { later, DAY_MS, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Store, Reader, Tx } from '../../platform/database/database.ts';
import type { OperatorTables } from './tables.ts';

const guesses = (store: Store) => store.withTables<OperatorTables>();

/**
 * One more try of a subject; gives how many there were since the first. Those of a first try before `windowFrom` count no
 * more, and what is older than a day is of no use to anybody.
 */
export async function takeGuess(
  store: Store,
  subject: string,
  now: Instant,
  windowFrom: Instant,
): Promise<number> {
  await guesses(store)
    .deleteFrom('operator_guess')
    .where((is) =>
      is.or([
        is('since', '<=', BigInt(later(now, -DAY_MS))),
        is.and([is('subject', '=', subject), is('since', '<=', BigInt(windowFrom))]),
      ]),
    )
    .execute();
  const row = await guesses(store)
    .insertInto('operator_guess')
    .values({ subject, failures: 1, since: BigInt(now) })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({ failures: sql<number>`operator_guess.failures + 1` }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return row.failures;
}

/** One try fewer of a subject. */
export async function giveBackGuess(store: Store, subject: string): Promise<void> {
  const { numUpdatedRows } = await guesses(store)
    .updateTable('operator_guess')
    .set({ failures: sql<number>`failures - 1` })
    .where('subject', '=', subject)
    .where('failures', '>', 1)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await forgetGuesses(store, subject);
}

export async function forgetGuesses(store: Store, subject: string): Promise<void> {
  await guesses(store).deleteFrom('operator_guess').where('subject', '=', subject).execute();
}

export async function replaceRecoveryCodes(
  tx: Tx,
  operator: string,
  hashes: readonly Buffer[],
): Promise<void> {
  const tables = tx.withTables<OperatorTables>();
  await tables.deleteFrom('operator_recovery_code').where('operator', '=', operator).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((code_hash) => ({ operator, code_hash, used_at: null }));
  await tables.insertInto('operator_recovery_code').values(rows).execute();
}

/** Uses a code; false where there is none, or it was used before. */
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
    .select((of) => ['operator', of.fn.countAll<bigint>().as('left')])
    .where('used_at', 'is', null)
    .groupBy('operator')
    .execute();
  return new Map(rows.map(({ operator, left }) => [operator, Number(left)]));
}
