import { Decimal } from './decimal.ts';
import { DAY_MS, MINUTE_MS } from './time.ts';

/**
 * Percentage of an invited user's spot trading fees that inviter and invited user receive together at most;
 * see `feeShares`.
 */
export const REWARD_POINTS = 20;
/**
 * Greatest part of the invitation reward, in percentage points, that the inviter can pass on to the invited
 * user.
 */
export const SHARED_PERCENT_MAX = 10;
/** Number of days after registration during which an invited user's fees earn rewards. */
export const REWARD_DAYS = 365;
/** Rewards for a day's fees are paid this long after the day's end, at 00:30 UTC. */
export const REWARDED_AFTER_MS = 30 * MINUTE_MS;
export const REWARD_WINDOW_MS = REWARD_DAYS * DAY_MS;

const PLACES = 8;

/**
 * Splits the reward of a fee: the invited user gets `shared` percent of the fee, the inviter the other
 * percentage points of `REWARD_POINTS`, applied to the fee less that discount. Both are rounded down to 8
 * decimals.
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
