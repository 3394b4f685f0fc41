import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';

/** What a module may use to fill a demo, so that a newcomer sees full screens. */
export interface Demo {
  /** The shared account that a newcomer looks through. */
  readonly trader: UserId;
  readonly now: Instant;
  /** An account of the house, e.g. one of those that trade or save; made at the first time. */
  readonly systemUser: (name: string) => Promise<UserId>;
  /**
   * A made-up person with a mail address and a page of their own, who never signs in; made at the first time. What people
   * do is seeded for persons, so that operators find whole accounts behind it.
   */
  readonly person: (name: string, email: string) => Promise<UserId>;
  /** Brings spot balances to at least these amounts, in play money. */
  readonly fund: (
    owner: UserId,
    wanted: readonly { readonly asset: string; readonly amount: Decimal }[],
  ) => Promise<void>;
  /**
   * Makes a part of the demo that may be made at every start. A refusal or failure is logged by the part's name and does
   * not reach the caller, which goes on with the next part; what passes by itself, such as a missing index, is waited
   * for. Gives whether the part was made.
   */
  readonly attempt: (part: string, make: () => Promise<unknown>) => Promise<boolean>;
  /** The same for a part that is made once, however often the demo starts; one that failed is tried at the next start. */
  readonly once: (part: string, make: () => Promise<unknown>) => Promise<boolean>;
}
