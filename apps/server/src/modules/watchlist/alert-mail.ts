import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Identity, User } from '../identity/index.ts';
import { USERS_AT_ONCE, type AlertLine, type AlertMailRepository } from './alert-mail-repository.ts';
import { ALERT_MAILS, mayEmail } from './domain/alert-mails.ts';
import { lockUser } from './repository.ts';
import { alertEmail } from './words/alert-words.ts';

interface Deps {
  readonly clock: Clock;
  readonly database: Database;
  readonly repository: AlertMailRepository;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly mail: Mail;
}

/**
 * Emails about price alerts. An alert is sent at once if the latest such email to the user is at least
 * `ALERT_MAILS.gatherMs` ago; further alerts are combined, and the number of emails to a user in any 24 hours
 * is limited. An alert that may not be sent yet is listed or, if there are too many, counted in the next
 * email.
 */
export class AlertMail {
  private readonly deps: Deps;
  /**
   * Id of the last user of the previous call of `sendDue`, after which the next call continues; undefined if that call
   * reached the last waiting user.
   */
  private lastServed: UserId | undefined;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Stores alerts for an email to the user, and queues the email in the same transaction if one may be sent now.
   * Otherwise the alerts are part of a later email.
   */
  async notify(tx: Tx, user: User, lines: readonly AlertLine[]): Promise<void> {
    await lockUser(tx, user.id);
    await this.deps.repository.insert(tx, user.id, lines, this.deps.clock.now());
    await this.sendIfDue(tx, user);
  }

  /**
   * Sends the due emails about price alerts, at most one to each of the next 500 users whose alerts wait for an email.
   * Skips a user to whom no email may be sent yet. The next call continues with the users after them, so that skipped
   * users do not delay others.
   */
  async sendDue(): Promise<void> {
    const { database, repository, identity } = this.deps;
    const users = await repository.usersWithPending(this.lastServed);
    this.lastServed = users.length < USERS_AT_ONCE ? undefined : users.at(-1);
    for (const id of users) {
      const user = await identity.findUser(id);
      if (user === undefined) continue;
      await database.transaction(async (tx) => {
        await lockUser(tx, id);
        await this.sendIfDue(tx, user);
      });
    }
  }

  /** Deletes the texts of alerts that were emailed more than two days ago, which no longer count for any limit. */
  async cleanUp(): Promise<void> {
    await this.deps.repository.removeMailed(later(this.deps.clock.now(), -2 * DAY_MS));
  }

  private async sendIfDue(tx: Tx, { id, email, locale }: User): Promise<void> {
    const { clock, repository, mail } = this.deps;
    const now = clock.now();
    const emails = await repository.emails(tx, id, now);
    if (!mayEmail(emails, now)) return;
    const { lines, count } = await repository.claim(tx, id, now);
    if (count === 0) return;
    const isLastOfDay = emails.length + 1 >= ALERT_MAILS.perDay;
    const words = alertEmail(locale, { lines, count, isLastOfDay });
    await mail.write(tx, { to: email, purpose: 'priceAlert', order: 'last', ...words });
  }
}

/** Returns the user if the account has an email address; otherwise undefined. */
export async function reachableUser(
  identity: Pick<Identity, 'findUser'>,
  id: UserId,
): Promise<User | undefined> {
  const user = await identity.findUser(id);
  return user === undefined || user.email === '' ? undefined : user;
}
