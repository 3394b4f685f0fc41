import { Decimal } from './decimal.ts';
import { DAY_MS, MINUTE_MS } from './time.ts';

/**
 * Percentage of an invited user's spot trading fees that inviter and invited user together receive at most (see
 * `feeShares`).
 */
export const REWARD_POINTS = 20;
/** Maximum part of `REWARD_POINTS`, in percentage points, that the inviter can pass on to the invited user. */
export const SHARED_PERCENT_MAX = 10;
/** Number of days after registration, each of 24 hours, during which an invited user's fees earn rewards. */
export const REWARD_DAYS = 365;
/** Milliseconds after the end of a UTC day, until 00:30 UTC, after which the rewards for the day's fees are paid. */
export const REWARDED_AFTER_MS = 30 * MINUTE_MS;
export const REWARD_WINDOW_MS = REWARD_DAYS * DAY_MS;

const PLACES = 8;

/**
 * Splits the reward for a fee. The invited user gets `shared` percent of the fee (`discount`). The inviter gets the
 * remaining percentage points of `REWARD_POINTS`, applied to the fee minus the discount (`reward`). Both amounts are
 * rounded down to 8 decimals.
 */
export function feeShares(
  fee: Decimal,
  shared: number,
): { readonly discount: Decimal; readonly reward: Decimal } {
  const percentOf = (amount: Decimal, points: number) =>
    amount.times(Decimal.ofScaled(BigInt(points), 2), 'down', PLACES);
  const discount = percentOf(fee, shared);
  return { discount, reward: percentOf(fee.minus(discount), REWARD_POINTS - shared) };
}
