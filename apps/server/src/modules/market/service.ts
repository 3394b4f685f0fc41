import { Decimal } from '@exchange/core/decimal.ts';
import type { CandleTimer } from '@exchange/core/candle.ts';
import type { IndexPoint } from '@exchange/core/index-price.ts';
import type { Side } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { ThreadProgram } from '../../platform/children/kept-thread.ts';
import type { PriceSource } from '../../platform/children/price-sources.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseConnection } from '../../platform/database/pool.ts';
import type { Events } from '../../platform/events.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import type { PagedRows } from '../../platform/database/paged-rows.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { SigningKey } from '../../platform/secrets/signing-key.ts';
import type { Assets } from '../assets/index.ts';
import { BookRecordRepository } from './book-record-repository.ts';
import { BookRecorder } from './book-recorder.ts';
import { RecordedBooks } from './recorded-books.ts';
import type { Candle } from './domain/candle-record.ts';
import { fillGaps } from './domain/candle-series.ts';
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
const RECORD_EVERY_MS = 1_000;
const TIDY_EVERY_MS = 60_000;
const STABLE_COIN = 'USDT';
const MINUTE_SECONDS = 60;

export interface MarketDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Events;
  readonly database: Database;
  readonly assets: Pick<Assets, 'pairs' | 'requirePairs' | 'logo'>;
  readonly mode: 'demo' | 'live';
  /** Settings of the database connection that only the index tape uses. */
  readonly connection: DatabaseConnection;
  /**
   * Entry point of the thread that computes the index. Without it, this thread computes the index
   * with the given clock; used in tests.
   */
  readonly indexProgram?: ThreadProgram;
  /**
   * The venues of live mode and the program that reads their prices. Not used in demo mode, which simulates
   * its venues, nor if `venues` is present.
   */
  readonly live?: { readonly sources: readonly PriceSource[]; readonly program: string };
  /**
   * Venues that replace the real ones of live mode; the index is then computed in this thread. Ignored in
   * demo mode.
   */
  readonly venues?: readonly Venue[];
  /** The key that signs the parts of the recorded order books. */
  readonly signingKey: Pick<SigningKey, 'sign'>;
  /** Seed of the generated history and, mixed with the time of the start, of the simulated prices. */
  readonly seed: number;
}

/** Public market data: the index, our own trades and books, and prices derived from them. */
export class MarketService {
  readonly deps: MarketDeps;
  readonly own: OwnMarket;
  readonly index: IndexWatch;
  readonly switches: SourceSwitches;
  readonly recordedBooks: RecordedBooks;
  private readonly repository: MarketRepository;
  private readonly recorder: BookRecorder;
  private readonly tape: TapeRepository;
  private producer: IndexProducer | undefined;
  private readonly tasks: readonly PeriodicTask[];

  constructor(deps: MarketDeps) {
    const { clock, log, events, database } = deps;
    const pairs = deps.assets.pairs.map(({ pair }) => pair);
    this.deps = deps;
    this.repository = new MarketRepository(database);
    this.tape = new TapeRepository(database);
    this.own = new OwnMarket(pairs, this.repository, log);
    const records = new BookRecordRepository(database);
    this.recorder = new BookRecorder({
      clock,
      log,
      markets: this.own.markets,
      repository: records,
      signingKey: deps.signingKey,
    });
    this.recordedBooks = new RecordedBooks({
      markets: this.own.markets,
      repository: records,
      recorder: this.recorder,
    });
    const onChange = (states: readonly SourceState[]) => this.producer?.setSources(states);
    this.switches = new SourceSwitches({ clock, log, database, onChange });
    this.index = new IndexWatch({ clock, log });
    this.tasks = [
      new PeriodicTask(() => this.own.rollTo(clock.now()), { everyMs: TICK_MS }),
      new PeriodicTask(() => this.own.save(this.producer?.path), { everyMs: SAVE_EVERY_MS }),
      new PeriodicTask(() => this.recorder.tick(), { everyMs: RECORD_EVERY_MS }),
      new PeriodicTask(() => this.tidy(), {
        everyMs: TIDY_EVERY_MS,
        // A failure is only logged: packing old candles and tape lines saves space and nothing depends on it. The next
        // run tries again.
        onError: (cause) => log.error('market.tidy_failed', { cause }),
      }),
    ];
    events.on(dealt, (deal) => {
      this.own.receiveDeal(deal);
      this.recorder.receiveDeal(deal);
    });
    events.on(levelsMoved, (moved) => {
      this.own.receiveLevels(moved);
      this.recorder.receiveLevels(moved);
    });
  }

