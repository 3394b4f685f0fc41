import { Decimal } from './decimal.ts';

export const FEE_PLACES = 8;

export interface FeeRates {
  /** Fee rates of a user as fractions of the received amount: 0.001 is 0.1 %. */
  readonly maker: Decimal;
  readonly taker: Decimal;
}

export interface FeeTier extends FeeRates {
  readonly tier: number;
  /** Minimum trading volume of a user in the last 30 days for this tier, in USDT. */
  readonly volume: Decimal;
}

const tier = (level: number, volume: string, maker: string, taker: string): FeeTier => ({
  tier: level,
  volume: Decimal.parse(volume),
  maker: Decimal.parse(maker),
  taker: Decimal.parse(taker),
});

export const FEE_TIERS: readonly FeeTier[] = [
  tier(0, '0', '0.0010', '0.0010'),
  tier(1, '50000', '0.0009', '0.0010'),
  tier(2, '500000', '0.0008', '0.0009'),
  tier(3, '5000000', '0.0006', '0.0008'),
  tier(4, '50000000', '0.0004', '0.0006'),
];

/**
 * Returns the fee on an amount that a trade delivers, in the coin of this amount: rate × amount, rounded up
 * to 8 decimals, and at most the amount.
 */
export function feeOn(received: Decimal, rate: Decimal): Decimal {
  const fee = received.times(rate, 'up', FEE_PLACES);
  return fee.isMore(received) ? received : fee;
}

/**
 * Returns the highest fee tier whose minimum volume is at most `volume`, a user's trading volume of the last 30 days in
 * USDT.
 */
export function tierFor(volume: Decimal): FeeTier {
  let reached = FEE_TIERS[0]!;
  for (const candidate of FEE_TIERS) if (!volume.isLess(candidate.volume)) reached = candidate;
  return reached;
}
