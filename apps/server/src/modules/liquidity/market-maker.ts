import { Decimal } from '@exchange/core/decimal.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import {
  isThin,
  quoteCommands,
  type LadderInput,
  type OpenQuote,
  type QuoteCommand,
} from './domain/ladder.ts';
import { profileOf, type QuotingProfile } from './domain/profile.ts';
import type { QuotedPair, TradingParts } from './parts.ts';

/**
 * Milliseconds until the market maker checks a pair again while it places, moves or cancels the orders of a whole
 * ladder.
 */
const HURRY_MS = 100;
/**
 * Milliseconds at most until the market maker checks a pair again after it cancelled an order that was too close to the
 * index or on the wrong side of it.
 */
const URGENT_MS = 300;
/**
 * If a pair has had no index for this many milliseconds, all of the market maker's orders on the pair are cancelled.
 */
const NO_INDEX_GRACE_MS = 2_000;
/**
 * Milliseconds during which the market maker sends no order on a side of a pair's book after an order on that side was
 * refused or failed. `REST_SHORT_OF_FUNDS_MS` applies if the balance was too small, `REST_MS` otherwise.
 */
const REST_SHORT_OF_FUNDS_MS = 30_000;
const REST_MS = 5_000;

/** The commands that the market maker sends now for a pair, and the milliseconds until it checks the pair again. */
interface Plan {
  readonly commands: readonly QuoteCommand[];
  readonly waitMs: number;
}

const NEARLY_ALL = 0.8;

/**
 * The market maker's state for one pair: its quoting profile, the centre of its ladder, and the times from
 * which on it may send further commands.
 */
interface QuotedMarket extends QuotedPair {
  readonly profile: QuotingProfile;
  nextAt: Instant;
  /**
   * Earliest time of the next command for the pair that is not urgent: placing an order on an empty level, or
   * cancelling one that is surplus or too far out.
   */
  calmlyAt: Instant;
  isWaiting: boolean;
  withoutIndexSince: Instant | undefined;
  /**
   * The index price around which the orders are placed; it follows the index only in steps (see `centreOf`). Undefined
   * before the first index price.
   */
  centre: Decimal | undefined;
  readonly restsUntil: Record<Side, Instant>;
}

/**
 * The exchange's market maker: keeps a ladder of orders around the index of each of its pairs. Its orders are placed
 * like those of any user, from its own balances. Its open orders are always read from spot and not cached, so after a
 * restart it continues with the existing orders. A pair gets no new commands before its last ones are answered, so a
 * slow exchange is not flooded.
 */
export class MarketMaker {
  private readonly parts: TradingParts;
  private readonly maker: UserId;
  private readonly random: SeededGenerator;
  private readonly markets: readonly QuotedMarket[];

  constructor(parts: TradingParts, house: UserId, seed: number) {
    const now = parts.clock.now();
    this.parts = parts;
    this.maker = house;
    this.random = new SeededGenerator(seed);
    this.markets = parts.pairs.map((listed) => ({
      ...listed,
      profile: profileOf(listed.pair, listed.isToken),
      nextAt: now,
      calmlyAt: now,
      isWaiting: false,
      withoutIndexSince: undefined,
      centre: undefined,
      restsUntil: { buy: now, sell: now },
    }));
  }

  /** Cancels the market maker's orders on pairs that are no longer quoted. */
  async cancelUnquoted(): Promise<void> {
    const quoted = new Set(this.markets.map(({ pair }) => pair.symbol));
    for (const { id, symbol } of this.parts.spot.openOrders(this.maker)) {
      if (!quoted.has(symbol)) await this.tryCancel(id, symbol);
    }
  }

  /**
   * Cancels an order. If the cancel is refused, because the pair is closed or an asset is halted, the order stays open;
   * the refusal is only logged, so that the market maker starts nevertheless.
   */
  private async tryCancel(id: OrderId, symbol: string): Promise<void> {
    try {
      await this.parts.spot.cancel(this.maker, id);
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      this.parts.log.warn('liquidity.not_withdrawn', { symbol, why: cause.refusal.key });
    }
  }

  /**
   * True if the market maker has open orders on at least 80 per cent of its pairs. Not all pairs are required, because
   * a pair may have no index.
   */
  get hasQuotes(): boolean {
    return this.openBySymbol().size >= this.markets.length * NEARLY_ALL;
  }

  /**
   * Sends the market maker's commands for each pair that is due for a check; resolves when the commands have been
   * executed or refused.
   */
  async advance(now: Instant): Promise<void> {
    const due = this.markets.filter((market) => !market.isWaiting && market.nextAt <= now);
    if (due.length === 0) return;
    const open = this.openBySymbol();
    await Promise.all(
      due.map((market) => this.updateQuotes(market, open.get(market.pair.symbol) ?? [], now)),
    );
  }

  private openBySymbol(): Map<string, OpenQuote[]> {
    const bySymbol = new Map<string, OpenQuote[]>();
    for (const order of this.parts.spot.openOrders(this.maker)) {
      const quotes = bySymbol.get(order.symbol);
      if (quotes === undefined) bySymbol.set(order.symbol, [order]);
      else quotes.push(order);
    }
    return bySymbol;
  }

  private async updateQuotes(market: QuotedMarket, open: readonly OpenQuote[], now: Instant): Promise<void> {
    const { commands, waitMs } = this.next(market, open, now);
    market.nextAt = later(now, waitMs);
    if (commands.length === 0) return;
    market.isWaiting = true;
    await Promise.all(commands.map((command) => this.send(market, command, now)));
    market.isWaiting = false;
  }

