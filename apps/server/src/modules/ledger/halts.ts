import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { command } from '../../platform/sequencer/command.ts';
import { rowWriter } from '../../platform/sequencer/row-writer.ts';
import type { Step } from '../../platform/sequencer/step.ts';

/** An asset of which nothing moves. */
export interface Halt {
  readonly asset: AssetCode;
  readonly by: string;
  readonly reason: string;
  /** When it was halted, in milliseconds; undefined while that is not yet stored. */
  readonly since: number | undefined;
}

/** What is asked: an asset to be halted or released, by whom and why. */
export interface HaltInput {
  readonly asset: AssetCode;
  readonly isHalted: boolean;
  readonly by: string;
  readonly reason: string;
}

/** A change as it is kept for ever. */
export interface HaltChange extends HaltInput {
  /** The step that made it. */
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

/** Halts an asset, which stays halted for its first reason, and lifts a halt; refuses to lift what is not halted. */
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

/** The ledger's own commands for a replay, and what all commands together have to make of the ledger again. */
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
 * The halted assets. One that was found broken takes no postings from that moment on; as halted counts it
 * once a step has stored that, so that a replay takes the same decisions.
 */
export class Halts {
  private stored = new Map<AssetCode, Halt>();
  private readonly found = new Map<AssetCode, Halt>();

  get areAny(): boolean {
    return this.stored.size + this.found.size > 0;
  }

  get all(): readonly Halt[] {
    return [...this.stored.values(), ...this.unstored];
  }

  /** Found broken, but not stored yet. */
  get unstored(): readonly Halt[] {
    return [...this.found.values()];
  }

  /** Whether a stored halt stands. */
  isHalted(asset: AssetCode): boolean {
    return this.stored.has(asset);
  }

  /** Whether postings of an asset are refused: it is halted, or was found broken and that is not stored yet. */
  isStopped(asset: AssetCode): boolean {
    return this.stored.has(asset) || this.found.has(asset);
  }

  /** Refuses whatever moves a halted asset, and names it. */
  requireMoving(asset: AssetCode): void {
    if (this.isStopped(asset)) throw new Refused(refusal('closed', 'l.asset_halted', { unit: asset }));
  }

  /** Takes what is stored; what was found and is not among it stays. */
  replace(stored: readonly Halt[]): void {
    this.stored = new Map(stored.map((halt) => [halt.asset, halt]));
    for (const { asset } of stored) this.found.delete(asset);
  }

  /** Gives whether that is news. */
  find(asset: AssetCode, by: string, reason: string): boolean {
    if (this.isStopped(asset)) return false;
    this.found.set(asset, { asset, by, reason, since: undefined });
    return true;
  }

  /** Halts or releases an asset for every later step. */
  change(step: Step, { asset, isHalted, by, reason }: HaltInput): void {
    const before = { stored: this.stored.get(asset), found: this.found.get(asset) };
    step.onUndo(() => {
      put(this.stored, asset, before.stored);
      put(this.found, asset, before.found);
    });
    put(this.stored, asset, isHalted ? { asset, by, reason, since: step.now } : undefined);
    this.found.delete(asset);
    const change: HaltChange = { sequence: step.sequence, asset, isHalted, by, reason, at: step.now };
    step.write(haltWriter, change);
  }
}

function put(halts: Map<AssetCode, Halt>, asset: AssetCode, halt: Halt | undefined): void {
  if (halt === undefined) halts.delete(asset);
  else halts.set(asset, halt);
}
