import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { requireText } from '../../platform/console/field-values.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { haltChanges } from './repository.ts';
import { haltCommands, type Halt, type HaltChange, type HaltCommands } from './halts.ts';
import type { Ledger } from './service.ts';

/** Interval for storing halts that were found outside of a step. */
const TICK_MS = 1_000;
const REASON_MAX = 500;
const ACTOR_MAX = 100;
const HISTORY_SHOWN = 100;

interface HaltReason {
  readonly by: string;
  readonly reason: string;
}

/** Halts assets on behalf of any caller, and lifts halts on behalf of operators. */
export class Halting {
  private readonly ledger: Ledger;
  private readonly sequencer: Sequencer;
  private readonly commands: HaltCommands;
  private readonly reader: Reader;
  private readonly log: Log;
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> | undefined;

  constructor(parts: { ledger: Ledger; sequencer: Sequencer; reader: Reader; log: Log }) {
    this.ledger = parts.ledger;
    this.sequencer = parts.sequencer;
    this.commands = haltCommands(parts.ledger.halts);
    parts.sequencer.register(Object.values(this.commands));
    this.reader = parts.reader;
    this.log = parts.log;
  }

  start(): void {
    for (const { asset, by, reason, since } of this.ledger.halts.all)
      this.log.warn('ledger.halt_stands', { asset, by, reason, since });
    this.timer = setInterval(() => {
      if (this.ledger.halts.unstored.length === 0) return;
      // The sequencer refuses while it recovers. Postings of the asset are refused anyway, and the next tick
      // retries.
      this.storeUnstored().catch((cause: unknown) => this.log.warn('ledger.halt_not_stored', { cause }));
    }, TICK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Halts an asset: in memory immediately, and stored when the promise resolves. An asset that is already
   * halted keeps its first reason.
   */
  async halt(asset: AssetCode, { by, reason }: HaltReason): Promise<void> {
    this.ledger.halt(asset, by, reason);
    await this.storeUnstored();
  }

  /** Halts an asset for an operator. Refuses without a reason, and for an unknown asset. */
  async haltByOperator(asset: AssetCode, haltReason: HaltReason): Promise<void> {
    requireReason(haltReason);
    if (!this.ledger.isKnown(asset)) throw new Refused(refusal('generic', 'l.not_found'));
    await this.halt(asset, haltReason);
  }

  /** Halts all assets, for damage that cannot be attributed to one. */
  async haltAll(haltReason: HaltReason): Promise<void> {
    for (const asset of this.ledger.assets) this.ledger.halt(asset, haltReason.by, haltReason.reason);
    await this.storeUnstored();
  }

  /**
   * Lifts a halt, effective for every later step. Refuses without actor and reason, and for an asset that is
   * not halted.
   */
  async lift(asset: AssetCode, haltReason: HaltReason): Promise<void> {
    requireReason(haltReason);
    await this.sequencer.execute(this.commands.lift, { asset, ...haltReason });
    this.log.warn('ledger.halt_lifted', { asset, ...haltReason });
  }

  /** Current halts, and the latest changes, newest first. */
  async list(): Promise<{
    readonly halted: readonly Halt[];
    readonly changes: readonly HaltChange[];
    /** Number of all changes; `changes` has the newest 100. */
    readonly changesTotal: number;
  }> {
    const { list, total } = await haltChanges(this.reader, HISTORY_SHOWN);
    return { halted: this.ledger.halts.all, changes: list, changesTotal: total };
  }

  /** Stores halts one round at a time; a caller during a round waits for it and then runs its own. */
  private async storeUnstored(): Promise<void> {
    while (this.storing !== undefined) await this.storing;
    this.storing = this.storeEach().finally(() => (this.storing = undefined));
    await this.storing;
  }

  private async storeEach(): Promise<void> {
    const { halts } = this.ledger;
    for (const { asset, by, reason } of halts.unstored) {
      await this.sequencer.execute(this.commands.halt, { asset, by, reason });
    }
  }
}

function requireReason({ by, reason }: HaltReason): void {
  requireText('reason', reason, REASON_MAX);
  requireText('by', by, ACTOR_MAX);
}
