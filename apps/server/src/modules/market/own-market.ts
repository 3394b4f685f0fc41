import type { Pair } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Log } from '../../platform/log.ts';
import type { PathState } from './domain/simulated-path.ts';
import { DEALS_KEPT, PairMarket } from './domain/pair-market.ts';
import type { SidedLevel } from './domain/public-book.ts';
import type { Deal, LevelsMoved } from './events.ts';
import { loadMarkets, packMarkets, saveMarkets, seedMarkets } from './market-keeper.ts';
import type { MarketRepository, SymbolDeal } from './repository.ts';

/** Deals after a sequence, oldest first, at most `limit`; answered by whoever keeps them. */
export type DealsSince = (sequence: number, limit: number) => Promise<readonly Deal[]>;

const CATCH_UP_PAGE = 1_000;

/**
 * What our own books show: follows committed deals and levels, in memory, and stores candles with the
 * sequence of the last deal they contain, so that each deal is counted exactly once across any crash.
 */
export class OwnMarket {
  readonly markets: ReadonlyMap<string, PairMarket>;
  private readonly repository: MarketRepository;
  private readonly log: Log;
  private sequence = 0;
  private isCaughtUp = false;
  private readonly early: Deal[] = [];
  private unsavedDeals: SymbolDeal[] = [];
  private saving: Promise<void> | undefined;
  /** The storing of a fresh demo's past; nothing else is stored before it. */
  private seeding: Promise<void> = Promise.resolve();

  constructor(pairs: readonly Pair[], repository: MarketRepository, log: Log) {
    this.markets = new Map(pairs.map((pair) => [pair.symbol, new PairMarket(pair)]));
    this.repository = repository;
    this.log = log;
  }

  /** Loads what is stored. Answers the path to go on with, and whether there was a market at all. */
  async load(): Promise<{ found: boolean; path: PathState | undefined }> {
    const progress = await loadMarkets(this.repository, this.markets);
    this.sequence = progress?.dealSequence ?? 0;
    return { found: progress !== undefined, path: progress?.path };
  }

  /** Gives a fresh demo its past. */
  seed(now: Instant, seed: number): PathState {
    const pairs = [...this.markets.values()].map(({ pair }) => pair);
    const { path, storing } = seedMarkets(this.repository, this.markets, pairs, now, seed);
    this.seeding = storing;
    // Whoever saves next gets the failure; a failure nobody waited for must not end the process.
    storing.catch((cause: unknown) => this.log.error('market.seed_unsaved', { cause }));
    return path;
  }

  /** Counts the deals that were committed but not yet stored here; until then new ones wait. */
  async catchUp(dealsSince: DealsSince): Promise<number> {
    const from = this.sequence;
    let found = 0;
    for (;;) {
      const page = await dealsSince(this.sequence, CATCH_UP_PAGE);
      for (const deal of page) this.count(deal);
      found += page.length;
      if (page.length < CATCH_UP_PAGE) break;
    }
    this.isCaughtUp = true;
    for (const deal of this.early.splice(0)) this.count(deal);
    if (found > 0) this.log.info('market.caught_up', { deals: found, from });
    return found;
  }

  /** A deal was committed. */
  deal(deal: Deal): void {
    if (this.isCaughtUp) this.count(deal);
    else this.early.push(deal);
  }

  levels({ symbol, levels }: LevelsMoved): void {
    const market = this.markets.get(symbol);
    for (const level of levels) market?.book.set(level);
  }

  loadBook(symbol: string, levels: readonly SidedLevel[]): void {
    this.markets.get(symbol)?.book.load(levels);
  }

  /** Opens the candles that are due. Not before catching up: a late deal belongs before the empty candles. */
  rollTo(now: Instant): void {
    if (!this.isCaughtUp) return;
    for (const market of this.markets.values()) market.rollTo(now);
  }

  /** Stores what has changed; one at a time, and a failed one is made good by the next. */
  async save(path: PathState | undefined): Promise<void> {
    await this.saving;
    const deals = this.unsavedDeals;
    this.unsavedDeals = [];
    const progress = { dealSequence: this.sequence, path };
    this.saving = this.seeding
      .then(() => saveMarkets(this.repository, this.markets, deals, progress))
      .catch((cause: unknown) => {
        this.unsavedDeals = [...deals, ...this.unsavedDeals].slice(-DEALS_KEPT * this.markets.size);
        this.log.error('market.unsaved', { cause });
      })
      .finally(() => (this.saving = undefined));
    await this.saving;
  }

  async pack(): Promise<void> {
    await packMarkets(this.repository, this.markets);
  }

  private count(deal: Deal): void {
    if (deal.sequence <= this.sequence) return;
    this.sequence = deal.sequence;
    const market = this.markets.get(deal.symbol);
    if (market === undefined) return;
    const { priceDigits, amountDigits } = market.pair;
    const counted = {
      tradeId: deal.tradeId,
      sequence: deal.sequence,
      at: deal.at,
      price: deal.price.toScaled(priceDigits),
      amount: deal.amount.toScaled(amountDigits),
      takerSide: deal.takerSide,
    };
    market.add(counted);
    this.unsavedDeals.push({ symbol: deal.symbol, deal: counted });
    const most = DEALS_KEPT * this.markets.size;
    if (this.unsavedDeals.length > 2 * most) this.unsavedDeals = this.unsavedDeals.slice(-most);
  }
}
