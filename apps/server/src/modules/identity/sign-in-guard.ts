import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SECOND_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import {
  accountDelayMs,
  originDelayMs,
  withAccountFailure,
  withOriginFailure,
} from './domain/sign-in-delay.ts';
import type { FailureRepository } from './failure-repository.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly repository: FailureRepository;
}

/**
 * Delays repeated wrong attempts at logins. These kinds of attempts are counted separately, so that strangers cannot
 * delay callers who prove more: attempts without a correct mailed code or passkey, per account (existing or not) and
 * per network address; attempts at the password with a correct code or passkey; attempts at the password by a signed-in
 * user; and attempts at authenticator codes.
 */
export class SignInGuard {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Counts a failed login without a correct mailed code or passkey. If the account or the IP address still has to wait
   * after earlier failures, counts nothing and refuses with `l.login_delayed` and the seconds to wait.
   */
  async countStranger(email: string, origin: string): Promise<void> {
    const { database, clock, repository } = this.deps;
    await database.transaction(async (tx) => {
      const now = clock.now();
      const accountFailures = await repository.read(tx, accountOf(email));
      const originFailures = await repository.read(tx, originOf(origin));
      requireNoWait(Math.max(accountDelayMs(accountFailures, now), originDelayMs(originFailures, now)));
      await repository.save(tx, accountOf(email), withAccountFailure(accountFailures, now));
      await repository.save(tx, originOf(origin), withOriginFailure(originFailures, now));
    });
  }

  /**
   * Permits an attempt at the password by a caller with a correct mailed code or passkey, or refuses it with the
   * seconds to wait. The attempt is counted as failed in advance, so that concurrent attempts cannot exceed the limit;
   * `succeed` resets the count.
   */
  admitMailbox(email: string): Promise<void> {
    return this.admit(mailboxOf(email));
  }

  /**
   * Permits or refuses an attempt at the password by a signed-in user as `admitMailbox` does, so that the thief of a
   * session cannot guess faster.
   */
  admitUser(userId: UserId): Promise<void> {
    return this.admit(userOf(userId));
  }

  /**
   * Permits or refuses an attempt at an authenticator code as `admitMailbox` does. `by` is the id of the session, or at
   * a login the category of the caller; attempts are counted separately for each.
   */
  admitAuthenticator(userId: UserId, by: string): Promise<void> {
    return this.admit(authenticatorOf(userId, by));
  }

  async succeedAuthenticator(tx: Tx, userId: UserId, by: string): Promise<void> {
    await this.deps.repository.clear(tx, authenticatorOf(userId, by));
  }

  /**
   * Resets the counts of failed password attempts, by callers with a correct mailed code or passkey and by the
   * signed-in user, after a correct password or a change of the password.
   */
  async succeed(tx: Tx, { id, email }: { readonly id: UserId; readonly email: string }): Promise<void> {
    await this.deps.repository.clear(tx, mailboxOf(email));
    await this.deps.repository.clear(tx, userOf(id));
  }

  private async admit(subject: string): Promise<void> {
    const { database, clock, repository } = this.deps;
    await database.transaction(async (tx) => {
      const now = clock.now();
      const failures = await repository.read(tx, subject);
      requireNoWait(accountDelayMs(failures, now));
      await repository.save(tx, subject, withAccountFailure(failures, now));
    });
  }
}

function requireNoWait(waitMs: number): void {
  if (waitMs <= 0) return;
  const seconds = String(Math.ceil(waitMs / SECOND_MS));
  throw new Refused(refusal('rateLimited', 'l.login_delayed', { seconds }));
}

function accountOf(email: string): string {
  return `email:${email}`;
}

function mailboxOf(email: string): string {
  return `mailbox:${email}`;
}

function userOf(id: UserId): string {
  return `user:${id}`;
}

function authenticatorOf(id: UserId, by: string): string {
  return `authenticator:${id}:${by}`;
}

function originOf(address: string): string {
  return `address:${address}`;
}
