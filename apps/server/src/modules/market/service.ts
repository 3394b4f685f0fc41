import { Decimal } from '@exchange/core/decimal.ts';
import type { CandleTimer } from '@exchange/core/candle.ts';
import type { IndexPoint } from '@exchange/core/index-price.ts';
import type { Side } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { ThreadProgram } from '../../platform/children/kept-thread.ts';
import type { PriceSource } from '../../platform/children/price-sources.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseConnection } from '../../platform/database/pool.ts';
import type { Events } from '../../platform/events.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import type { PagedRows } from '../../platform/database/paged-rows.ts';
import type { Assets } from '../assets/index.ts';
import type { Candle } from './domain/candle-record.ts';
import { withoutGaps } from './domain/candle-series.ts';
import type { PairMarket } from './domain/pair-market.ts';
import type { PathState } from './domain/simulated-path.ts';
import { priceOf } from './domain/pair-scale.ts';
import type { SidedLevel } from './domain/public-book.ts';
import { dealt, levelsMoved } from './events.ts';
import type { SourceState } from './domain/source-states.ts';
import { IndexRunner, type IndexProducer, type IndexStart, type VenueSettings } from './index-runner.ts';
import { IndexThread } from './index-thread.ts';
import { IndexWatch, type IndexDelays, type IndexPrice } from './index-watch.ts';
import { OwnMarket, type DealsSince } from './own-market.ts';
import { MarketRepository } from './repository.ts';
import { SIMULATED_VENUES } from './domain/simulated-venue.ts';
import { SourceSwitches } from './source-switches.ts';
import { closeOldestHour, linesOfHour, tapeLines, tapeParts, tapePoints } from './tape-hours.ts';
import { TapeRepository } from './tape-repository.ts';
import { claimTape } from './tape-writer-repository.ts';
import type { Venue } from './venue.ts';

const TICK_MS = 50;
const SAVE_EVERY_MS = 5_000;
const TIDY_EVERY_MS = 60_000;
const STABLE_COIN = 'USDT';

export interface MarketDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Events;
  readonly database: Database;
  readonly assets: Pick<Assets, 'pairs' | 'requirePairs' | 'logo'>;
  readonly mode: 'demo' | 'live';
  /** Of the database, for a connection that only the tape uses. */
  readonly connection: DatabaseConnection;
  /** The program of the thread that makes the index. Without one this thread makes it, by the clock given: for tests. */
  readonly indexProgram?: ThreadProgram;
  /** The venues that live mode asks, and the program that asks them; a demo simulates its own. */
  readonly live?: { readonly sources: readonly PriceSource[]; readonly program: string };
  /** What feeds the index instead of either; then this thread makes it. */
  readonly venues?: readonly Venue[];
  /** Seed of everything simulated, so that a demo can be repeated. */
  readonly seed: number;
}

/** Prices that may be relied upon: the index, our own last deal, and what follows from them. */
export class MarketService {
  readonly deps: MarketDeps;
  readonly own: OwnMarket;
  readonly index: IndexWatch;
  readonly switches: SourceSwitches;
  private readonly repository: MarketRepository;
  private readonly tape: TapeRepository;
  private producer: IndexProducer | undefined;
  private timers: NodeJS.Timeout[] = [];
  private tidying: Promise<void> | undefined;

  constructor(deps: MarketDeps) {
    const { clock, log, events, database } = deps;
    const pairs = deps.assets.pairs.map(({ pair }) => pair);
    this.deps = deps;
    this.repository = new MarketRepository(database);
    this.tape = new TapeRepository(database);
    this.own = new OwnMarket(pairs, this.repository, log);
    const onChange = (states: readonly SourceState[]) => this.producer?.setSources(states);
    this.switches = new SourceSwitches({ clock, log, database, onChange });
    this.index = new IndexWatch({ clock, log });
    events.on(dealt, (deal) => this.own.deal(deal));
    events.on(levelsMoved, (moved) => this.own.levels(moved));
  }