  /**
   * Loads the stored market data on a standby, so that `start` only reads what was stored since. Changes nothing in the
   * database.
   */
  readAhead(): void {
    void this.own.readAhead();
  }

  /** Loads or generates the market data, then starts the venues and the index. */
  async start(): Promise<void> {
    const { clock, log, mode, seed } = this.deps;
    const startedMs = clock.monotonicMs();
    const loaded = await this.own.load();
    const isDemo = mode === 'demo';
    const path = isDemo && !loaded.found ? this.own.seed(clock.now(), seed) : loaded.path;
    log.info('market.loaded', { seeded: !loaded.found, ms: Math.round(clock.monotonicMs() - startedMs) });
    const venues = this.venueSettings();
    await this.switches.load(venueIds(venues));
    const epoch = await claimTape(this.deps.database.store);
    this.recorder.start(epoch);
    await this.startIndex(venues, path, epoch);
    for (const task of this.tasks) task.start();
  }

  /** Stores all unsaved data and stops the index. */
  async stop(): Promise<void> {
    for (const task of this.tasks) await task.stop();
    await this.producer?.stop();
    await this.recorder.stop();
    await this.own.save(this.producer?.path);
  }

  catchUp(dealsSince: DealsSince): Promise<number> {
    return this.own.catchUp(dealsSince);
  }

  /**
   * Replaces all levels of a pair's public book by `levels`, which contain the changes of every journal step up to
   * `step`, and starts a new part of the recorded book.
   */
  loadBook(symbol: string, levels: readonly SidedLevel[], step: number): void {
    this.own.loadBook(symbol, levels);
    this.recorder.restart(symbol, step);
  }

  /**
   * The current index price of a pair. Undefined if its newest point is older than three seconds, has no price, or is
   * made of only two price sources, and for an unknown symbol.
   */
  indexPrice(symbol: string): IndexPrice | undefined {
    return this.index.price(symbol);
  }

  /**
   * The newest published index point of a pair, also if it is old or has no price; undefined before the first. No line
   * of an earlier second will be added to the index tape after it.
   */
  latestPoint(symbol: string): IndexPoint | undefined {
    return this.index.latestPoint(symbol);
  }

  /**
   * Whether index points (of any pair) have arrived within the last three seconds, by the monotonic clock and not by
   * the system clock.
   */
  isIndexFresh(): boolean {
    return this.index.isFresh();
  }

  /**
   * Number of missing index points between two seconds, both included, and the longest delay of the others.
   * Seconds that are no longer in memory are left out; `isFollowed` is false then.
   */
  indexDelays(from: Instant, to: Instant): IndexDelays {
    return this.index.delaysIn(from, to);
  }

  /**
   * Number of whole seconds without a line on the index tape since the first index point that this process
   * received.
   */
  missingSeconds(): number {
    return this.index.missingSeconds;
  }

  /**
   * The longest time between the publication of index points and their arrival in this thread, among the newest 60
   * seconds with index points, in milliseconds; 0 without any.
   */
  longestDelayMs(): number {
    return this.index.recentDelayMs();
  }

  /** Health of all price sources as one component in live mode; undefined in other modes. */
  sourcesHealth(): ComponentHealth | undefined {
    return this.producer?.sourcesHealth();
  }

