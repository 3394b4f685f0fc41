import type { ConvertSide, ConvertTerms } from './convert.ts';
import { Decimal } from './decimal.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Conversion of several small balances of a user into one coin with a single quote. */

/** Maximum value of a small balance, in USDT at the index price. */
export const SMALL_BALANCE_MAX_USDT = Decimal.parse('10');
/** Maximum number of coins in one quote for small balances. */
export const SMALL_COINS_MAX = 20;
/** Maximum number of times that a user can convert small balances on a UTC day. */
export const SMALL_PER_DAY = 3;
/** The coins into which users can convert small balances. */
export const SMALL_TARGETS = ['USDT', 'BTC', 'ETH'] as const;

const WORTH_PLACES = 8;

/** Returns the value of a balance in USDT at the index price, rounded down to 8 places. */
export function balanceWorth(amount: Decimal, side: ConvertSide): Decimal {
  return amount.times(side.index, 'down', WORTH_PLACES);
}

/**
 * Returns whether a balance is positive and worth at most `SMALL_BALANCE_MAX_USDT`, so that it can be
 * converted together with other small balances.
 */
export function isSmallBalance(amount: Decimal, side: ConvertSide): boolean {
  return amount.isPositive() && !balanceWorth(amount, side).isMore(SMALL_BALANCE_MAX_USDT);
}

/**
 * Returns a refusal for a balance that is not positive, whose conversion rounds to zero, or that is worth
 * more than `SMALL_BALANCE_MAX_USDT`; otherwise undefined.
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
