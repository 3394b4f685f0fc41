import type { PairStatus } from '@exchange/core/pair.ts';
import { type Instant, MINUTE_MS } from '@exchange/core/time.ts';
import { requireText } from '../../platform/console/field-values.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { StatusInput } from './command-inputs.ts';
import type { SpotCommands } from './commands.ts';
import type { SpotExchange } from './exchange.ts';
import { lastSeen, storeSeen } from './heartbeat-repository.ts';
import { type StoredStatus, pairStatuses } from './repository.ts';

/** After an unplanned outage longer than this, in milliseconds, pairs are cancel-only before they open. */
const LONG_OUTAGE_MS = 10 * MINUTE_MS;
/** The length in milliseconds of the cancel-only phase after a long outage. */
const CANCEL_ONLY_MS = MINUTE_MS;
/** The author recorded for status changes that the server makes itself. */
const RESTART = 'restart';
const REASON_MAX = 500;
const BY_MAX = 100;

interface Parts {
  readonly exchange: SpotExchange;
  readonly commands: SpotCommands;
  readonly sequencer: Sequencer;
  readonly reader: Reader;
  readonly clock: Clock;
  readonly log: Log;
}

/** Sets the status of pairs: for operators, and automatically after a long outage. */
export class PairStatuses {
  private readonly parts: Parts;
  private reopenAt: Instant | undefined;
  private isReopening = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Sets a pair's status for every later command. Author and reason are required and stored. */
  async set(
    symbol: string,
    status: PairStatus,
    { by, reason }: { by: string; reason: string },
  ): Promise<void> {
    this.parts.exchange.market(symbol);
    requireText('reason', reason, REASON_MAX);
    requireText('by', by, BY_MAX);
    await this.execute({ symbol, status, by, reason });
  }

  /**
   * Every pair with its current status and, if the status was ever set, the time, author and reason of the last change.
   */
  async list(): Promise<({ symbol: string; status: PairStatus } & Partial<StoredStatus>)[]> {
    const stored = new Map((await pairStatuses(this.parts.reader)).map((row) => [row.symbol, row]));
    return [...this.parts.exchange.markets.values()].map(({ pair: { symbol }, status }) => ({
      symbol,
      ...stored.get(symbol),
      status,
    }));
  }

  /**
   * Must be called at a start with the length of the unplanned outage. After a long outage, open pairs are cancel-only
   * for a minute, so that owners can cancel their orders before these trade in a changed market. Pairs that an earlier
   * start left cancel-only are opened after the same minute, whatever the length of the outage.
   */
  async haltAfterOutage(outageMs: number): Promise<void> {
    const { exchange, clock, log } = this.parts;
    const rows = await pairStatuses(this.parts.reader);
    let isAnyHalted = rows.some(isHaltedByRestart);
    if (outageMs > LONG_OUTAGE_MS) {
      const reason = `away for ${Math.round(outageMs / MINUTE_MS)} min without a planned stop`;
      log.warn('spot.coming_back', { outageMs });
      for (const { pair, status } of exchange.markets.values()) {
        if (status !== 'open') continue;
        isAnyHalted = true;
        await this.execute({ symbol: pair.symbol, status: 'cancelOnly', by: RESTART, reason });
      }
    }
    if (isAnyHalted) this.reopenAt = (clock.now() + CANCEL_ONLY_MS) as Instant;
  }

  /**
   * Opens the pairs that the start set to cancel-only, when the cancel-only phase ends. Does not change
   * a status that an operator has set since.
   */
  async tick(): Promise<void> {
    const { clock, reader, log } = this.parts;
    if (this.reopenAt === undefined || clock.now() < this.reopenAt || this.isReopening) return;
    this.isReopening = true;
    try {
      for (const row of (await pairStatuses(reader)).filter(isHaltedByRestart)) {
        const reason = 'the minute after the outage is over';
        await this.execute({ symbol: row.symbol, status: 'open', by: RESTART, reason });
      }
      this.reopenAt = undefined;
    } catch (cause) {
      // The database may be unavailable or the server stopping; the next tick or start tries again.
      log.warn('spot.not_reopened', { cause });
    } finally {
      this.isReopening = false;
    }
  }

  private async execute(input: StatusInput): Promise<void> {
    const { commands, sequencer, log } = this.parts;
    await sequencer.execute(commands.status, input);
    log.warn('spot.pair_status_set', { ...input });
  }
}

function isHaltedByRestart({ by, status }: StoredStatus): boolean {
  return by === RESTART && status === 'cancelOnly';
}

const STORE_EVERY_MS = 30_000;

/** Stores periodically that trading runs, so that the next start can compute the length of an outage. */
export class Heartbeat {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly log: Log;
  private storedAt = 0;
  private isUnplannedStop = false;
  /**
   * The latest write of the last-seen time. The planned stop is stored after it, so that a slow write
   * cannot overwrite the planned stop.
   */
  private writing: Promise<void> = Promise.resolve();

  constructor({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
    this.database = database;
    this.clock = clock;
    this.log = log;
  }

  /**
   * Milliseconds since the server last stored that trading runs; 0 if a planned stop followed, and at the first start.
   */
  async outageMs(): Promise<number> {
    const seen = await lastSeen(this.database);
    return seen === undefined || seen.isPlannedStop ? 0 : this.clock.now() - seen.at;
  }

  /** Stores that trading runs, at most once in 30 seconds. */
  async tick(): Promise<void> {
    const now = this.clock.now();
    if (now - this.storedAt < STORE_EVERY_MS) return;
    this.storedAt = now;
    this.writing = this.store(now, false);
    await this.writing;
  }

  /** Records in memory that the stop of the server is unplanned; `storePlannedStop` then stores nothing. */
  markStopUnplanned(): void {
    this.isUnplannedStop = true;
  }

  /** Stores that the server's stop is planned, unless it was marked as unplanned. */
  async storePlannedStop(): Promise<void> {
    await this.writing;
    if (this.isUnplannedStop) return;
    await this.store(this.clock.now(), true);
  }

  private async store(at: Instant, isPlannedStop: boolean): Promise<void> {
    try {
      await storeSeen(this.database, { at, isPlannedStop });
    } catch (cause) {
      // The database may be unavailable. Until a later write succeeds, a start would assume a longer outage than
      // there was, which is safe.
      this.log.warn('spot.heartbeat_not_stored', { cause });
    }
  }
}
