import { Decimal } from '@exchange/core/decimal.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import { isThin, ladder, type LadderInput, type OpenQuote, type QuoteCommand } from './domain/ladder.ts';
import { profileOf, type QuotingProfile } from './domain/profile.ts';
import type { QuotedPair, TradingParts } from './parts.ts';

/** Between commands while a ladder is built up or taken down. */
const HURRY_MS = 100;
/** Before the next command when a quote stands on the wrong side of the index. */
const URGENT_MS = 300;
/** A missing index may be a hiccup for this long; then nothing is quoted. */
const NO_INDEX_GRACE_MS = 2_000;
/** A refused side rests: short of funds for long, anything else for a moment. */
const REST_SHORT_OF_FUNDS_MS = 30_000;
const REST_MS = 5_000;

/** What to send now, and how long to wait before looking again. */
interface Turn {
  readonly commands: readonly QuoteCommand[];
  readonly waitMs: number;
}

const NEARLY_ALL = 0.8;

/** One pair as the maker sees it. */
interface Stand extends QuotedPair {
  readonly profile: QuotingProfile;
  nextAt: Instant;
  /** When a command may be sent that can wait. */
  calmlyAt: Instant;
  isWaiting: boolean;
  withoutIndexSince: Instant | undefined;
  /** Where the ladder stands; undefined until it has an index. */
  centre: Decimal | undefined;
  readonly restsUntil: Record<Side, Instant>;
}

/**
 * The house market maker: keeps a ladder of orders around the index of every pair, through the ordinary
 * order path and from its own balances. What it has open is always read from spot and never remembered
 * here, so after a restart it goes on with the orders it finds. A pair sends nothing new before its last
 * commands are answered: a slow exchange is never flooded.
 */
export class MarketMaker {
  private readonly parts: TradingParts;
  private readonly house: UserId;
  private readonly random: SeededGenerator;
  private readonly stands: readonly Stand[];