  /** Loads or seeds, then begins to receive quotes and to fix the index. */
  async start(): Promise<void> {
    const { clock, log, mode, seed } = this.deps;
    const startedMs = clock.monotonicMs();
    const loaded = await this.own.load();
    const isDemo = mode === 'demo';
    const path = isDemo && !loaded.found ? this.own.seed(clock.now(), seed) : loaded.path;
    log.info('market.loaded', { seeded: !loaded.found, ms: Math.round(clock.monotonicMs() - startedMs) });
    const venues = this.venueSettings();
    await this.switches.load(idsOf(venues));
    await this.startIndex(venues, path);
    this.timers = [
      setInterval(() => this.own.rollTo(clock.now()), TICK_MS),
      setInterval(() => void this.own.save(this.producer?.path), SAVE_EVERY_MS),
      setInterval(() => this.tidy(), TIDY_EVERY_MS),
    ];
  }

  /** Stores everything and falls silent. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    await this.producer?.stop();
    await this.tidying;
    await this.own.save(this.producer?.path);
  }

  catchUp(dealsSince: DealsSince): Promise<number> {
    return this.own.catchUp(dealsSince);
  }

  loadBook(symbol: string, levels: readonly SidedLevel[]): void {
    this.own.loadBook(symbol, levels);
  }

  /** The index where it may be acted upon: undefined when stale, missing or degraded. */
  indexPrice(symbol: string): IndexPrice | undefined {
    return this.index.price(symbol);
  }

  /** The newest published point, whatever its quality: every second before it is on the tape or never will be. */
  latestPoint(symbol: string): IndexPoint | undefined {
    return this.index.latestPoint(symbol);
  }

  /** Whether points of the index come, whatever the machine's clock says. */
  isIndexFresh(): boolean {
    return this.index.isFresh();
  }

  /** How late the index was between two seconds, as far as that is remembered. */
  indexDelays(from: Instant, to: Instant): IndexDelays {
    return this.index.delaysIn(from, to);
  }

  /** Whole seconds without a line on the tape since this process started. */
  missingSeconds(): number {
    return this.index.missingSeconds;
  }

  /** The longest time, in milliseconds, that a second of the last minute waited for this thread after it was published. */
  longestDelayMs(): number {
    return this.index.recentDelayMs();
  }

  /** Which sources of live mode are heard; undefined elsewhere. */
  sourcesHealth(): ComponentHealth | undefined {
    return this.producer?.sourcesHealth();
  }

  /** Whether points of the index come on time; its facts are read by operators. */
  indexHealth(): ComponentHealth {
    const facts = {
      missingSeconds: this.index.missingSeconds,
      longestDelayMs: Math.round(this.index.recentDelayMs()),
      threadStarts: this.producer?.starts ?? 0,
    };
    if (this.producer === undefined || this.index.isFresh()) return { isUp: true, facts };
    return { isUp: false, reason: 'no points of the index come', facts };
  }

  /** Calls after the points of a second were written to the tape. */
  onPoints(listener: () => void): void {
    this.index.onPoints(listener);
  }

  /** What the tape says, for whoever settles by it or proves it. */
  readonly tapeReader = {
    points: (symbol: string, seconds: readonly Instant[]) => tapePoints(this.tape, symbol, seconds),
    lines: (symbol: string, from: Instant, to: Instant) => tapeLines(this.tape, symbol, from, to),
    parts: (symbol: string, from: Instant, to: Instant) => tapeParts(this.tape, symbol, from, to),
    marks: (symbol: string, behind: number, every: number, limit: number) =>
      this.tape.marks(symbol, behind, every, limit),
    hours: (symbol: string, page: PagedRows) => this.tape.hours(symbol, page),
    file: async (symbol: string, hour: Instant): Promise<string[] | undefined> => {
      const closed = await this.tape.hour(symbol, hour);
      return closed && linesOfHour(closed);
    },
  };

  /** The last price on our own book. */
  lastPrice(symbol: string): Decimal | undefined {
    const market = this.own.markets.get(symbol);
    const last = market?.candles('1min').last();
    return market === undefined || last === undefined ? undefined : priceOf(market.scale, last.close);
  }

  /** The closing prices of the last days of UTC that have ended, oldest first, as far as they are in memory. */
  dayCloses(symbol: string, days: number): Decimal[] {
    const market = this.own.markets.get(symbol);
    if (market === undefined) return [];
    const candles = market.candles('1day');
    const ended = Math.max(0, candles.length - 1);
    return Array.from({ length: Math.min(days, ended) }, (_, at) =>
      priceOf(market.scale, candles.at(ended - Math.min(days, ended) + at).close),
    );
  }

