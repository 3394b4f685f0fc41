import type { UserId } from '@exchange/core/ids.ts';
import type { AccountRepository } from './account-repository.ts';
import { standingOf } from './account-repository.ts';
import type { Standing } from './domain/standing.ts';

const CACHE_SIZE = 200_000;

/** What users may do, in memory: the order path asks without touching the database. */
export class Standings {
  private readonly accounts: AccountRepository;
  private readonly known = new Map<UserId, Standing>();
  private changes = 0;

  constructor(accounts: AccountRepository) {
    this.accounts = accounts;
  }

  /** Loads a user's standing unless it is in memory; undefined when there is no such user. */
  async prepare(userId: UserId): Promise<Standing | undefined> {
    for (;;) {
      const known = this.known.get(userId);
      if (known !== undefined) return known;
      const changes = this.changes;
      const account = await this.accounts.byId(userId);
      if (account === undefined) return undefined;
      // Changed while it was read: what was read may be the old state.
      if (changes === this.changes) this.remember(userId, standingOf(account));
    }
  }

  /** The standing that `prepare` has loaded. Throws when it has not been: that is a bug of the caller. */
  of(userId: UserId): Standing {
    const standing = this.known.get(userId);
    if (standing === undefined) throw new Error(`the standing of ${userId} was not prepared`);
    return standing;
  }

  /** Call after the commit of a change: the next command already sees it. */
  forget(userId: UserId): void {
    this.changes += 1;
    this.known.delete(userId);
  }

  private remember(userId: UserId, standing: Standing): void {
    this.known.set(userId, standing);
    if (this.known.size <= CACHE_SIZE) return;
    const [oldest] = this.known.keys();
    if (oldest !== undefined) this.known.delete(oldest);
  }
}
