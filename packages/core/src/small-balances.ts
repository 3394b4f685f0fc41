import type { ConvertSide, ConvertTerms } from './convert.ts';
import { Decimal } from './decimal.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Exchange of several small balances into one coin, at one quote. */

/** The greatest value of a small balance, in USDT at the index. */
export const SMALL_BALANCE_MAX_USDT = Decimal.parse('10');
/** Greatest number of coins in one quote for small balances. */
export const SMALL_COINS_MAX = 20;
/** How often a user can exchange small balances on a UTC day. */
export const SMALL_PER_DAY = 3;
/** The coins into which small balances can be exchanged. */
export const SMALL_TARGETS = ['USDT', 'BTC', 'ETH'] as const;

const WORTH_PLACES = 8;

/** The value of a balance in USDT at the index, rounded down to 8 places. */
export function balanceWorth(amount: Decimal, side: ConvertSide): Decimal {
  return amount.times(side.index, 'down', WORTH_PLACES);
}

/** Whether a balance is small enough to be exchanged together with others. */
export function isSmallBalance(amount: Decimal, side: ConvertSide): boolean {
  return amount.isPositive() && !balanceWorth(amount, side).isMore(SMALL_BALANCE_MAX_USDT);
}

/**
 * The refusal for a balance that is too large to be exchanged with others, or whose value would
 * round to zero.
 */
export function smallBalanceProblem(
  from: ConvertSide,
  { fromAmount, toAmount }: ConvertTerms,
): Refusal | undefined {
  if (!fromAmount.isPositive() || !toAmount.isPositive())
    return refusal('belowMinimum', 'l.small_nothing', { field: 'coins', value: from.asset });
  if (isSmallBalance(fromAmount, from)) return undefined;
  return refusal('aboveMaximum', 'l.small_too_large', {
    field: 'coins',
    limit: SMALL_BALANCE_MAX_USDT.toString(),
    value: balanceWorth(fromAmount, from).toString(),
    unit: from.asset,
  });
}
