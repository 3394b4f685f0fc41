import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { command } from '../../platform/sequencer/command.ts';
import { rowWriter } from '../../platform/sequencer/row-writer.ts';
import type { Step } from '../../platform/sequencer/step.ts';

/** A halt of an asset: its postings are refused. */
export interface Halt {
  readonly asset: AssetCode;
  readonly by: string;
  readonly reason: string;
  /** Time of the halt in milliseconds; undefined while it is not stored. */
  readonly since: number | undefined;
}

/** A request to halt an asset or to lift its halt, with actor and reason. */
export interface HaltInput {
  readonly asset: AssetCode;
  readonly isHalted: boolean;
  readonly by: string;
  readonly reason: string;
}

/** A stored change; changes are never deleted. */
export interface HaltChange extends HaltInput {
  /** Number of the step that made the change. */
  readonly sequence: number;
  readonly at: number;
}

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
 * The commands `halt`, which keeps an earlier halt's reason, and `lift`, which refuses an asset that is not
 * halted.
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

export type HaltCommands = ReturnType<typeof haltCommands>;

/**
 * For a replay: the ledger's own commands, and queries of the ledger tables that the replayed commands must
 * reproduce.
 */
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
 * The halted assets. Postings of an asset that was found broken are refused immediately. `isHalted`, which
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

  /** Halts found outside of a step that are not stored yet. */
  get unstored(): readonly Halt[] {
    return [...this.unstoredHalts.values()];
  }

  /** Tells whether a stored halt exists. */
  isHalted(asset: AssetCode): boolean {
    return this.stored.has(asset);
  }

  /** Tells whether postings of the asset are refused: it has a stored halt, or one that is not stored yet. */
  isStopped(asset: AssetCode): boolean {
    return this.stored.has(asset) || this.unstoredHalts.has(asset);
  }

  /** Refuses if the asset is halted, with its name. */
  requireNotHalted(asset: AssetCode): void {
    if (this.isStopped(asset)) throw new Refused(refusal('closed', 'l.asset_halted', { unit: asset }));
  }

  /** Replaces the stored halts. Unstored halts of other assets stay. */
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

  /** Halts an asset or lifts its halt, for every later step. */
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
  }
}

function setOrDelete(halts: Map<AssetCode, Halt>, asset: AssetCode, halt: Halt | undefined): void {
  if (halt === undefined) halts.delete(asset);
  else halts.set(asset, halt);
}
