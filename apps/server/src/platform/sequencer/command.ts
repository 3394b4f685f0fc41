import type { Instant } from '@exchange/core/time.ts';
import type { SqlStep, Step } from './step.ts';

/**
 * Interface of the object that parses a command's input which was read from JSON, and throws if it is
 * invalid. Usually it is a zod schema.
 */
export interface InputSchema<Input> {
  parse(value: unknown): Input;
}

interface CommandDescription<Input> {
  /** Name of the command, unique among all modules, e.g. `spot.place`. */
  readonly name: string;
  /**
   * Parses the command's input as `JSON.stringify` wrote it, in the journal or in another process.
   */
  readonly input: InputSchema<Input>;
  /** Loads the state that the command's `run` needs into memory. Returns undefined if it is already loaded. */
  readonly prepare?: (input: Input) => Promise<void> | undefined;
}

/** Unfinished work of an earlier step that must end before a step can run. */
export interface Postponement {
  /** Identifies the unfinished work. Steps with the same key stay in order. */
  readonly key: string;
  /** Returns whether the unfinished work has ended. Called again after every step. */
  readonly isOver: () => boolean;
}

/** A command that changes state in memory only, and uses no SQL. */
export interface MemoryCommand<Input, Outcome> extends CommandDescription<Input> {
  readonly usesSql: false;
  /**
   * Called directly before `run` with the step's time, but never during a replay. Returns the unfinished work for which
   * the step must wait, or undefined if the step can run now. Other steps run while this one waits.
   */
  readonly postponed?: (input: Input, now: Instant) => Postponement | undefined;
  readonly run: (step: Step, input: Input) => Outcome;
}

/**
 * A command that reads or writes tables with SQL inside the batch's transaction. Its queries see the rows of all
 * earlier steps.
 */
export interface SqlCommand<Input, Outcome> extends CommandDescription<Input> {
  readonly usesSql: true;
  readonly run: (step: SqlStep, input: Input) => Promise<Outcome>;
}

/**
 * A kind of step: a name, a schema of its input, and the function `run` that executes it. The journal stores name and
 * input, and a replay runs the same function with them. Therefore `run` may depend only on state made by earlier steps,
 * on its input, and on the step's time and ids. It throws `Refused` to refuse. It may run several times before its
 * caller is answered. Therefore it records its changes in the step, and any other memory that it changes must be
 * reloaded after a failure.
 */
export type Command<Input, Outcome> = MemoryCommand<Input, Outcome> | SqlCommand<Input, Outcome>;

// The input is `any`, because a list contains commands with different inputs. Each command gets only inputs that its own
// schema has parsed.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type AnyCommand = Command<any, unknown>;

export type InputOf<Of> = Of extends CommandDescription<infer Input> ? Input : never;
export type OutcomeOf<Of> = Of extends { readonly run: (step: never, input: never) => infer Outcome }
  ? Awaited<Outcome>
  : never;

/** Creates a command that changes state in memory only, and uses no SQL. */
export function command<Input, Outcome>(
  description: Omit<MemoryCommand<Input, Outcome>, 'usesSql'>,
): MemoryCommand<Input, Outcome> {
  return { ...description, usesSql: false };
}

/** Creates a command that uses SQL inside the batch's transaction. */
export function sqlCommand<Input, Outcome>(
  description: Omit<SqlCommand<Input, Outcome>, 'usesSql'>,
): SqlCommand<Input, Outcome> {
  return { ...description, usesSql: true };
}

/** Registry of all commands of the process, by name. */
export class CommandRegistry {
  private readonly commands = new Map<string, AnyCommand>();

  add(commands: readonly AnyCommand[]): void {
    for (const command of commands) {
      if (this.commands.has(command.name)) throw new Error(`the command ${command.name} is registered twice`);
      this.commands.set(command.name, command);
    }
  }

  has(command: AnyCommand): boolean {
    return this.commands.get(command.name) === command;
  }

  /** Finds a command by name and parses its recorded input. Throws for an unknown name or an invalid input. */
  read(name: string, input: unknown): { readonly command: AnyCommand; readonly input: unknown } {
    const command = this.commands.get(name);
    if (command === undefined) throw new RangeError(`no command is called ${name}`);
    return { command, input: command.input.parse(input) };
  }
}
