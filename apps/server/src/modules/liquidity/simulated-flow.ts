import type { UserId } from '@exchange/core/ids.ts';
import { oppositeSide, type Side } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import { profileOf, type QuotingProfile } from './domain/profile.ts';
import { moodAfter, takerOrder } from './domain/taker.ts';
import type { QuotedPair, TradingParts } from './parts.ts';

/** After a refusal of its funds a side is left alone this long. */
const REST_MS = 60_000;

interface Stand extends QuotedPair {
  readonly profile: QuotingProfile;
  nextAt: Instant;
  isWaiting: boolean;
  mood: number;
  readonly restsUntil: Record<Side, Instant>;
}

/**
 * The demo's simulated takers: small market orders both ways, so that deals happen and candles move.
 * They are a user like any other and their orders go the ordinary way; never run in live mode.
 */
export class SimulatedFlow {
  private readonly parts: TradingParts;
  private readonly takers: UserId;
  private readonly random: SeededGenerator;
  private readonly stands: readonly Stand[];

  constructor(parts: TradingParts, takers: UserId, seed: number) {
    const now = parts.clock.now();
    this.parts = parts;
    this.takers = takers;
    this.random = new SeededGenerator(seed);
    this.stands = parts.pairs.map((listed) => {
      const profile = profileOf(listed.pair, listed.isToken);
      const restsUntil = { buy: now, sell: now };
      return { ...listed, profile, nextAt: this.after(now, profile), isWaiting: false, mood: 0, restsUntil };
    });
  }

  /** Sends the orders that are due, one per pair at most. Resolves when those are answered. */
  async advance(now: Instant): Promise<void> {
    const due = this.stands.filter((stand) => !stand.isWaiting && stand.nextAt <= now);
    await Promise.all(due.map((stand) => this.trade(stand, now)));
  }

  private async trade(stand: Stand, now: Instant): Promise<void> {
    stand.nextAt = this.after(now, stand.profile);
    stand.mood = moodAfter(stand.mood, this.random);
    const { pair, restsUntil } = stand;
    const { prices, spot, log } = this.parts;
    const index = prices.indexPrice(pair.symbol);
    const quoteValue = prices.usdtPrice(pair.quote);
    if (index === undefined || quoteValue === undefined) return;
    const order = takerOrder({ ...stand, price: index.price, quoteValue }, this.random);
    if (restsUntil[order.side] > now) return;
    if (prices.bestPrice(pair.symbol, oppositeSide(order.side)) === undefined) return;
    stand.isWaiting = true;
    try {
      await spot.place(this.takers, { symbol: pair.symbol, type: 'market', timeInForce: 'IOC', ...order });
    } catch (cause) {
      // Out of one coin: the other way brings it back. Any other refusal concerns this one order only.
      if (!(cause instanceof Refused)) log.warn('liquidity.taker_failed', { symbol: pair.symbol, cause });
      else if (cause.refusal.key === 'l.insufficient_balance') restsUntil[order.side] = later(now, REST_MS);
    } finally {
      stand.isWaiting = false;
    }
  }

  private after(now: Instant, { takerEveryMs }: QuotingProfile): Instant {
    return later(now, Math.round(this.random.between(...takerEveryMs)));
  }
}