  constructor(parts: TradingParts, house: UserId, seed: number) {
    const now = parts.clock.now();
    this.parts = parts;
    this.house = house;
    this.random = new SeededGenerator(seed);
    this.stands = parts.pairs.map((listed) => ({
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

  /** Cancels orders on pairs that are not quoted any more. */
  async adopt(): Promise<void> {
    const quoted = new Set(this.stands.map(({ pair }) => pair.symbol));
    for (const { id, symbol } of this.parts.spot.openOrders(this.house)) {
      if (!quoted.has(symbol)) await this.cancelIfItMay(id, symbol);
    }
  }

  /** An order of a closed pair or a halted asset stays where it is, and keeps nobody from starting. */
  private async cancelIfItMay(id: OrderId, symbol: string): Promise<void> {
    try {
      await this.parts.spot.cancel(this.house, id);
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      this.parts.log.warn('liquidity.not_withdrawn', { symbol, why: cause.refusal.key });
    }
  }

  /** Whether nearly every pair has quotes of ours on its book: one without an index must not keep all waiting. */
  get hasQuotes(): boolean {
    return this.openBySymbol().size >= this.stands.length * NEARLY_ALL;
  }

  /** Sends at most one command for each pair that is due. Resolves when those are answered. */
  async advance(now: Instant): Promise<void> {
    const due = this.stands.filter((stand) => !stand.isWaiting && stand.nextAt <= now);
    if (due.length === 0) return;
    const open = this.openBySymbol();
    await Promise.all(due.map((stand) => this.tend(stand, open.get(stand.pair.symbol) ?? [], now)));
  }

  private openBySymbol(): Map<string, OpenQuote[]> {
    const bySymbol = new Map<string, OpenQuote[]>();
    for (const order of this.parts.spot.openOrders(this.house)) {
      const present = bySymbol.get(order.symbol);
      if (present === undefined) bySymbol.set(order.symbol, [order]);
      else present.push(order);
    }
    return bySymbol;
  }

  private async tend(stand: Stand, open: readonly OpenQuote[], now: Instant): Promise<void> {
    const { commands, waitMs } = this.next(stand, open, now);
    stand.nextAt = later(now, waitMs);
    if (commands.length === 0) return;
    stand.isWaiting = true;
    await Promise.all(commands.map((command) => this.send(stand, command, now)));
    stand.isWaiting = false;
  }

  /**
   * One command at a time, and what can wait less often, since a market that moves to and fro undoes most of it
   * meanwhile; but a ladder that hardly stands is put up at once.
   */
  private next(stand: Stand, open: readonly OpenQuote[], now: Instant): Turn {
    const input = this.seen(stand, open);
    if (input === undefined) return this.withdraw(stand, open, now);
    stand.withoutIndexSince = undefined;
    const wanted = ladder(input).filter(
      (command) => command.kind === 'cancel' || stand.restsUntil[command.side] <= now,
    );
    const usualMs = Math.round(this.random.between(...stand.profile.everyMs));
    const [first] = wanted;
    if (first === undefined) return { commands: [], waitMs: usualMs };
    if (isThin(input)) return { commands: wanted, waitMs: HURRY_MS };
    if (first.kind === 'cancel' && first.reason === 'tooClose')
      return { commands: [first], waitMs: Math.min(URGENT_MS, usualMs) };
    // A few at once, when the ladder follows the index: until then the book stands open.
    if (first.kind === 'move') return { commands: [first], waitMs: HURRY_MS };
    if (first.kind === 'take') return { commands: [first], waitMs: usualMs };
    if (now < stand.calmlyAt) return { commands: [], waitMs: usualMs };
    stand.calmlyAt = later(now, Math.round(this.random.between(...stand.profile.calmlyEveryMs)));
    return { commands: [first], waitMs: usualMs };
  }

  private seen(stand: Stand, open: readonly OpenQuote[]): LadderInput | undefined {
    const { pair, filters, profile } = stand;
    const { prices } = this.parts;
    const price = prices.indexPrice(pair.symbol)?.price;
    const quoteValue = prices.usdtPrice(pair.quote);
    if (price === undefined || quoteValue === undefined) return undefined;
    stand.centre = centreOf(stand.centre, price, profile);
    const index = stand.centre;
    const best = { buy: prices.bestPrice(pair.symbol, 'buy'), sell: prices.bestPrice(pair.symbol, 'sell') };
    return { pair, filters, profile, index, quoteValue, open, best, draw: () => this.random.next() };
  }

  /** Without an index nothing is quoted: after a short delay, what is quoted is withdrawn at once. */
  private withdraw(stand: Stand, open: readonly OpenQuote[], now: Instant): Turn {
    stand.withoutIndexSince ??= now;
    if (now < later(stand.withoutIndexSince, NO_INDEX_GRACE_MS)) return { commands: [], waitMs: HURRY_MS };
    return { commands: open.map(({ id }) => ({ kind: 'cancel', id, reason: 'tooClose' })), waitMs: HURRY_MS };
  }

  private async send(stand: Stand, command: QuoteCommand, now: Instant): Promise<void> {
    const { pair, restsUntil } = stand;
    const { spot, log } = this.parts;
    try {
      if (command.kind === 'move') {
        await spot.amend(this.house, command.id as OrderId, { price: command.price });
        return;
      }
      if (command.kind === 'cancel') {
        await spot.cancel(this.house, command.id as OrderId);
        return;
      }
      const { side, price, amount } = command;
      const isTaking = command.kind === 'take';
      const how = isTaking
        ? ({ timeInForce: 'IOC' } as const)
        : ({ timeInForce: 'GTC', postOnly: true } as const);
      await spot.place(this.house, { symbol: pair.symbol, side, type: 'limit', price, amount, ...how });
    } catch (cause) {
      // A refusal is an answer: the order was filled meanwhile, the price moved, funds ran short. Anything
      // else means that the exchange itself is in trouble, and a maker must not add to it.
      const key = cause instanceof Refused ? cause.refusal.key : undefined;
      if (key === undefined)
        log.warn('liquidity.command_failed', { symbol: pair.symbol, kind: command.kind, cause });
      const restMs = key === 'l.insufficient_balance' ? REST_SHORT_OF_FUNDS_MS : REST_MS;
      if (command.kind !== 'cancel') restsUntil[command.side] = later(now, restMs);
      // Neither in nor out: asking again at once would not help.
      if (key === 'l.asset_halted') stand.nextAt = later(now, REST_MS);
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
 * Where a ladder stands: it stays while the index is near, and comes after it once it is further away than the profile
 * allows. So quotes a few ticks apart cost a move each now and then, and not one at every tick of the index.
 */
function centreOf(centre: Decimal | undefined, index: Decimal, { driftPpm }: QuotingProfile): Decimal {
  if (centre === undefined) return index;
  const drift = index.isMore(centre) ? index.minus(centre) : centre.minus(index);
  const allowed = centre.times(Decimal.ofScaled(BigInt(driftPpm), 6), 'down');
  return drift.isMore(allowed) ? index : centre;
}
