import type { UserId } from '@exchange/core/ids.ts';
import { oppositeSide, type Side } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import { profileOf, type QuotingProfile } from './domain/profile.ts';
import { moodAfter, takerOrder } from './domain/taker.ts';
import type { QuotedPair, TradingParts } from './parts.ts';

/**
 * Milliseconds during which the simulated takers send no order on a side after a refusal for lack
 * of funds.
 */
const REST_MS = 60_000;

interface TakerMarket extends QuotedPair {
  readonly profile: QuotingProfile;
  nextAt: Instant;
  isWaiting: boolean;
  mood: number;
  readonly restsUntil: Record<Side, Instant>;
}

/**
 * The simulated takers of demo mode place small market orders on both sides, so that trades happen and candles change.
 * They share one ordinary user account, whose orders are placed like those of any user.
 */
export class SimulatedFlow {
  private readonly parts: TradingParts;
  private readonly takers: UserId;
  private readonly random: SeededGenerator;
  private readonly markets: readonly TakerMarket[];

  constructor(parts: TradingParts, takers: UserId, seed: number) {
    const now = parts.clock.now();
    this.parts = parts;
    this.takers = takers;
    this.random = new SeededGenerator(seed);
    this.markets = parts.pairs.map((listed) => {
      const profile = profileOf(listed.pair, listed.isToken);
      const restsUntil = { buy: now, sell: now };
      return {
        ...listed,
        profile,
        nextAt: this.nextTime(now, profile),
        isWaiting: false,
        mood: 0,
        restsUntil,
      };
    });
  }

  /**
   * Sends the simulated takers' orders that are due, at most one per pair; resolves when they are
   * answered.
   */
  async advance(now: Instant): Promise<void> {
    const due = this.markets.filter((market) => !market.isWaiting && market.nextAt <= now);
    await Promise.all(due.map((market) => this.trade(market, now)));
  }

  private async trade(market: TakerMarket, now: Instant): Promise<void> {
    market.nextAt = this.nextTime(now, market.profile);
    market.mood = moodAfter(market.mood, this.random);
    const { pair, restsUntil } = market;
    const { prices, spot, log } = this.parts;
    const index = prices.indexPrice(pair.symbol);
    const quoteValue = prices.usdtPrice(pair.quote);
    if (index === undefined || quoteValue === undefined) return;
    const order = takerOrder({ ...market, price: index.price, quoteValue }, this.random);
    if (restsUntil[order.side] > now) return;
    if (prices.bestPrice(pair.symbol, oppositeSide(order.side)) === undefined) return;
    market.isWaiting = true;
    try {
      await spot.place(this.takers, { symbol: pair.symbol, type: 'market', timeInForce: 'IOC', ...order });
    } catch (cause) {
      // If the takers' balance is too small for an order on this side, they send no order on this side of the pair for
      // `REST_MS`; their orders on the other side bring the missing coin back. Any other refusal concerns only this
      // order and is ignored.
      if (!(cause instanceof Refused)) log.warn('liquidity.taker_failed', { symbol: pair.symbol, cause });
      else if (cause.refusal.key === 'l.insufficient_balance') restsUntil[order.side] = later(now, REST_MS);
    } finally {
      market.isWaiting = false;
    }
  }

  private nextTime(now: Instant, { takerEveryMs }: QuotingProfile): Instant {
    return later(now, Math.round(this.random.between(...takerEveryMs)));
  }
}
