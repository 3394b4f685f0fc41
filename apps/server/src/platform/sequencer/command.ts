import type { Instant } from '@exchange/core/time.ts';
import type { SqlStep, Step } from './step.ts';

/** Reads a value back from JSON and throws for what it cannot be: a zod schema, or anything as strict. */
export interface InputSchema<Input> {
  parse(value: unknown): Input;
}

interface Described<Input> {
  /** Unique among all modules, e.g. `spot.place`. */
  readonly name: string;
  /** Reads an input as `JSON.stringify` wrote it: from the journal, or from another process. */
  readonly input: InputSchema<Input>;
  /** Loads into memory what `run` needs there; undefined where that is there already. */
  readonly prepare?: (input: Input) => Promise<void> | undefined;
}

/** Work that an earlier step left over and that has to be done before a step is run. */
export interface Postponement {
  /** What the work belongs to: steps with the same key keep their order. */
  readonly key: string;
  /** Whether the work is done. Called after every step. */
  readonly isOver: () => boolean;
}

/** A kind of step that needs only memory. */
export interface MemoryCommand<Input, Outcome> extends Described<Input> {
  readonly usesSql: false;
  /**
   * Called right before `run`, with the time of the step, and never in a replay: what the step has to wait for; undefined
   * when it may run. Meanwhile other steps run.
   */
  readonly postponed?: (input: Input, now: Instant) => Postponement | undefined;
  readonly run: (step: Step, input: Input) => Outcome;
}

/** A kind of step that reads or writes SQL inside the batch's transaction; it sees what earlier steps wrote. */
export interface SqlCommand<Input, Outcome> extends Described<Input> {
  readonly usesSql: true;
  readonly run: (step: SqlStep, input: Input) => Promise<Outcome>;
}

/**
 * A kind of step: what may be asked, and what is then done. The journal keeps the name and the input, and a
 * replay runs the same command with them, so `run` decides by nothing but the state that steps have made, its
 * input, and the step's own time and ids. It throws `Refused` to refuse. It may run more than once before it
 * is answered: besides its own step it changes only memory that is loaded anew after a failure.
 */
export type Command<Input, Outcome> = MemoryCommand<Input, Outcome> | SqlCommand<Input, Outcome>;

// Variance: a registry holds commands of every input, and hands each only what its own schema has read.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type AnyCommand = Command<any, unknown>;

export type InputOf<Of> = Of extends Described<infer Input> ? Input : never;
export type OutcomeOf<Of> = Of extends { readonly run: (step: never, input: never) => infer Outcome }
  ? Awaited<Outcome>
  : never;

/** Describes a command that needs only memory. */
export function command<Input, Outcome>(
  described: Omit<MemoryCommand<Input, Outcome>, 'usesSql'>,
): MemoryCommand<Input, Outcome> {
  return { ...described, usesSql: false };
}

/** Describes a command that uses SQL. */
export function sqlCommand<Input, Outcome>(
  described: Omit<SqlCommand<Input, Outcome>, 'usesSql'>,
): SqlCommand<Input, Outcome> {
  return { ...described, usesSql: true };
}

/** Every command of the process, by name. */
export class CommandRegistry {
  private readonly commands = new Map<string, AnyCommand>();

  add(added: readonly AnyCommand[]): void {
    for (const one of added) {
      if (this.commands.has(one.name)) throw new Error(`the command ${one.name} is registered twice`);
      this.commands.set(one.name, one);
    }
  }

  has(one: AnyCommand): boolean {
    return this.commands.get(one.name) === one;
  }

  /** A command with its input, as they were written down. Throws for a name or an input that is not known. */
  read(name: string, input: unknown): { readonly command: AnyCommand; readonly input: unknown } {
    const found = this.commands.get(name);
    if (found === undefined) throw new RangeError(`no command is called ${name}`);
    return { command: found, input: found.input.parse(input) };
  }
}
