import type { Pair } from '@exchange/core/pair.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { SimulatedPath, simulatedCoin, type PathState } from './domain/simulated-path.ts';
import { SimulatedVenue, SIMULATED_VENUES, type TravellingQuote } from './domain/simulated-venue.ts';
import type { Venue, VenueQuote } from './venue.ts';

const STEP_MS = 100;
/**
 * Longest step of the price simulation in milliseconds. After a pause the prices continue without
 * making up the time.
 */
const LONGEST_STEP_MS = 2_000;

/**
 * The simulated venues of demo mode. All follow one hidden price path, each with its own delay, noise and
 * outages.
 */
export class SimulatedMarket {
  readonly venues: readonly Venue[];
  private readonly clock: Clock;
  private readonly path: SimulatedPath;
  private readonly simulated: readonly SimulatedVenue[];
  private readonly emits = new Map<string, (quote: VenueQuote) => void>();
  private travelling: TravellingQuote[] = [];
  private movedAt: Instant;
  private readonly steps = new PeriodicTask(() => this.advance(this.clock.now()), { everyMs: STEP_MS });

  constructor(clock: Clock, pairs: readonly Pair[], seed: number, from?: PathState) {
    const codes = [...new Set(pairs.flatMap(({ base, quote }) => [base, quote]))].filter(
      (code) => code !== 'USDT',
    );
    this.clock = clock;
    this.path = new SimulatedPath(codes.map(simulatedCoin), new SeededGenerator(seed), from);
    this.simulated = SIMULATED_VENUES.map(
      (traits, index) => new SimulatedVenue(traits, pairs, new SeededGenerator(seed + index + 1)),
    );
    this.movedAt = clock.now();
    this.venues = this.simulated.map(({ traits: { id } }) => ({
      id,
      start: (emit) => this.startVenue(id, emit),
      stop: () => this.stopVenue(id),
    }));
  }

  /** State from which the price simulation continues after a restart. */
  state(): PathState {
    return this.path.state();
  }

  /**
   * Advances the simulated prices to `now`, lets venues create quotes, and delivers the quotes that
   * have arrived.
   */
  advance(now: Instant): void {
    const elapsedMs = Math.min(now - this.movedAt, LONGEST_STEP_MS);
    this.movedAt = now;
    if (elapsedMs > 0) this.path.advance(elapsedMs / SECOND_MS);
    const priceOf = (code: string) => this.path.price(code);
    for (const venue of this.simulated) this.travelling.push(...venue.quotesAt(now, priceOf));
    const arrived = this.travelling.filter(({ arrives }) => arrives <= now);
    this.travelling = this.travelling.filter(({ arrives }) => arrives > now);
    for (const { venue, symbol, price, at, arrives } of arrived)
      this.emits.get(venue)?.({ symbol, price, at, receivedAt: arrives });
  }

  private startVenue(id: string, emit: (quote: VenueQuote) => void): void {
    this.emits.set(id, emit);
    this.steps.start();
  }

  private stopVenue(id: string): void {
    this.emits.delete(id);
    if (this.emits.size > 0) return;
    void this.steps.stop();
  }
}