  /**
   * Health of the index: down if no index points have arrived for three seconds; up before `start`. Operators read its
   * facts.
   */
  indexHealth(): ComponentHealth {
    const facts = {
      missingSeconds: this.index.missingSeconds,
      longestDelayMs: Math.round(this.index.recentDelayMs()),
      threadStarts: this.producer?.starts ?? 0,
    };
    if (this.producer === undefined || this.index.isFresh()) return { isUp: true, facts };
    return { isUp: false, reason: 'no points of the index come', facts };
  }

  /**
   * Registers a listener that is called after the index points of a second were written to the
   * tape.
   */
  onPoints(listener: () => void): void {
    this.index.onPoints(listener);
  }

  /**
   * Read access to the index tape for other modules, which need it for settlement and proofs, for fund unit values that
   * were not computed in time, and for prices of past times.
   */
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

  /**
   * The last price of a pair on this exchange, traded or generated for the demo; undefined before the first, and for
   * unknown symbols.
   */
  lastPrice(symbol: string): Decimal | undefined {
    const market = this.own.markets.get(symbol);
    const last = market?.candles('1min').last();
    return market === undefined || last === undefined ? undefined : priceOf(market.scale, last.close);
  }

  /**
   * Closing prices of the last `days` completed UTC days on this exchange, oldest first; fewer if fewer are in memory,
   * and none for an unknown symbol. A day without trades has the close of the day before.
   */
  dayCloses(symbol: string, days: number): Decimal[] {
    const market = this.own.markets.get(symbol);
    if (market === undefined) return [];
    const candles = market.candles('1day');
    const endedCount = Math.max(0, candles.length - 1);
    return Array.from({ length: Math.min(days, endedCount) }, (_, at) =>
      priceOf(market.scale, candles.at(endedCount - Math.min(days, endedCount) + at).close),
    );
  }

  /**
   * The opening times (seconds since 1970) and the open, high, low and close of the newest `count` candles of
   * a pair on this exchange, oldest first, the running one included; fewer if fewer are in memory, and none
   * for an unknown symbol.
   */
  pastCandles(symbol: string, timer: CandleTimer, count: number) {
    const market = this.own.markets.get(symbol);
    if (market === undefined) return [];
    const candles = market.candles(timer);
    const first = Math.max(0, candles.length - count);
    return Array.from({ length: candles.length - first }, (_, at) => {
      const { opened, open, high, low, close } = candles.at(first + at);
      const price = (ticks: bigint) => priceOf(market.scale, ticks);
      return { opened, open: price(open), high: price(high), low: price(low), close: price(close) };
    });
  }

  /**
   * The reference price of a pair, around which the allowed price range of orders lies: the current index price, or
   * else the last price on this exchange; undefined if there is neither.
   */
  reference(symbol: string): Decimal | undefined {
    return this.indexPrice(symbol)?.price ?? this.lastPrice(symbol);
  }

  /**
   * Price of one coin in USDT: the reference price of its USDT pair (the index price, or else the last price on this
   * exchange); 1 for USDT. Undefined for a coin without a USDT pair or without a price.
   */
  usdtPrice(coin: string): Decimal | undefined {
    return coin === STABLE_COIN ? Decimal.one : this.reference((coin + STABLE_COIN).toLowerCase());
  }

  /**
   * Price of one coin in USDT by the index alone; 1 for USDT, undefined if `indexPrice` of its USDT pair is. Used where
   * users must not be able to influence the price, because any user can set the last trade price of our own book.
   */
  usdtIndex(coin: string): Decimal | undefined {
    return coin === STABLE_COIN ? Decimal.one : this.indexPrice((coin + STABLE_COIN).toLowerCase())?.price;
  }

  /**
   * The best price of one side of this exchange's order book; undefined if the side is empty, and for unknown symbols.
   */
  bestPrice(symbol: string, side: Side): Decimal | undefined {
    const market = this.own.markets.get(symbol);
    const best = market?.book.best(side);
    return market === undefined || best === undefined ? undefined : priceOf(market.scale, best.price);
  }

