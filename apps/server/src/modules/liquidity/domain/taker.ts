import { Decimal, greatest, least } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, Side } from '@exchange/core/pair.ts';
import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import type { QuotingProfile } from './profile.ts';

/** A simulated taker's market order. */
export interface TakerOrder {
  readonly side: Side;
  /** In the base coin. */
  readonly amount: Decimal;
}

interface TakerInput {
  readonly pair: Pair;
  readonly filters: PairFilters;
  readonly profile: QuotingProfile;
  /** In the quote coin, and USDT per unit of that. */
  readonly price: Decimal;
  readonly quoteValue: Decimal;
  /** From −1, everybody sells, to 1, everybody buys. */
  readonly mood: number;
}

/** Sizes spread like those of people: many small, few large, none absurd. */
const SIZE_SPREAD = 1;
const SIZE_MOST = 20;
/** Room above the least total, since the price may move before the order arrives. */
const ABOVE_LEAST = Decimal.parse('1.2');

/** The next simulated order: its side leans with the mood, its size is log-normal. */
export function takerOrder(input: TakerInput, random: SeededGenerator): TakerOrder {
  const { pair, filters, profile, price, quoteValue, mood } = input;
  const side = random.next() < 0.5 + 0.3 * mood ? 'buy' : 'sell';
  const factor = Math.min(SIZE_MOST, Math.exp(SIZE_SPREAD * random.normal()));
  const usdt = Decimal.ofScaled(BigInt(Math.max(1, Math.round(profile.takerUsdt * factor * 100))), 2);
  const wanted = usdt.over(price.times(quoteValue, 'up'), 'down', pair.amountDigits);
  const fewest = filters.minTotal.times(ABOVE_LEAST, 'up').over(price, 'up', pair.amountDigits);
  return { side, amount: least(greatest(wanted, greatest(fewest, filters.minAmount)), filters.maxAmount) };
}

/** Moods last for some orders and then turn: buyers and sellers come in bunches. */
export function moodAfter(mood: number, random: SeededGenerator): number {
  return Math.max(-1, Math.min(1, mood * 0.92 + 0.25 * random.normal()));
}
