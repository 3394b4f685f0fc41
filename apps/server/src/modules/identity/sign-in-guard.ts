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
 * Slows down whoever guesses, each kind of guess apart, so that nobody's guesses delay somebody who shows more
 * than they do: tries without a right mailed code, by account (whether it exists or not) and by network
 * address; tries at the password with one; tries at the old password by somebody who is signed in.
 */
export class SignInGuard {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Counts a failed try that showed no right code. Refuses with `l.login_delayed` and the seconds to wait where
   * the account or the network address has had too many.
   */
  async countStranger(email: string, origin: string): Promise<void> {
    const { database, clock, repository } = this.deps;
    await database.transaction(async (tx) => {
      const now = clock.now();
      const account = await repository.read(tx, accountOf(email));
      const from = await repository.read(tx, originOf(origin));
      requireNoWait(Math.max(accountDelayMs(account, now), originDelayMs(from, now)));
      await repository.save(tx, accountOf(email), withAccountFailure(account, now));
      await repository.save(tx, originOf(origin), withOriginFailure(from, now));
    });
  }

  /**
   * Admits a try at the password by somebody who reads the mailbox, and counts it as failed ahead of time, so
   * that parallel tries cannot all slip in before the first one fails; `succeed` forgets it.
   */
  admitMailbox(email: string): Promise<void> {
    return this.admit(mailboxOf(email));
  }

  /** As `admitMailbox`, for somebody who is signed in: a stolen session guesses no faster. */
  admitUser(userId: UserId): Promise<void> {
    return this.admit(userOf(userId));
  }

  /**
   * As `admitMailbox`, for a code of the authenticator. `by` keeps apart who tries: a session's id, or the lane of
   * a sign-in. Nobody's guesses delay the owner elsewhere.
   */
  admitAuthenticator(userId: UserId, by: string): Promise<void> {
    return this.admit(authenticatorOf(userId, by));
  }

  async succeedAuthenticator(tx: Tx, userId: UserId, by: string): Promise<void> {
    await this.deps.repository.clear(tx, authenticatorOf(userId, by));
  }

  /** The password was right, or has just been replaced by mail: those who prove something start anew. */
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
