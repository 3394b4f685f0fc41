import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Store } from '../../platform/database/database.ts';
import type { OperatorTables } from './tables.ts';

/** One more try of a subject; gives how many there were since the window began. What is older counts no more. */
export async function takeGuess(
  store: Store,
  subject: string,
  now: Instant,
  windowFrom: Instant,
): Promise<number> {
  const tables = store.withTables<OperatorTables>();
  await tables.deleteFrom('operator_guess').where('since', '<=', BigInt(windowFrom)).execute();
  const row = await tables
    .insertInto('operator_guess')
    .values({ subject, failures: 1, since: BigInt(now) })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({ failures: sql<number>`operator_guess.failures + 1` }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return row.failures;
}

export async function forgetGuesses(store: Store, subject: string): Promise<void> {
  await store
    .withTables<OperatorTables>()
    .deleteFrom('operator_guess')
    .where('subject', '=', subject)
    .execute();
}
