import { Decimal, DECIMAL_PLACES, greatest, least } from '@exchange/core/decimal.ts';
import type { CoinNetwork } from '@exchange/core/network.ts';
import { later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

/**
 * The fields of a coin's terms on a network that limit its withdrawal fee: the fixed fee of the table in
 * `core/network.ts`, the minimum withdrawal, and the decimals.
 */
type FeeTerms = Pick<CoinNetwork, 'fee' | 'minWithdrawal' | 'digits'>;

/** A withdrawal fee that was computed from the network's cost. */
export interface FeeReading {
  /** Computed withdrawal fee in units of the coin, within the bounds of `feeBounds`. */
  readonly fee: Decimal;
  /** What a payment cost on the network when it was read, in units of the coin, without `MARGIN`. */
  readonly cost: Decimal;
  readonly at: Instant;
}

/**
 * The network's cost is multiplied by this factor to get the fee, because the cost can rise until the payment is mined.
 */
const MARGIN = Decimal.parse('1.2');
/** Number of significant digits to which a computed fee is rounded up. */
const SIGNIFICANT_DIGITS = 2;
/** The charged fee is lowered only when the cost times `MARGIN` is below this fraction of it. */
const FALL = Decimal.parse('0.9');
/**
 * Bounds of a computed fee as multiples of the fixed fee in `core/network.ts` (the table's fee): the lowest, and the
 * highest.
 */
const LEAST_PART = Decimal.parse('0.25');
const MOST_TIMES = Decimal.ofWhole(5);
/**
 * Highest computed fee as a fraction of the minimum withdrawal, so that a part of every withdrawal arrives. The fixed
 * fee of the table in `core/network.ts` applies nevertheless if it is higher.
 */
const MOST_OF_LEAST_WITHDRAWAL = Decimal.parse('0.5');
/**
 * Milliseconds after which the fixed fee of the table in `core/network.ts` is charged instead of a computed fee that
 * could not be computed again.
 */
export const FRESH_MS = 5 * MINUTE_MS;

/**
 * Returns the lowest and the highest fee that can be charged for a coin on a network, in units of the coin.
 */
export function feeBounds({ fee, minWithdrawal, digits }: FeeTerms): {
  readonly least: Decimal;
  readonly most: Decimal;
} {
  const ceiling = least(
    fee.times(MOST_TIMES, 'down', digits),
    minWithdrawal.times(MOST_OF_LEAST_WITHDRAWAL, 'down', digits),
  );
  return { least: fee.times(LEAST_PART, 'up', digits), most: greatest(ceiling, fee) };
}

/**
 * Converts the cost of a payment from the coin in which the network is paid to another coin, rounded up. The prices of
 * both coins are in USDT; undefined if one of them is missing or not positive.
 */
export function convertedCost(
  cost: Decimal,
  paidPrice: Decimal | undefined,
  coinPrice: Decimal | undefined,
): Decimal | undefined {
  if (paidPrice?.isPositive() !== true || coinPrice?.isPositive() !== true) return undefined;
  return cost.times(paidPrice, 'up').over(coinPrice, 'up');
}

/**
 * Returns the fee of a withdrawal whose payment costs `cost` on the network: the cost times `MARGIN`, rounded
 * up to two significant digits, within the bounds of `feeBounds`. `charged` is the fee that is charged at
 * present; it stays if it is within the bounds and the cost times `MARGIN` is between 90% and 100% of it. All
 * amounts are in units of the coin.
 */
export function liveFee(terms: FeeTerms, cost: Decimal, charged: Decimal | undefined): Decimal {
  const bounds = feeBounds(terms);
  const wanted = cost.times(MARGIN, 'up');
  const isSame =
    charged !== undefined &&
    !wanted.isMore(charged) &&
    !wanted.isLess(charged.times(FALL, 'up')) &&
    !charged.isLess(bounds.least) &&
    !charged.isMore(bounds.most);
  if (isSame) return charged;
  const rounded = significantUp(wanted).rounded(terms.digits, 'up');
  return least(greatest(rounded, bounds.least), bounds.most);
}

/**
 * Returns whether a fee that was computed at `at` may still be charged at `now`: at most `FRESH_MS` later.
 */
export function isFresh({ at }: Pick<FeeReading, 'at'>, now: Instant): boolean {
  return now <= later(at, FRESH_MS);
}

/** Rounds an amount that is not negative up to `SIGNIFICANT_DIGITS`. */
function significantUp(amount: Decimal): Decimal {
  const atoms = amount.toScaled(DECIMAL_PLACES);
  const dropped = atoms.toString().length - SIGNIFICANT_DIGITS;
  if (dropped <= 0) return amount;
  const unit = 10n ** BigInt(dropped);
  return Decimal.ofScaled(((atoms + unit - 1n) / unit) * unit, DECIMAL_PLACES);
}
