import { command, sqlCommand, type AnyCommand } from '../src/platform/sequencer/command.ts';
import type { AnswerCodec, ExecuteOptions, Sequencer } from '../src/platform/sequencer/sequencer.ts';
import { Submission } from '../src/platform/sequencer/submission.ts';
import type { SqlStep, Step } from '../src/platform/sequencer/step.ts';

interface RunOptions {
  readonly actor?: string | undefined;
  /** Idempotency key. If it is set, the step counts as a submission of `actor` with the sent fields `input`. */
  readonly key?: string;
  /** Input of the command, as stored in the journal. */
  readonly input?: unknown;
  readonly answers?: AnswerCodec;
}

interface StepInput<Body> {
  readonly run: Body;
  readonly toJSON: () => unknown;
}

const commandsBySequencer = new WeakMap<Sequencer, Map<string, AnyCommand>>();

/** Executes a test's function as a step of the sequencer, like a registered command with this name. */
export function runStep<T>(
  sequencer: Sequencer,
  name: string,
  options: RunOptions,
  body: (step: Step) => T,
): Promise<T> {
  const stepCommand = commandOf(sequencer, name, () =>
    command({ name, input: anything, run: (step, { run }: StepInput<typeof body>) => run(step) }),
  );
  return sequencer.execute(
    stepCommand,
    { run: body, toJSON: () => options.input },
    executeOptions(stepCommand, options),
  ) as Promise<T>;
}

/** Like `runStep`, for an asynchronous step that uses SQL. */
export function runSqlStep<T>(
  sequencer: Sequencer,
  name: string,
  options: RunOptions,
  body: (step: SqlStep) => Promise<T>,
): Promise<T> {
  const stepCommand = commandOf(sequencer, `${name}.sql`, () =>
    sqlCommand({
      name: `${name}.sql`,
      input: anything,
      run: (step, { run }: StepInput<typeof body>) => run(step),
    }),
  );
  return sequencer.execute(
    stepCommand,
    { run: body, toJSON: () => options.input },
    executeOptions(stepCommand, options),
  ) as Promise<T>;
}

function executeOptions(
  { name: operation }: AnyCommand,
  { actor, key, input, answers }: RunOptions,
): ExecuteOptions<unknown> {
  const submission =
    actor === undefined || key === undefined
      ? undefined
      : Submission.create({ actor, operation, key, sent: { input } });
  return { actor, submission, answers };
}

const anything = { parse: (value: unknown) => value as never };

function commandOf(sequencer: Sequencer, name: string, create: () => AnyCommand): AnyCommand {
  let commands = commandsBySequencer.get(sequencer);
  if (commands === undefined) commandsBySequencer.set(sequencer, (commands = new Map()));
  let existing = commands.get(name);
  if (existing === undefined) {
    commands.set(name, (existing = create()));
    sequencer.register([existing]);
  }
  return existing;
}
