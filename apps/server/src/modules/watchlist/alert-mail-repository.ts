import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { Kysely } from 'kysely';
import type { Store, Tx } from '../../platform/database/database.ts';
import { ALERT_MAILS } from './domain/alert-mails.ts';
import type { WatchlistTables } from './tables.ts';

/** Title and text of an alert in an email. */
export interface AlertLine {
  readonly title: string;
  readonly content: string;
}

export const USERS_AT_ONCE = 500;

/** Stores alerts that wait for an email or were sent by email, and reads which are due. */
export class AlertMailRepository {
  private readonly store: Kysely<WatchlistTables>;

  constructor(store: Store) {
    this.store = store.withTables<WatchlistTables>();
  }

  async insert(tx: Tx, user: UserId, lines: readonly AlertLine[], now: Instant): Promise<void> {
    await tx
      .withTables<WatchlistTables>()
      .insertInto('price_alert_mail')
      .values(lines.map((line) => ({ ...line, user_id: user, told_at: BigInt(now), mailed_at: null })))
      .execute();
  }

  /**
   * Returns the times at which alert emails were sent to the user within the last 24 hours, newest first, at
   * most `ALERT_MAILS.perDay`.
   */
  async emails(tx: Tx, user: UserId, now: Instant): Promise<Instant[]> {
    const rows = await tx
      .withTables<WatchlistTables>()
      .selectFrom('price_alert_mail')
      .select('mailed_at')
      .distinct()
      .where('user_id', '=', user)
      .where('mailed_at', '>', BigInt(later(now, -DAY_MS)))
      .orderBy('mailed_at', 'desc')
      .limit(ALERT_MAILS.perDay)
      .execute();
    return rows.map(({ mailed_at: at }) => instant(Number(at)));
  }

  /**
   * Marks all alerts that wait for an email to the user as sent. Returns the text of the oldest ones, at most
   * `ALERT_MAILS.listedMax`, and the number of all.
   */
  async claim(tx: Tx, user: UserId, now: Instant): Promise<{ lines: readonly AlertLine[]; count: number }> {
    const db = tx.withTables<WatchlistTables>();
    const lines = await db
      .selectFrom('price_alert_mail')
      .select(['title', 'content'])
      .where('user_id', '=', user)
      .where('mailed_at', 'is', null)
      .orderBy('number')
      .limit(ALERT_MAILS.listedMax)
      .execute();
    const { numUpdatedRows } = await db
      .updateTable('price_alert_mail')
      .set({ mailed_at: BigInt(now) })
      .where('user_id', '=', user)
      .where('mailed_at', 'is', null)
      .executeTakeFirst();
    return { lines, count: Number(numUpdatedRows) };
  }

  /**
   * Returns up to 500 users of whom at least one triggered alert waits for an email, ordered by id, starting
   * after the user `after`, or with the first one if it is undefined.
   */
  async usersWithPending(after: UserId | undefined): Promise<UserId[]> {
    let waiting = this.store
      .selectFrom('price_alert_mail')
      .select('user_id')
      .distinct()
      .where('mailed_at', 'is', null);
    if (after !== undefined) waiting = waiting.where('user_id', '>', after);
    const rows = await waiting.orderBy('user_id').limit(USERS_AT_ONCE).execute();
    return rows.map(({ user_id: id }) => id as UserId);
  }

  async removeMailed(before: Instant): Promise<void> {
    await this.store.deleteFrom('price_alert_mail').where('mailed_at', '<', BigInt(before)).execute();
  }
}
