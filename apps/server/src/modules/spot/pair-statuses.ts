import type { PairStatus } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { StatusInput } from './command-inputs.ts';
import type { SpotCommands } from './commands.ts';
import type { SpotExchange } from './exchange.ts';
import { pairStatuses, type StoredStatus } from './repository.ts';

/** Away for longer than this, markets come back slowly. */
const OUTAGE_MS = 10 * MINUTE_MS;
/** For so long after an outage orders can only leave. */
const RETURN_MS = MINUTE_MS;
/** Whom the history names for what the server does by itself. */
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

/** Opens, halts and closes pairs: for operators, and by itself after an outage. */
export class PairStatuses {
  private readonly parts: Parts;
  private reopenAt: Instant | undefined;
  private isReopening = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Sets a pair's status, effective for every later step. Who and why are kept; both are needed. */
  async set(
    symbol: string,
    status: PairStatus,
    { by, reason }: { by: string; reason: string },
  ): Promise<void> {
    this.parts.exchange.market(symbol);
    requireText('reason', reason, REASON_MAX);
    requireText('by', by, BY_MAX);
    await this.run({ symbol, status, by, reason });
  }

  /** Every pair with its status, and since when, by whom and why where it was ever set. */
  async list(): Promise<({ symbol: string; status: PairStatus } & Partial<StoredStatus>)[]> {
    const set = new Map((await pairStatuses(this.parts.reader)).map((row) => [row.symbol, row]));
    return [...this.parts.exchange.markets.values()].map(({ pair: { symbol }, status }) => ({
      symbol,
      ...set.get(symbol),
      status,
    }));
  }

  /**
   * To be called at a start, with how long trading was away unplanned. After a long outage open pairs only
   * let orders leave for a minute, so that owners can think again before their orders meet a changed market.
   */
  async comeBack(outageMs: number): Promise<void> {
    const { exchange, clock, log } = this.parts;
    const rows = await pairStatuses(this.parts.reader);
    let isAnyHalted = rows.some(isHaltedByRestart);
    if (outageMs > OUTAGE_MS) {
      const reason = `away for ${Math.round(outageMs / MINUTE_MS)} min without a planned stop`;
      log.warn('spot.coming_back', { outageMs });
      for (const { pair, status } of exchange.markets.values()) {
        if (status !== 'open') continue;
        isAnyHalted = true;
        await this.run({ symbol: pair.symbol, status: 'cancelOnly', by: RESTART, reason });
      }
    }
    if (isAnyHalted) this.reopenAt = (clock.now() + RETURN_MS) as Instant;
  }

  /** Opens what a start has halted, when its time has come; what an operator has set meanwhile stays. */
  async tick(): Promise<void> {
    const { clock, reader, log } = this.parts;
    if (this.reopenAt === undefined || clock.now() < this.reopenAt || this.isReopening) return;
    this.isReopening = true;
    try {
      for (const row of (await pairStatuses(reader)).filter(isHaltedByRestart)) {
        const reason = 'the minute after the outage is over';
        await this.run({ symbol: row.symbol, status: 'open', by: RESTART, reason });
      }
      this.reopenAt = undefined;
    } catch (cause) {
      // The database is away or the server is about to stop: the next tick, or start, tries again.
      log.warn('spot.not_reopened', { cause });
    } finally {
      this.isReopening = false;
    }
  }

  private async run(input: StatusInput): Promise<void> {
    const { commands, sequencer, log } = this.parts;
    await sequencer.execute(commands.status, input);
    log.warn('spot.pair_status_set', { ...input });
  }
}

function isHaltedByRestart({ by, status }: StoredStatus): boolean {
  return by === RESTART && status === 'cancelOnly';
}

function requireText(field: string, text: string, limit: number): void {
  if (text.trim() === '') throw new Refused(refusal('invalidField', 'l.field_required', { field }));
  if (text.length <= limit) return;
  throw new Refused(refusal('invalidField', 'l.field_too_long', { field, limit: String(limit) }));
}
