import { later, DAY_MS, type Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import type { Store } from '../../platform/database/database.ts';
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
