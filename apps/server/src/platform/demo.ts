import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';

/** Functions with which a module fills a demo, so that a new visitor sees screens with data. */
export interface Demo {
  /** The demo's shared account, which is open to every new visitor. */
  readonly trader: UserId;
  readonly now: Instant;
  /** Returns a system account, e.g. one that trades or saves; creates it at the first call. */
  readonly systemUser: (name: string) => Promise<UserId>;
  /**
   * Returns a fictional person with an own email address and profile, who never signs in; creates the person at
   * the first call. Activity of users is seeded for such persons, so that operators see complete accounts.
   */
  readonly person: (name: string, email: string) => Promise<UserId>;
  /** Raises an account's spot balances to at least these amounts, in play money. */
  readonly fund: (
    owner: UserId,
    amounts: readonly { readonly asset: string; readonly amount: Decimal }[],
  ) => Promise<void>;
  /**
   * Creates a part of the demo data that may be created at every start. A refusal or failure is
   * logged under the part's name and does not reach the caller. Transient failures, such as a
   * missing index price, are retried. Resolves to whether the part was created.
   */
  readonly attempt: (part: string, make: () => Promise<unknown>) => Promise<boolean>;
  /**
   * Like `attempt`, for a part of the demo data that is created only once in the life of the demo; resolves to true
   * if it exists already. A failed part is tried again at the next start.
   */
  readonly once: (part: string, make: () => Promise<unknown>) => Promise<boolean>;
}