  /**
   * The market object of one pair, with its candles, ticker, recent trades and public book, which later
   * trades change. Refuses an unknown symbol.
   */
  pairMarket(symbol: string): PairMarket {
    const market = this.own.markets.get(symbol);
    if (market === undefined) {
      throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol', value: symbol }));
    }
    return market;
  }

  /**
   * At most `count` packed candles of an interval that opened before a second, the newest ones, oldest first. Intervals
   * between them without a stored candle get one without trades.
   */
  async olderCandles(
    symbol: string,
    timer: CandleTimer,
    beforeSecond: number,
    count: number,
  ): Promise<Candle[]> {
    const stored = await this.repository.olderCandles({ symbol, timer }, beforeSecond, count);
    return fillGaps(timer, stored).slice(-count);
  }

  /**
   * Closing price of the minute that contains `at` by this exchange's trades, in memory or stored; undefined without a
   * trade in that minute, and for unknown symbols.
   */
  async minuteClose(symbol: string, at: Instant): Promise<Decimal | undefined> {
    const market = this.own.markets.get(symbol);
    if (market === undefined) return undefined;
    const opened = Math.floor(at / MINUTE_MS) * MINUTE_SECONDS;
    const recent = market.candles('1min');
    const first = recent.length === 0 ? undefined : recent.at(0).opened;
    const isRecent = first !== undefined && opened >= first;
    const index = isRecent ? (opened - first) / MINUTE_SECONDS : recent.length;
    const candle =
      index < recent.length
        ? recent.at(index)
        : isRecent
          ? undefined
          : (await this.repository.olderCandles({ symbol, timer: '1min' }, opened + 1, 1)).at(-1);
    return candle?.opened === opened && candle.count > 0 ? priceOf(market.scale, candle.close) : undefined;
  }

  /**
   * Opening time, in seconds since 1970, of a pair's oldest packed candle of an interval; undefined if none is packed
   * yet.
   */
  oldestPackedCandle(symbol: string, timer: CandleTimer): Promise<number | undefined> {
    return this.repository.oldestPacked({ symbol, timer });
  }

  private venueSettings(): VenueSettings {
    const { mode, seed, live, venues } = this.deps;
    if (mode === 'demo') return { kind: 'simulated', seed };
    if (venues === undefined && live !== undefined) return { kind: 'live', ...live };
    return { kind: 'given', venues: venues ?? [] };
  }

  /**
   * Starts the index with an epoch of its tape: in a worker thread, which starts in the background, or in
   * this thread without an `indexProgram` or with given venues.
   */
  private async startIndex(venues: VenueSettings, path: PathState | undefined, epoch: bigint): Promise<void> {
    const { clock, log, assets, connection, indexProgram } = this.deps;
    const start: IndexStart = {
      pairs: assets.pairs.map(({ pair }) => pair),
      venues,
      path,
      changes: this.switches.states(),
      connection,
      epoch,
    };
    const publish: IndexWatch['receive'] = (points, at) => this.index.receive(points, at);
    const producerParts = { ...start, clock, log, publish };
    this.producer =
      indexProgram === undefined || venues.kind === 'given'
        ? new IndexRunner(producerParts)
        : new IndexThread({ ...producerParts, program: indexProgram });
    await this.producer.start();
  }

  private async tidy(): Promise<void> {
    await this.recorder.removeOld();
    await this.own.pack();
    while (await closeOldestHour(this.tape, [...this.own.markets.keys()], this.deps.clock.now()));
  }
}

function venueIds(venues: VenueSettings): string[] {
  if (venues.kind === 'simulated') return SIMULATED_VENUES.map(({ id }) => id);
  return (venues.kind === 'live' ? venues.sources : venues.venues).map(({ id }) => id);
}
