import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { lastSeen, storeSeen } from './presence-repository.ts';

const EVERY_MS = 30_000;

/** Keeps on record that trading is alive, so that after a start it is known for how long it was not. */
export class Presence {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly log: Log;
  private markedAt = 0;
  private hasFailed = false;
  /** Marks follow one another: one that is slow must not overtake the stop's. */
  private marking: Promise<void> = Promise.resolve();

  constructor({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
    this.database = database;
    this.clock = clock;
    this.log = log;
  }

  /** How long trading was away without having been stopped on purpose; 0 after a planned stop or before any start. */
  async outageMs(): Promise<number> {
    const seen = await lastSeen(this.database);
    return seen === undefined || seen.isPlannedStop ? 0 : this.clock.now() - seen.at;
  }

  /** Marks trading as alive, where that was not done lately. */
  async tick(): Promise<void> {
    const now = this.clock.now();
    if (now - this.markedAt < EVERY_MS) return;
    this.markedAt = now;
    this.marking = this.mark(now, false);
    await this.marking;
  }

  /** From here on no stop is planned. */
  fail(): void {
    this.hasFailed = true;
  }

  /** Marks a stop as planned. */
  async leave(): Promise<void> {
    await this.marking;
    if (this.hasFailed) return;
    await this.mark(this.clock.now(), true);
  }

  private async mark(at: Instant, isPlannedStop: boolean): Promise<void> {
    try {
      await storeSeen(this.database, { at, isPlannedStop });
    } catch (cause) {
      // The database is away. Unmarked for long, the next start takes it for an outage and is careful.
      this.log.warn('spot.presence_unmarked', { cause });
    }
  }
}
