import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import type { Failures } from './domain/sign-in-delay.ts';
import type { IdentityTables } from './tables.ts';

const KEPT_MS = 30 * DAY_MS;

/** Reads and writes the counters of failed attempts at logins, passwords and authenticator codes. */
export class FailureRepository {
  private readonly store: Kysely<IdentityTables>;

  constructor(store: Kysely<unknown>) {
    this.store = store.withTables<IdentityTables>();
  }

  /** Reads a counter of failed attempts and locks it until the transaction ends; undefined if there are none. */
  async read(tx: Tx, subject: string): Promise<Failures | undefined> {
    await sql`select pg_advisory_xact_lock(3, hashtext(${subject}))`.execute(tx);
    const row = await tx
      .withTables<IdentityTables>()
      .selectFrom('sign_in_failure')
      .selectAll()
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row && failuresOf(row);
  }

  async save(tx: Tx, subject: string, failures: Failures): Promise<void> {
    const counts = {
      recent: failures.recent,
      first_at: BigInt(failures.firstAt),
      last_at: BigInt(failures.lastAt),
      whole_at: BigInt(failures.wholeAt),
    };
    await tx
      .withTables<IdentityTables>()
      .insertInto('sign_in_failure')
      .values({ subject, ...counts })
      .onConflict((conflict) => conflict.column('subject').doUpdateSet(counts))
      .execute();
  }

  async clear(tx: Tx, subject: string): Promise<void> {
    await tx
      .withTables<IdentityTables>()
      .deleteFrom('sign_in_failure')
      .where('subject', '=', subject)
      .execute();
  }

  async removeOld(now: Instant): Promise<void> {
    await this.store
      .deleteFrom('sign_in_failure')
      .where('last_at', '<', BigInt(now - KEPT_MS))
      .execute();
  }
}

function failuresOf(row: Selectable<IdentityTables['sign_in_failure']>): Failures {
  return {
    recent: row.recent,
    firstAt: instant(Number(row.first_at)),
    lastAt: instant(Number(row.last_at)),
    wholeAt: instant(Number(row.whole_at)),
  };
}