  /**
   * The market maker's next commands for one pair. Normally one command at a time; those that are not urgent are sent
   * less often, because a fluctuating index would make most of them useless. If fewer than half of the levels have
   * orders, all commands are sent at once.
   */
  private next(market: QuotedMarket, open: readonly OpenQuote[], now: Instant): Plan {
    const input = this.ladderInput(market, open);
    if (input === undefined) return this.withdraw(market, open, now);
    market.withoutIndexSince = undefined;
    const commands = quoteCommands(input).filter(
      (command) => command.kind === 'cancel' || market.restsUntil[command.side] <= now,
    );
    const usualMs = Math.round(this.random.between(...market.profile.everyMs));
    const [first] = commands;
    if (first === undefined) return { commands: [], waitMs: usualMs };
    if (isThin(input)) return { commands, waitMs: HURRY_MS };
    if (first.kind === 'cancel' && first.reason === 'tooClose')
      return { commands: [first], waitMs: Math.min(URGENT_MS, usualMs) };
    // While orders still have to follow the index, the spread is wide, so the pair is checked again after only
    // `HURRY_MS`.
    if (first.kind === 'move') return { commands: [first], waitMs: HURRY_MS };
    if (first.kind === 'take') return { commands: [first], waitMs: usualMs };
    if (now < market.calmlyAt) return { commands: [], waitMs: usualMs };
    market.calmlyAt = later(now, Math.round(this.random.between(...market.profile.calmlyEveryMs)));
    return { commands: [first], waitMs: usualMs };
  }

  private ladderInput(market: QuotedMarket, open: readonly OpenQuote[]): LadderInput | undefined {
    const { pair, filters, profile } = market;
    const { prices } = this.parts;
    const price = prices.indexPrice(pair.symbol)?.price;
    const quoteValue = prices.usdtPrice(pair.quote);
    if (price === undefined || quoteValue === undefined) return undefined;
    market.centre = centreOf(market.centre, price, profile);
    const index = market.centre;
    const best = { buy: prices.bestPrice(pair.symbol, 'buy'), sell: prices.bestPrice(pair.symbol, 'sell') };
    return { pair, filters, profile, index, quoteValue, open, best, draw: () => this.random.next() };
  }

  /**
   * The commands for a pair without an index: none during the first two seconds, then a cancel of each of the market
   * maker's orders.
   */
  private withdraw(market: QuotedMarket, open: readonly OpenQuote[], now: Instant): Plan {
    market.withoutIndexSince ??= now;
    if (now < later(market.withoutIndexSince, NO_INDEX_GRACE_MS)) return { commands: [], waitMs: HURRY_MS };
    return { commands: open.map(({ id }) => ({ kind: 'cancel', id, reason: 'tooClose' })), waitMs: HURRY_MS };
  }

  private async send(market: QuotedMarket, command: QuoteCommand, now: Instant): Promise<void> {
    const { pair, restsUntil } = market;
    const { spot, log } = this.parts;
    try {
      if (command.kind === 'move') {
        await spot.amend(this.maker, command.id as OrderId, { price: command.price });
        return;
      }
      if (command.kind === 'cancel') {
        await spot.cancel(this.maker, command.id as OrderId);
        return;
      }
      const { side, price, amount } = command;
      const isTaking = command.kind === 'take';
      const timing = isTaking
        ? ({ timeInForce: 'IOC' } as const)
        : ({ timeInForce: 'GTC', postOnly: true } as const);
      await spot.place(this.maker, { symbol: pair.symbol, side, type: 'limit', price, amount, ...timing });
    } catch (cause) {
      // A refusal is expected: the order was filled meanwhile, the price moved, or the balance is too small. Any other
      // error is unexpected and logged. In both cases the market maker sends only cancels on the order's side of the
      // book for `restMs`, except after a failed cancel.
      const key = cause instanceof Refused ? cause.refusal.key : undefined;
      if (key === undefined)
        log.warn('liquidity.command_failed', { symbol: pair.symbol, kind: command.kind, cause });
      const restMs = key === 'l.insufficient_balance' ? REST_SHORT_OF_FUNDS_MS : REST_MS;
      if (command.kind !== 'cancel') restsUntil[command.side] = later(now, restMs);
      // While an asset is halted, neither orders nor cancels are possible, so the next check of the whole pair is
      // delayed.
      if (key === 'l.asset_halted') market.nextAt = later(now, REST_MS);
      if (key === 'l.insufficient_balance') {
        log.warn('liquidity.short_of_funds', {
          symbol: pair.symbol,
          side: 'side' in command ? command.side : '',
        });
      }
    }
  }
}

/**
 * The centre of the market maker's ladder of orders. It stays the same until the index is further away from
 * it than the profile's `driftPpm`, and then becomes the index. So the innermost orders do not move at every
 * change of the index; with a drift of 0 the centre always equals the index.
 */
function centreOf(centre: Decimal | undefined, index: Decimal, { driftPpm }: QuotingProfile): Decimal {
  if (centre === undefined) return index;
  const drift = index.isMore(centre) ? index.minus(centre) : centre.minus(index);
  const allowed = centre.times(Decimal.ofScaled(BigInt(driftPpm), 6), 'down');
  return drift.isMore(allowed) ? index : centre;
}
