import { Decimal } from '@exchange/core/decimal.ts';
import { INDEX_EXTRA_DIGITS } from '@exchange/core/index-price.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import type { SeededGenerator } from '@exchange/core/seeded-generator.ts';

/** Parameters of one simulated venue. */
export interface VenueTraits {
  readonly id: string;
  /** Minimum and maximum delay of the venue's messages in milliseconds. */
  readonly lagMs: readonly [number, number];
  /**
   * Standard deviation of the noise of each quote, relative to the simulated price; the venue's slowly
   * changing bias is about as large again.
   */
  readonly noise: number;
  /** Mean time in milliseconds between two quotes of one pair at the venue. */
  readonly quoteEveryMs: number;
  readonly outageEveryMs: number;
  readonly outageMs: readonly [number, number];
  /** Probability that a simulated quote is wrong by several per cent. */
  readonly outlierChance: number;
}

export const SIMULATED_VENUES: readonly VenueTraits[] = [
  venue('aster', [50, 180], 0.00003, 450),
  venue('boreal', [80, 320], 0.00005, 550),
  venue('cobalt', [120, 480], 0.00006, 650),
  venue('delta', [200, 900], 0.00009, 800),
];

function venue(
  id: string,
  lagMs: readonly [number, number],
  noise: number,
  quoteEveryMs: number,
): VenueTraits {
  const outages = { outageEveryMs: 45 * 60_000, outageMs: [2_000, 45_000] as const };
  return { id, lagMs, noise, quoteEveryMs, ...outages, outlierChance: 0.000004 };
}

/** A quote in transit: created at `at` by the venue's clock, received at `arrives`. */
export interface TravellingQuote {
  readonly venue: string;
  readonly symbol: string;
  readonly price: Decimal;
  readonly at: Instant;
  readonly arrives: Instant;
}

/** A simulated venue: generates quotes with noise, outliers and outages. */
export class SimulatedVenue {
  readonly traits: VenueTraits;
  private readonly pairs: readonly Pair[];
  private readonly random: SeededGenerator;
  private readonly nextQuote = new Map<string, Instant>();
  private readonly biases = new Map<string, number>();
  private silentUntil: Instant | undefined;
  private nextOutage: Instant | undefined;

  constructor(traits: VenueTraits, pairs: readonly Pair[], random: SeededGenerator) {
    this.traits = traits;
    this.pairs = pairs;
    this.random = random;
  }

  /**
   * One quote for each pair whose next quote is due at `now`, with a price from the coins' USDT prices; empty
   * during an outage.
   */
  quotesAt(now: Instant, priceOf: (code: string) => number): TravellingQuote[] {
    if (this.isSilent(now)) return [];
    const due = this.pairs.filter((pair) => (this.nextQuote.get(pair.symbol) ?? now) <= now);
    return due.map((pair) => {
      const wait = this.traits.quoteEveryMs * this.random.between(0.5, 1.5);
      this.nextQuote.set(pair.symbol, later(now, Math.round(wait)));
      return this.quote(pair, now, priceOf(pair.base) / priceOf(pair.quote));
    });
  }

  private quote(pair: Pair, now: Instant, fair: number): TravellingQuote {
    const { random, traits } = this;
    // Each venue has a slowly changing bias, and each quote has additional noise.
    const bias = (this.biases.get(pair.symbol) ?? 0) * 0.98 + traits.noise * 0.2 * random.normal();
    this.biases.set(pair.symbol, bias);
    const isOutlier = random.next() < traits.outlierChance;
    const outlierOffset = isOutlier ? random.between(0.03, 0.08) * (random.next() < 0.5 ? -1 : 1) : 0;
    const price = fair * (1 + bias + traits.noise * random.normal() + outlierOffset);
    const digits = pair.priceDigits + INDEX_EXTRA_DIGITS;
    const units = BigInt(Math.max(1, Math.round(price * 10 ** digits)));
    const arrives = later(now, Math.round(random.between(...traits.lagMs)));
    return {
      venue: traits.id,
      symbol: pair.symbol,
      price: Decimal.ofScaled(units, digits),
      at: now,
      arrives,
    };
  }

  private isSilent(now: Instant): boolean {
    if (this.silentUntil !== undefined && now < this.silentUntil) return true;
    this.silentUntil = undefined;
    this.nextOutage ??= this.outageAfter(now);
    if (now < this.nextOutage) return false;
    this.silentUntil = later(now, Math.round(this.random.between(...this.traits.outageMs)));
    this.nextOutage = this.outageAfter(this.silentUntil);
    return true;
  }

  private outageAfter(now: Instant): Instant {
    return later(now, Math.round(-Math.log(1 - this.random.next()) * this.traits.outageEveryMs));
  }
}
