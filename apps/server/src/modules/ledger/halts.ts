import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { requireText } from '../../platform/console/field-values.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { eventKind } from '../../platform/events.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import { command } from '../../platform/sequencer/command.ts';
import { rowWriter } from '../../platform/sequencer/row-writer.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { Halt, HaltChange, HaltInput } from './domain.ts';
import { haltChanges } from './repository.ts';

/** Interval in milliseconds at which halts that were not decided by a step, e.g. by the audit, are stored by a step. */
const TICK_MS = 1_000;
const REASON_MAX = 500;
const ACTOR_MAX = 100;
const HISTORY_SHOWN = 100;

const haltWriter = rowWriter<HaltChange>({
  table: 'ledger_halt_change',
  columns: {
    sequence: 'bigint',
    asset: 'word',
    is_halted: 'boolean',
    set_by: 'text',
    reason: 'text',
    at: 'bigint',
  },
  cells: ({ sequence, asset, isHalted, by, reason, at }) => [sequence, asset, isHalted, by, reason, at],
});

const haltInput = z.object({ asset: z.string(), by: z.string(), reason: z.string() });

/**
 * Ledger commands: `halt` halts an asset, without effect if it is halted already; `lift` ends the halt and refuses an
 * asset that is not halted.
 */
export function haltCommands(halts: Halts) {
  return {
    halt: command({
      name: 'ledger.halt',
      input: haltInput,
      run: (step, input) => {
        if (!halts.isHalted(input.asset)) halts.change(step, { ...input, isHalted: true });
      },
    }),
    lift: command({
      name: 'ledger.lift',
      input: haltInput,
      run: (step, input) => {
        if (!halts.isHalted(input.asset)) throw new Refused(refusal('generic', 'l.not_found'));
        halts.change(step, { ...input, isHalted: false });
      },
    }),
  };
}

/** Event: an asset was halted, or its halt was lifted. */
export const assetHaltChanged = eventKind<Pick<HaltInput, 'asset' | 'isHalted'>>('ledger.assetHaltChanged');

type HaltCommands = ReturnType<typeof haltCommands>;

/** The ledger's own commands for a journal replay, and queries of the ledger tables that the replay must reproduce. */
export function ledgerReplay({ ledger }: { readonly ledger: { readonly halts: Halts } }) {
  return {
    commands: Object.values(haltCommands(ledger.halts)),
    state: {
      accounts: 'select a::text as row, a.id as turn from ledger_account a',
      entries: 'select e::text as row, e.sequence as turn from ledger_entry e',
      halts: 'select h::text as row, h.sequence as turn from ledger_halt_change h',
    },
  };
}

/**
 * The halted assets. Postings of an asset are refused as soon as the halt is in memory. `isHalted`, which
 * commands may use, changes only with a stored step, so that a replay decides the same.
 */
export class Halts {
  private stored = new Map<AssetCode, Halt>();
  private readonly unstoredHalts = new Map<AssetCode, Halt>();

  get hasAny(): boolean {
    return this.stored.size + this.unstoredHalts.size > 0;
  }

  get all(): readonly Halt[] {
    return [...this.stored.values(), ...this.unstored];
  }

  /**
   * Halts that are in memory but not stored yet, such as those by the reconciliation; a step stores them, normally
   * within seconds.
   */
  get unstored(): readonly Halt[] {
    return [...this.unstoredHalts.values()];
  }

  /** Returns whether the asset has a stored halt; a halt that is only in memory does not count. */
  isHalted(asset: AssetCode): boolean {
    return this.stored.has(asset);
  }

  /** Returns whether postings of the asset are refused: it has a stored halt, or one that is not stored yet. */
  isStopped(asset: AssetCode): boolean {
    return this.stored.has(asset) || this.unstoredHalts.has(asset);
  }

  /** Refuses if the asset has a halt, stored or not; the refusal contains the asset. */
  requireNotHalted(asset: AssetCode): void {
    if (this.isStopped(asset)) throw new Refused(refusal('closed', 'l.asset_halted', { unit: asset }));
  }

  /** Replaces the copy in memory of the stored halts. Unstored halts of other assets stay. */
  replace(stored: readonly Halt[]): void {
    this.stored = new Map(stored.map((halt) => [halt.asset, halt]));
    for (const { asset } of stored) this.unstoredHalts.delete(asset);
  }

  /** Halts an asset in memory. Returns false if it was halted already. */
  markHalted(asset: AssetCode, by: string, reason: string): boolean {
    if (this.isStopped(asset)) return false;
    this.unstoredHalts.set(asset, { asset, by, reason, since: undefined });
    return true;
  }

