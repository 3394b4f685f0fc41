import { Decimal } from './decimal.ts';
import { DAY_MS, MINUTE_MS } from './time.ts';

/** Points (hundredths) of the spot trading fees of an invited person that are given away. */
export const REWARD_POINTS = 20;
/** Of them, at most so many may be passed on to the invited person. */
export const SHARED_POINTS_MAX = 10;
/** For so long after signing up. */
export const REWARD_DAYS = 365;
/** A day's fees are rewarded so long after its end, at 00:30 UTC. */
export const REWARDED_AFTER_MS = 30 * MINUTE_MS;
export const REWARD_WINDOW_MS = REWARD_DAYS * DAY_MS;

const PLACES = 8;

/**
 * What of a fee goes to whom: first the invited person's part, then the inviter's of what remains; 8 digits, rounded
 * down. `shared` are the points that the inviter passes on.
 */
export function feeShares(
  fee: Decimal,
  shared: number,
): { readonly discount: Decimal; readonly reward: Decimal } {
  const of = (amount: Decimal, points: number) =>
    amount.times(Decimal.ofScaled(BigInt(points), 2), 'down', PLACES);
  const discount = of(fee, shared);
  return { discount, reward: of(fee.minus(discount), REWARD_POINTS - shared) };
}
