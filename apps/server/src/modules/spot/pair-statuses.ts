import type { PairStatus } from '@exchange/core/pair.ts';
import { notAmong, Refused, refusal } from '@exchange/core/refusal.ts';
import { type Instant, MINUTE_MS } from '@exchange/core/time.ts';
import { requireText } from '../../platform/console/field-values.ts';
import type { Clock } from '../../platform/clock.ts';
import { ROLES, whyOf, type Operation } from '../../platform/console/operation.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { StatusInput } from './command-inputs.ts';
import type { SpotCommands } from './commands.ts';
import type { SpotExchange } from './exchange.ts';
import { lastSeen, storeSeen } from './heartbeat-repository.ts';
import { type StoredStatus, pairStatuses } from './repository.ts';

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

const STATUSES: ReadonlySet<string> = new Set<PairStatus>(['open', 'cancelOnly', 'closed']);

/** What an operator may do with pairs: see how they stand, and open, halt or close one, with a reason. */
export function pairOperations({ statuses }: { readonly statuses: PairStatuses }): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/pairs',
      summary: 'Pairs, the status of each, and who set it.',
      roles: ROLES,
      run: async () => ({ pairs: await statuses.list() }),
    },
    {
      method: 'POST',
      path: '/ops/pairs/:symbol/status',
      summary: 'Opens, halts or closes a pair. Opening needs a second person.',
      roles: ['product', 'finance', 'approver'],
      fields: { status: { label: 'Status', kind: 'choice', choices: [...STATUSES] } },
      check: ({ fields: { status = '' } }) => {
        if (!isStatus(status))
          throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'status' }));
      },
      secondPerson: {
        isNeeded: ({ fields: { status } }) => status === 'open',
        evidence: async ({ parameters: { symbol = '' }, fields: { status } }) => {
          const present = (await statuses.list()).find((one) => one.symbol === symbol);
          if (present === undefined) throw notAmong('symbol', symbol);
          return {
            facts: {
              symbol,
              statusNow: present.status,
              statusNext: status,
              setBy: present.by,
              setBecause: present.reason,
            },
          };
        },
      },
      run: async (call) => {
        const { status = '' } = call.fields;
        if (!isStatus(status))
          throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'status' }));
        const symbol = call.parameters['symbol'] ?? '';
        await statuses.set(symbol, status, whyOf(call));
        return { symbol, status };
      },
    },
  ];
}

function isStatus(text: string): text is PairStatus {
  return STATUSES.has(text);
}

const EVERY_MS = 30_000;

/** Keeps on record that trading is alive, so that after a start it is known for how long it was not. */
export class Heartbeat {
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
      this.log.warn('spot.heartbeat_not_stored', { cause });
    }
  }
}