  /** Halts an asset or lifts its halt, for every later step; stores and publishes the change. */
  change(step: Step, { asset, isHalted, by, reason }: HaltInput): void {
    const before = { stored: this.stored.get(asset), unstored: this.unstoredHalts.get(asset) };
    step.onUndo(() => {
      setOrDelete(this.stored, asset, before.stored);
      setOrDelete(this.unstoredHalts, asset, before.unstored);
    });
    setOrDelete(this.stored, asset, isHalted ? { asset, by, reason, since: step.now } : undefined);
    this.unstoredHalts.delete(asset);
    const change: HaltChange = { sequence: step.sequence, asset, isHalted, by, reason, at: step.now };
    step.write(haltWriter, change);
    step.publish(assetHaltChanged, { asset, isHalted });
  }
}

function setOrDelete(halts: Map<AssetCode, Halt>, asset: AssetCode, halt: Halt | undefined): void {
  if (halt === undefined) halts.delete(asset);
  else halts.set(asset, halt);
}

interface HaltReason {
  readonly by: string;
  readonly reason: string;
}

/** The part of the ledger that `Halting` uses. */
interface HaltableLedger {
  readonly halts: Halts;
  readonly assets: Iterable<AssetCode>;
  isKnown(asset: AssetCode): boolean;
  /** Halts an asset in memory only; `Halting` stores the halt afterwards. */
  halt(asset: AssetCode, by: string, reason: string): void;
}

/** Halts assets for any caller, such as the reconciliation or an operator, and lifts halts for operators. */
export class Halting {
  private readonly ledger: HaltableLedger;
  private readonly sequencer: Sequencer;
  private readonly commands: HaltCommands;
  private readonly reader: Reader;
  private readonly log: Log;
  private readonly ticks: PeriodicTask;
  private storing: Promise<void> | undefined;

  constructor(parts: { ledger: HaltableLedger; sequencer: Sequencer; reader: Reader; log: Log }) {
    this.ledger = parts.ledger;
    this.sequencer = parts.sequencer;
    this.commands = haltCommands(parts.ledger.halts);
    parts.sequencer.register(Object.values(this.commands));
    this.reader = parts.reader;
    this.log = parts.log;
    this.ticks = new PeriodicTask(() => this.storeUnstored(), {
      everyMs: TICK_MS,
      // Storing a halt fails e.g. while the sequencer recovers, because it then refuses commands. Postings of
      // the asset are refused even without a stored halt, and the next tick tries again to store it.
      onError: (cause) => this.log.warn('ledger.halt_not_stored', { cause }),
    });
  }

  start(): void {
    for (const { asset, by, reason, since } of this.ledger.halts.all)
      this.log.warn('ledger.halt_stands', { asset, by, reason, since });
    this.ticks.start();
  }

  async stop(): Promise<void> {
    await this.ticks.stop();
  }

  /**
   * Halts an asset: in memory immediately, and stored when the promise resolves. If storing fails, the promise rejects,
   * but the asset stays halted and a timer tries again to store the halt. An asset that is already halted keeps its
   * first reason.
   */
  async halt(asset: AssetCode, { by, reason }: HaltReason): Promise<void> {
    this.ledger.halt(asset, by, reason);
    await this.storeUnstored();
  }

  /** Halts an asset for an operator. Refuses an empty or too long actor or reason, and an unknown asset. */
  async haltByOperator(asset: AssetCode, haltReason: HaltReason): Promise<void> {
    requireReason(haltReason);
    if (!this.ledger.isKnown(asset)) throw new Refused(refusal('generic', 'l.not_found'));
    await this.halt(asset, haltReason);
  }

  /**
   * Halts all assets, for damage that cannot be attributed to a single asset: in memory immediately, and
   * stored when the promise resolves.
   */
  async haltAll(haltReason: HaltReason): Promise<void> {
    for (const asset of this.ledger.assets) this.ledger.halt(asset, haltReason.by, haltReason.reason);
    await this.storeUnstored();
  }

  /**
   * Lifts a halt, effective for every later step. Refuses an empty or too long actor or reason, and an asset
   * that is not halted.
   */
  async lift(asset: AssetCode, haltReason: HaltReason): Promise<void> {
    requireReason(haltReason);
    await this.sequencer.execute(this.commands.lift, { asset, ...haltReason });
    this.log.warn('ledger.halt_lifted', { asset, ...haltReason });
  }

  /**
   * The halts in force, including those that are not stored yet, and the newest 100 changes of halts, newest
   * first, with the number of all changes.
   */
  async list(): Promise<{
    readonly halted: readonly Halt[];
    readonly changes: readonly HaltChange[];
    /** Number of all changes of halts; `changes` has the newest 100. */
    readonly changesTotal: number;
  }> {
    const { list, total } = await haltChanges(this.reader, HISTORY_SHOWN);
    return { halted: this.ledger.halts.all, changes: list, changesTotal: total };
  }

  /**
   * Stores the halts that are not stored yet, in one run at a time; a caller during a run waits for its end and then
   * runs its own.
   */
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
