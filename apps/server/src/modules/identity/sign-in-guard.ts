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

/** Slows down whoever guesses passwords, by account (whether it exists or not) and by network address. */
export class SignInGuard {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Admits one try and counts it as failed ahead of time, so that parallel tries cannot all slip in before
   * the first one fails. `succeed` takes it back. Refuses with `l.login_delayed` and the seconds to wait.
   */
  async admit(email: string, origin: string): Promise<void> {
    const { database, clock, repository } = this.deps;
    await database.transaction(async (tx) => {
      const now = clock.now();
      const account = await repository.read(tx, accountOf(email));
      const from = await repository.read(tx, originOf(origin));
      const waitMs = Math.max(accountDelayMs(account, now), originDelayMs(from, now));
      if (waitMs > 0) {
        const seconds = String(Math.ceil(waitMs / SECOND_MS));
        throw new Refused(refusal('rateLimited', 'l.login_delayed', { seconds }));
      }
      await repository.save(tx, accountOf(email), withAccountFailure(account, now));
      await repository.save(tx, originOf(origin), withOriginFailure(from, now));
    });
  }

  /** The admitted try was right: the account starts anew, the address gets its try back. */
  async succeed(tx: Tx, email: string, origin: string): Promise<void> {
    await this.deps.repository.clear(tx, accountOf(email));
    await this.deps.repository.takeBack(tx, originOf(origin));
  }

  /** A password that was reset by mail has no failures yet. */
  async forgive(tx: Tx, email: string): Promise<void> {
    await this.deps.repository.clear(tx, accountOf(email));
  }
}

function accountOf(email: string): string {
  return `email:${email}`;
}

function originOf(address: string): string {
  return `address:${address}`;
}
