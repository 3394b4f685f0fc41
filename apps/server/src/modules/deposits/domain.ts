import { sum, type Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';

export type DepositStatus = 'pending' | 'finished' | 'rejected';

/** Coins that came in to somebody's address. */
export interface Deposit {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | undefined;
  readonly txid: string;
  readonly amount: Decimal;
  readonly remark: string | undefined;
  readonly block: number;
  /** How many the network asked for when it was seen. */
  readonly confirmations: number;
  readonly status: DepositStatus;
  /** Confirmed, but less than the least that is credited. */
  readonly isSmall: boolean;
  readonly createdAt: Instant;
  readonly finishedAt: Instant | undefined;
}

/**
 * What is credited when one more deposit of a person, coin and network is confirmed: all that waits, once it comes
 * to the least, and nothing before.
 */
export function credited(
  confirmed: Deposit,
  waiting: readonly Deposit[],
  least: Decimal,
): readonly Deposit[] {
  const all = [confirmed, ...waiting.filter(({ id }) => id !== confirmed.id)];
  return sum(all.map(({ amount }) => amount)).isLess(least) ? [] : all;
}
