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
  /** Brings spot balances to at least these amounts, in play money. */
  readonly fund: (
    owner: UserId,
    wanted: readonly { readonly asset: string; readonly amount: Decimal }[],
  ) => Promise<void>;
}
