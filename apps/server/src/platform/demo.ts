import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';

/** Functions with which a module fills a demo, so that a new visitor sees screens with data. */
export interface Demo {
  /** Id of the demo's shared account, with which every visitor can sign in. */
  readonly trader: UserId;
  readonly now: Instant;
  /**
   * Returns the id of the system account with this name, e.g. one that trades or saves. Creates the account
   * at the first call.
   */
  readonly systemUser: (name: string) => Promise<UserId>;
  /**
   * Returns the id of the fictional user with this email address and an own profile, who never signs in.
   * Creates the user at the first call. Demo activity belongs to such users, so that operators see complete
   * accounts.
   */
  readonly person: (name: string, email: string) => Promise<UserId>;
  /** Raises the spot balances of an account to at least these amounts, with demo money. */
  readonly fund: (
    owner: UserId,
    amounts: readonly { readonly asset: string; readonly amount: Decimal }[],
  ) => Promise<void>;
  /**
   * Runs a function that creates a part of the demo data and may run at every start. A refusal or failure is logged
   * under the part's name and is not thrown. After a transient failure, such as a missing index price, the part is
   * tried again. Resolves to whether the part was created.
   */
  readonly attempt: (part: string, make: () => Promise<unknown>) => Promise<boolean>;
  /**
   * Like `attempt`, for a part that is created only once in the life of the demo. If it already exists,
   * resolves to true without running `make`. If all attempts fail, it is tried again at the next start.
   */
  readonly once: (part: string, make: () => Promise<unknown>) => Promise<boolean>;
}
