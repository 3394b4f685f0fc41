import { Decimal, greatest, least } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, Side } from '@exchange/core/pair.ts';
import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import type { QuotingProfile } from './profile.ts';

/** A market order of a simulated taker. */
export interface TakerOrder {
  readonly side: Side;
  /** Amount of the order in the base coin. */
  readonly amount: Decimal;
}

interface TakerInput {
  readonly pair: Pair;
  readonly filters: PairFilters;
  readonly profile: QuotingProfile;
  /** Index price of one unit of the base coin, in the quote coin. */
  readonly price: Decimal;
  /** Value of one unit of the quote coin in USDT. */
  readonly quoteValue: Decimal;
  /** Tendency of simulated takers, from −1 (mostly sells) to 1 (mostly buys). */
  readonly mood: number;
}

/**
 * Standard deviation of the logarithm of simulated order sizes. Sizes above `SIZE_MOST` times the median are reduced to
 * that size.
 */
const SIZE_SPREAD = 1;
const SIZE_MOST = 20;
/**
 * The total of a simulated order is at least the pair's minimum total times this factor, so that it is still valid if
 * the price falls before the order is placed.
 */
const ABOVE_LEAST = Decimal.parse('1.2');

/**
 * The next simulated market order. `mood` biases its side; its size is log-normally distributed, within the pair's
 * limits.
 */
export function takerOrder(input: TakerInput, random: SeededGenerator): TakerOrder {
  const { pair, filters, profile, price, quoteValue, mood } = input;
  const side = random.next() < 0.5 + 0.3 * mood ? 'buy' : 'sell';
  const factor = Math.min(SIZE_MOST, Math.exp(SIZE_SPREAD * random.normal()));
  const usdt = Decimal.ofScaled(BigInt(Math.max(1, Math.round(profile.takerUsdt * factor * 100))), 2);
  const requested = usdt.over(price.times(quoteValue, 'up'), 'down', pair.amountDigits);
  const minimum = filters.minTotal.times(ABOVE_LEAST, 'up').over(price, 'up', pair.amountDigits);
  return {
    side,
    amount: least(greatest(requested, greatest(minimum, filters.minAmount)), filters.maxAmount),
  };
}

/**
 * The next tendency of simulated takers, from −1 to 1: an autoregressive random walk, so that buys and sells come in
 * clusters.
 */
export function moodAfter(mood: number, random: SeededGenerator): number {
  return Math.max(-1, Math.min(1, mood * 0.92 + 0.25 * random.normal()));
}