  /** The newest candles of our own book that are in memory, oldest first. */
  pastCandles(symbol: string, timer: CandleTimer, count: number) {
    const market = this.own.markets.get(symbol);
    if (market === undefined) return [];
    const candles = market.candles(timer);
    const from = Math.max(0, candles.length - count);
    return Array.from({ length: candles.length - from }, (_, at) => {
      const { opened, open, high, low, close } = candles.at(from + at);
      const price = (ticks: bigint) => priceOf(market.scale, ticks);
      return { opened, open: price(open), high: price(high), low: price(low), close: price(close) };
    });
  }

  /** What order limits are measured by: the index, or the last price where there is none. */
  reference(symbol: string): Decimal | undefined {
    return this.indexPrice(symbol)?.price ?? this.lastPrice(symbol);
  }

  /** What one coin is worth in USDT; undefined for a coin without a USDT pair or price. */
  usdtPrice(coin: string): Decimal | undefined {
    return coin === STABLE_COIN ? Decimal.one : this.reference((coin + STABLE_COIN).toLowerCase());
  }

  /**
   * What one coin is worth in USDT by the index alone; undefined without one that can be relied upon. For what nobody may
   * influence: what our own book dealt at last is chosen by whoever deals there.
   */
  usdtIndex(coin: string): Decimal | undefined {
    return coin === STABLE_COIN ? Decimal.one : this.indexPrice((coin + STABLE_COIN).toLowerCase())?.price;
  }

  /** The best price of a side of our own book. */
  bestPrice(symbol: string, side: Side): Decimal | undefined {
    const market = this.own.markets.get(symbol);
    const best = market?.book.best(side);
    return market === undefined || best === undefined ? undefined : priceOf(market.scale, best.price);
  }

  /** One pair's market; refuses an unknown symbol. */
  pairMarket(symbol: string): PairMarket {
    const market = this.own.markets.get(symbol);
    if (market === undefined) {
      throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol', value: symbol }));
    }
    return market;
  }

  /** Candles opened before a second that memory no longer holds, oldest first, without gaps. */
  async olderCandles(
    symbol: string,
    timer: CandleTimer,
    beforeSecond: number,
    count: number,
  ): Promise<Candle[]> {
    const stored = await this.repository.olderCandles({ symbol, timer }, beforeSecond, count);
    return withoutGaps(timer, stored).slice(-count);
  }

  private venueSettings(): VenueSettings {
    const { mode, seed, live, venues } = this.deps;
    if (mode === 'demo') return { kind: 'simulated', seed };
    if (venues === undefined && live !== undefined) return { kind: 'live', ...live };
    return { kind: 'given', venues: venues ?? [] };
  }

  /** Claims the tape and starts whatever makes the index; a thread comes up by itself while the start continues. */
  private async startIndex(venues: VenueSettings, path: PathState | undefined): Promise<void> {
    const { clock, log, assets, connection, database, indexProgram } = this.deps;
    const start: IndexStart = {
      pairs: assets.pairs.map(({ pair }) => pair),
      venues,
      path,
      changes: this.switches.states(),
      connection,
      epoch: await claimTape(database.store),
    };
    const publish: IndexWatch['receive'] = (points, at) => this.index.receive(points, at);
    const parts = { ...start, clock, log, publish };
    this.producer =
      indexProgram === undefined || venues.kind === 'given'
        ? new IndexRunner(parts)
        : new IndexThread({ ...parts, program: indexProgram });
    await this.producer.start();
  }

  private tidy(): void {
    this.tidying ??= this.tidyOnce()
      // Tidying only saves space; the next minute tries again.
      .catch((cause: unknown) => this.deps.log.error('market.tidy_failed', { cause }))
      .finally(() => (this.tidying = undefined));
  }

  private async tidyOnce(): Promise<void> {
    await this.own.pack();
    while (await closeOldestHour(this.tape, [...this.own.markets.keys()], this.deps.clock.now()));
  }
}

function idsOf(venues: VenueSettings): string[] {
  if (venues.kind === 'simulated') return SIMULATED_VENUES.map(({ id }) => id);
  return (venues.kind === 'live' ? venues.sources : venues.venues).map(({ id }) => id);
}
