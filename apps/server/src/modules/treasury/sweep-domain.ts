import { Decimal } from '@exchange/core/decimal.ts';
import { HOUR_MS, type Instant } from '@exchange/core/time.ts';

/** States of a sweep that has not ended, in the order in which a sweep passes through them. */
export const OPEN_SWEEP_STATES = ['planned', 'funded', 'signed', 'sent'] as const;
export type OpenSweepState = (typeof OPEN_SWEEP_STATES)[number];
export type SweepState = OpenSweepState | 'confirmed' | 'failed' | 'dropped';

/** A transfer of coins from a deposit address into the hot wallet of its network. */
export interface Sweep {
  readonly id: string;
  readonly network: string;
  readonly asset: string;
  /** Derivation index of the deposit address. */
  readonly index: number;
  readonly address: string;
  readonly destination: string;
  /** Amount of the sweep in units of the coin. */
  readonly amount: Decimal;
  /**
   * `gasLimit` is the amount of gas that is reserved for the sweep's transaction; `mostFee` is the highest fee in wei
   * per unit of gas that the reserve covers.
   */
  readonly gasLimit: bigint;
  readonly mostFee: bigint;
  /**
   * Amount in the chain's coin that the hot wallet first sends to the address so that it can pay for the gas; undefined
   * if the address has enough.
   */
  readonly gas: Decimal | undefined;
  readonly state: SweepState;
  readonly createdAt: Instant;
  readonly gasTxid: string | undefined;
  readonly txid: string | undefined;
  readonly block: number | undefined;
  /** Booked network fees of the sweep's transactions, in the chain's coin. */
  readonly fee: Decimal;
  readonly reason: string | undefined;
  readonly closedAt: Instant | undefined;
}

/** An operator's pause of all sweeps on a network. */
export interface SweepPause {
  readonly network: string;
  readonly since: Instant;
  readonly by: string;
  readonly reason: string;
}

/**
 * Milliseconds after its planning at which a sweep that has not ended counts as stuck, which operators are notified of.
 */
export const STUCK_AFTER_MS = 2 * HOUR_MS;
/**
 * Milliseconds after its planning at which a sweep without a signed transaction is dropped. It is then planned again
 * with current amount and fees.
 */
const DROPPED_AFTER_MS = 6 * HOUR_MS;

/**
 * Returns whether moving an amount of a coin is worth the cost of its gas: the amount's value is at least
 * `factor` times the cost, both in USDT. False without both prices.
 */
export function isWorthSweeping(
  { amount, price }: { readonly amount: Decimal; readonly price: Decimal | undefined },
  {
    cost,
    price: coinPrice,
    factor,
  }: { readonly cost: Decimal; readonly price: Decimal | undefined; readonly factor: number },
): boolean {
  if (price === undefined || coinPrice === undefined || !amount.isPositive()) return false;
  return !amount
    .times(price, 'down')
    .isLess(cost.times(coinPrice, 'up').times(Decimal.ofWhole(factor), 'up'));
}

/** Returns whether the value of an amount is at least `least` USDT; false for a coin without a price. */
export function isWorthLeast(
  { amount, price }: { readonly amount: Decimal; readonly price: Decimal | undefined },
  least: Decimal,
): boolean {
  return price !== undefined && amount.isPositive() && !amount.times(price, 'down').isLess(least);
}

/** Returns whether a sweep was planned at least `STUCK_AFTER_MS` milliseconds ago and has not ended. */
export function isStuck(
  { createdAt, closedAt }: Pick<Sweep, 'createdAt' | 'closedAt'>,
  now: Instant,
): boolean {
  return closedAt === undefined && now - createdAt >= STUCK_AFTER_MS;
}

/**
 * Returns whether a sweep was planned at least `DROPPED_AFTER_MS` milliseconds ago, so that its amount and
 * fees are outdated. Callers only pass sweeps without a signed transaction.
 */
export function isOutdated({ createdAt }: Pick<Sweep, 'createdAt'>, now: Instant): boolean {
  return now - createdAt >= DROPPED_AFTER_MS;
}
