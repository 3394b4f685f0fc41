import { groupBy } from '@exchange/core/group-by.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { PriceSource } from '../../platform/children/price-sources.ts';
import type { Clock } from '../../platform/clock.ts';
import { openDatabase, type DatabaseConnection } from '../../platform/database/pool.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Log } from '../../platform/log.ts';
import type { PathState } from './domain/simulated-path.ts';
import { isSourceOn, type SourceState } from './domain/source-states.ts';
import { IndexMaker, type SymbolPoint } from './index-maker.ts';
import { SimulatedMarket } from './simulated-market.ts';
import { TapeWriter } from './tape-writer-repository.ts';
import type { Venue } from './venue.ts';

/** The venues that feed the index. All kinds except `given` can be sent to another thread. */
export type VenueSettings =
  | { readonly kind: 'simulated'; readonly seed: number }
  | { readonly kind: 'live'; readonly sources: readonly PriceSource[]; readonly program: string }
  | { readonly kind: 'given'; readonly venues: readonly Venue[] };

/**
 * Start parameters of the index. Everything except venues of kind `given` is plain data that can be sent to
 * another thread.
 */
export interface IndexStart {
  readonly pairs: readonly Pair[];
  readonly venues: VenueSettings;
  /** State from which the demo's simulated prices continue; undefined in live mode. */
  readonly path: PathState | undefined;
  readonly changes: readonly SourceState[];
  readonly connection: DatabaseConnection;
  /** The epoch with which this process has claimed the index tape; the tape accepts no lines of earlier epochs. */
  readonly epoch: bigint;
}

/** Computes the price index, in this thread or in a worker thread. */
export interface IndexProducer {
  /** State from which the simulated prices continue after a restart; undefined in live mode. */
  readonly path: PathState | undefined;
  /** Number of times the index thread was started. */
  readonly starts: number;
  start(): Promise<void> | void;
  /** Stops the index; resolves after pending writes have ended. */
  stop(): Promise<void>;
  /** Replaces all switches of price sources, which decide which sources count. */
  setSources(changes: readonly SourceState[]): void;
  /** Health of all price sources as one component in live mode; undefined in other modes. */
  sourcesHealth(): ComponentHealth | undefined;
}

const TICK_MS = 50;
/**
 * A tick of the index that comes this many milliseconds or more after the previous one shows that the thread
 * was suspended. It does nothing, so that the messages that arrived meanwhile are read before the next tick,
 * which always runs.
 */
const SUSPENDED_MS = 500;
const TAPE_TIMEOUT_MS = 5_000;

interface Parts extends IndexStart {
  readonly clock: Clock;
  readonly log: Log;
  readonly publish: (points: readonly SymbolPoint[], publishedAt: Instant) => void;
}

type LiveHealth = { health(): ComponentHealth };

/**
 * Runs the venues, the composition and the tape of the index in the calling thread, with a
 * dedicated database connection.
 */
export class IndexRunner implements IndexProducer {
  readonly starts = 1;
  private readonly parts: Parts;
  private readonly pool: ReturnType<typeof openDatabase>;
  private readonly maker: IndexMaker;
  private changes: ReadonlyMap<string, readonly SourceState[]>;
  private simulated: SimulatedMarket | undefined;
  private live: LiveHealth | undefined;
  private readonly ticks = new PeriodicTask(() => this.tick(), { everyMs: TICK_MS });
  private tickedMs = 0;
  private isResuming = false;

  constructor(parts: Parts) {
    const { clock, log, pairs, connection, epoch, publish } = parts;
    this.parts = parts;
    this.changes = bySource(parts.changes);
    this.pool = openDatabase({
      connection,
      name: 'exchange tape',
      size: 1,
      statementTimeoutMs: TAPE_TIMEOUT_MS,
      // Lost connections are not logged here: the next statement fails because of them, and that failure is logged.
      log: () => undefined,
    });
    this.maker = new IndexMaker({
      clock,
      log,
      pairs,
      tape: new TapeWriter(this.pool, epoch),
      isOn: (source, at) => isSourceOn(this.changes.get(source) ?? [], at),
      publish: (points) => publish(points, clock.now()),
    });
  }

  get path(): PathState | undefined {
    return this.simulated?.state() ?? this.parts.path;
  }

  async start(): Promise<void> {
    await this.maker.start(await this.openVenues());
    this.tickedMs = this.parts.clock.monotonicMs();
    this.ticks.start();
  }

  async stop(): Promise<void> {
    await this.ticks.stop();
    await this.maker.stop();
    await this.pool.end();
  }

  setSources(changes: readonly SourceState[]): void {
    this.changes = bySource(changes);
  }

  sourcesHealth(): ComponentHealth | undefined {
    return this.live?.health();
  }

  private async openVenues(): Promise<readonly Venue[]> {
    const { clock, log, pairs, venues, path } = this.parts;
    if (venues.kind === 'given') return venues.venues;
    if (venues.kind === 'simulated') {
      // Each start of the simulated venues uses another seed, because the same seed would repeat
      // the same price movements.
      const seed = venues.seed ^ (clock.now() & 0x7fff_ffff);
      this.simulated = new SimulatedMarket(clock, pairs, seed, path);
      return this.simulated.venues;
    }
    // The module of real venues is imported dynamically, because demo mode does not need it.
    const { LiveVenues } = await import('./live-venues.ts');
    const live = new LiveVenues({ clock, log, pairs, sources: venues.sources, file: venues.program });
    this.live = live;
    return live.venues;
  }

  private tick(): void {
    const { clock } = this.parts;
    const elapsedMs = clock.monotonicMs() - this.tickedMs;
    this.tickedMs += elapsedMs;
    this.isResuming = elapsedMs >= SUSPENDED_MS && !this.isResuming;
    if (this.isResuming) return;
    // The result is not awaited: `advance` logs a failed SQL statement and does not reject because of it.
    void this.maker.advance(clock.now());
  }
}

function bySource(changes: readonly SourceState[]): ReadonlyMap<string, readonly SourceState[]> {
  return groupBy(changes, ({ source }) => source);
}
