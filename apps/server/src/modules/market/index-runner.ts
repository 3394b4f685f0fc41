import { groupedBy } from '@exchange/core/grouped.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { PriceSource } from '../../platform/children/price-sources.ts';
import type { Clock } from '../../platform/clock.ts';
import { openDatabase, type DatabaseConnection } from '../../platform/database/pool.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import type { PathState } from './domain/simulated-path.ts';
import { isSourceOn, type SourceState } from './domain/source-states.ts';
import { IndexMaker, type SymbolPoint } from './index-maker.ts';
import { SimulatedMarket } from './simulated-market.ts';
import { TapeWriter } from './tape-writer-repository.ts';
import type { Venue } from './venue.ts';

/** Which venues feed the index; all but `given` can be described to another thread. */
export type VenueSettings =
  | { readonly kind: 'simulated'; readonly seed: number }
  | { readonly kind: 'live'; readonly sources: readonly PriceSource[]; readonly program: string }
  | { readonly kind: 'given'; readonly venues: readonly Venue[] };

/** What the index is made from. Everything in it is plain data, so that it can be sent to another thread. */
export interface IndexStart {
  readonly pairs: readonly Pair[];
  readonly venues: VenueSettings;
  /** Where the simulated prices continue; undefined where they begin. */
  readonly path: PathState | undefined;
  readonly changes: readonly SourceState[];
  readonly connection: DatabaseConnection;
  /** The claimed epoch of the tape. */
  readonly epoch: bigint;
}

/** Makes the index, in this thread or in another. */
export interface IndexProducer {
  /** Where the simulated prices would continue after a restart. */
  readonly path: PathState | undefined;
  /** How often its thread was started. */
  readonly starts: number;
  start(): Promise<void> | void;
  /** Ends once what is under way is written. */
  stop(): Promise<void>;
  /** Replaces the changes of sources by which it is decided which sources count. */
  setSources(changes: readonly SourceState[]): void;
  /** Which sources of live mode are heard; undefined where there are none. */
  sourcesHealth(): ComponentHealth | undefined;
}

const TICK_MS = 50;
/** A tick so much later than due means that this thread was suspended; messages that arrived meanwhile are read first. */
const SUSPENDED_MS = 500;
const TAPE_TIMEOUT_MS = 5_000;

interface Parts extends IndexStart {
  readonly clock: Clock;
  readonly log: Log;
  readonly publish: (points: readonly SymbolPoint[], publishedAt: Instant) => void;
}

type LiveHealth = { health(): ComponentHealth };

/** Venues, composition and tape of the index in the thread that calls it, with one connection that nothing else uses. */
export class IndexRunner implements IndexProducer {
  readonly starts = 1;
  private readonly parts: Parts;
  private readonly pool: ReturnType<typeof openDatabase>;
  private readonly maker: IndexMaker;
  private changes: ReadonlyMap<string, readonly SourceState[]>;
  private simulated: SimulatedMarket | undefined;
  private live: LiveHealth | undefined;
  private timer: NodeJS.Timeout | undefined;
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
      // A lost connection fails the statement that needs it, which is logged there.
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
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
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
      // A seed of its own for every start: the same draws again would be the same day again.
      const seed = venues.seed ^ (clock.now() & 0x7fff_ffff);
      this.simulated = new SimulatedMarket(clock, pairs, seed, path);
      return this.simulated.venues;
    }
    // Loaded where it is needed: a thread of a demo starts without it.
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
    // A failed statement is logged where it happens.
    void this.maker.advance(clock.now());
  }
}

function bySource(changes: readonly SourceState[]): ReadonlyMap<string, readonly SourceState[]> {
  return groupedBy(changes, ({ source }) => source);
}
