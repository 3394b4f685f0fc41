import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { requireText } from '../../platform/console/field-values.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { haltChanges } from './repository.ts';
import { haltCommands, type Halt, type HaltChange, type HaltCommands } from './halts.ts';
import type { Ledger } from './service.ts';

/** How often a halt that was found between two batches is stored. */
const TICK_MS = 1_000;
const REASON_MAX = 500;
const BY_MAX = 100;
const HISTORY_SHOWN = 100;

interface Why {
  readonly by: string;
  readonly reason: string;
}

/** Halts assets, for whoever finds one broken, and releases them again, for operators only. */
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
      // Turned away while the sequencer recovers: nothing of the asset moves meanwhile, and the next tick tries again.
      this.storeFound().catch((cause: unknown) => this.log.warn('ledger.halt_not_stored', { cause }));
    }, TICK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Halts an asset: at once, and for good when this resolves. One that is halted already stays so for its first reason. */
  async halt(asset: AssetCode, { by, reason }: Why): Promise<void> {
    this.ledger.halt(asset, by, reason);
    await this.storeFound();
  }

  /** The same at an operator's wish; refuses without a reason, and an asset that nobody has ever had. */
  async haltByOperator(asset: AssetCode, why: Why): Promise<void> {
    requireWhy(why);
    if (!this.ledger.isKnown(asset)) throw new Refused(refusal('generic', 'l.not_found'));
    await this.halt(asset, why);
  }

  /** Halts every asset there is, for damage that names none. */
  async haltAll(why: Why): Promise<void> {
    for (const asset of this.ledger.assets) this.ledger.halt(asset, why.by, why.reason);
    await this.storeFound();
  }

  /** Lets a halted asset move again, effective for every later step. Needs who and why; refuses one that is not halted. */
  async lift(asset: AssetCode, why: Why): Promise<void> {
    requireWhy(why);
    await this.sequencer.execute(this.commands.lift, { asset, ...why });
    this.log.warn('ledger.halt_lifted', { asset, ...why });
  }

  /** What is halted, and the latest changes, newest first. */
  async list(): Promise<{
    readonly halted: readonly Halt[];
    readonly changes: readonly HaltChange[];
    /** How many changes there were in all; `changes` has the newest 100. */
    readonly changesTotal: number;
  }> {
    const { list, total } = await haltChanges(this.reader, HISTORY_SHOWN);
    return { halted: this.ledger.halts.all, changes: list, changesTotal: total };
  }

  /** Whoever comes while it is at it waits for the same round, then for one of their own. */
  private async storeFound(): Promise<void> {
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

function requireWhy({ by, reason }: Why): void {
  requireText('reason', reason, REASON_MAX);
  requireText('by', by, BY_MAX);
}
