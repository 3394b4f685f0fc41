import type { Pair } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Log } from '../../platform/log.ts';
import type { PathState } from './domain/simulated-path.ts';
import { DEALS_KEPT, PairMarket } from './domain/pair-market.ts';
import type { SidedLevel } from './domain/public-book.ts';
import type { Deal, LevelsMoved } from './events.ts';
import { loadMarkets, packMarkets, readMarkets, saveMarkets, seedMarkets } from './market-storage.ts';
import type { MarketRepository, Progress, SymbolDeal } from './repository.ts';

/**
 * Returns trades after a sequence number, oldest first, at most `limit`; provided by the module
 * that stores the trades.
 */
export type DealsSince = (sequence: number, limit: number) => Promise<readonly Deal[]>;

const CATCH_UP_PAGE = 1_000;

/** Identifies the stored data that the markets in memory contain. */
interface LoadedMarkets {
  /**
   * The stored version of the market's progress (the number of the last trade, and the state of the price
   * simulation) that is loaded.
   */
  readonly version: string;
  /** The versions of the packed candle blocks that are loaded. */
  readonly blocks: readonly string[];
}

/**
 * Market data of this exchange's order books, in memory. Follows committed trades and price levels,
 * and stores candles together with the sequence number of the last trade they contain, so that each trade
 * is counted exactly once across any crash.
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
  /**
   * Versions of the stored data that was read ahead into the markets; undefined before the first read, and
   * after `load`.
   */
  private loaded: LoadedMarkets | undefined;
  /** Settles when all reads ahead of `load` have ended; they run one after another. */
  private readingAhead: Promise<unknown> = Promise.resolve();
  /** Stores the generated history of a new demo; undefined in other cases and once the history is stored. */
  private storeSeed: (() => Promise<void>) | undefined;
  private seeding: Promise<void> | undefined;

  constructor(pairs: readonly Pair[], repository: MarketRepository, log: Log) {
    this.markets = new Map(pairs.map((pair) => [pair.symbol, new PairMarket(pair)]));
    this.repository = repository;
    this.log = log;
  }

  /**
   * Loads the stored market data on a process that waits as a standby; may be called again. A further call and `load`
   * then skip the packed candle blocks that were already read; they read the unpacked candles and the latest trades
   * again if anything was saved since. Never rejects.
   */
  async readAhead(): Promise<void> {
    // After a failure, `load` reads the data again and rejects if that fails too.
    this.readingAhead = this.readingAhead.then(() => this.readStored()).catch(() => undefined);
    await this.readingAhead;
  }

  /**
   * Loads the stored market data. Returns whether data was stored (`found`), and the state of the price simulation
   * (`path`; undefined if none is stored).
   */
  async load(): Promise<{ found: boolean; path: PathState | undefined }> {
    await this.readingAhead;
    const progress = await this.readStored();
    this.loaded = undefined;
    if (progress === undefined) return { found: false, path: undefined };
    this.sequence = progress.dealSequence;
    return { found: true, path: progress.path };
  }

  /**
   * Loads the stored market data into the markets: packed candle blocks that were not read before, and, if anything
   * was saved since the last read, all unpacked candles and the latest trades. Changes nothing if the read fails.
   * Returns the stored progress; undefined if the database has never held market data.
   */
  private async readStored(): Promise<Progress | undefined> {
    const found = await this.repository.progress();
    const { version, blocks = [] } = this.loaded ?? {};
    if (found !== undefined && found.version === version) return found.progress;
    const stored = await readMarkets(this.repository, this.markets, found, blocks);
    if (stored === undefined) return undefined;
    loadMarkets(this.markets, stored);
    this.loaded = {
      version: stored.version,
      blocks: [...blocks, ...stored.packed.map((block) => block.version)],
    };
    return stored.progress;
  }

  /** Generates the price history of a new demo, and begins to store it. If that fails, the next save tries again. */
  seed(now: Instant, seed: number): PathState {
    const pairs = [...this.markets.values()].map(({ pair }) => pair);
    const { path, store } = seedMarkets(this.repository, this.markets, pairs, now, seed);
    this.storeSeed = store;
    this.seedStored().catch((cause: unknown) => this.log.error('market.seed_unsaved', { cause }));
    return path;
  }

  /** Resolves when a new demo's generated history is stored; nothing else is stored before. Rejects if storing fails. */
  private async seedStored(): Promise<void> {
    if (this.storeSeed === undefined) return;
    this.seeding ??= this.storeSeed()
      .then(() => {
        this.storeSeed = undefined;
      })
      .finally(() => (this.seeding = undefined));
    await this.seeding;
  }

  /**
   * Counts trades that were committed but are not contained in the stored candles. New trades wait
   * until this completes. Returns the number of trades counted.
   */
  async catchUp(dealsSince: DealsSince): Promise<number> {
    const startSequence = this.sequence;
    let count = 0;
    for (;;) {
      const page = await dealsSince(this.sequence, CATCH_UP_PAGE);
      for (const deal of page) this.count(deal);
      count += page.length;
      if (page.length < CATCH_UP_PAGE) break;
    }
    this.isCaughtUp = true;
    for (const deal of this.early.splice(0)) this.count(deal);
    if (count > 0) this.log.info('market.caught_up', { deals: count, from: startSequence });
    return count;
  }

  /**
   * Adds a committed trade of the exchange's own book to the market data; before the end of `catchUp` it waits in a
   * queue.
   */
  receiveDeal(deal: Deal): void {
    if (this.isCaughtUp) this.count(deal);
    else this.early.push(deal);
  }

  receiveLevels({ symbol, levels }: LevelsMoved): void {
    const market = this.markets.get(symbol);
    for (const level of levels) market?.book.set(level);
  }

  loadBook(symbol: string, levels: readonly SidedLevel[]): void {
    this.markets.get(symbol)?.book.load(levels);
  }

  /**
   * Opens the candles that have begun by `now`. Does nothing until `catchUp` has ended, because the trades
   * that `catchUp` counts belong before the empty candles.
   */
  rollTo(now: Instant): void {
    if (!this.isCaughtUp) return;
    for (const market of this.markets.values()) market.rollTo(now);
  }

  /**
   * Stores the changed market data. Saves run one at a time. Never rejects: a failure is logged, and the next save
   * includes the same changes.
   */
  async save(path: PathState | undefined): Promise<void> {
    while (this.saving !== undefined) await this.saving;
    this.saving = this.storeChanges(path)
      .catch((cause: unknown) => this.log.error('market.unsaved', { cause }))
      .finally(() => (this.saving = undefined));
    await this.saving;
  }

  private async storeChanges(path: PathState | undefined): Promise<void> {
    await this.seedStored();
    // Nothing is awaited between here and the reading of the changed candles, so that these contain exactly the trades up
    // to the stored sequence number.
    const deals = this.unsavedDeals;
    this.unsavedDeals = [];
    try {
      await saveMarkets(this.repository, this.markets, deals, { dealSequence: this.sequence, path });
    } catch (cause) {
      this.unsavedDeals = [...deals, ...this.unsavedDeals].slice(-DEALS_KEPT * this.markets.size);
      throw cause;
    }
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
    const pairDeal = {
      tradeId: deal.tradeId,
      sequence: deal.sequence,
      at: deal.at,
      price: deal.price.toScaled(priceDigits),
      amount: deal.amount.toScaled(amountDigits),
      takerSide: deal.takerSide,
    };
    market.add(pairDeal);
    this.unsavedDeals.push({ symbol: deal.symbol, deal: pairDeal });
    const maxUnsaved = DEALS_KEPT * this.markets.size;
    if (this.unsavedDeals.length > 2 * maxUnsaved) this.unsavedDeals = this.unsavedDeals.slice(-maxUnsaved);
  }
}
