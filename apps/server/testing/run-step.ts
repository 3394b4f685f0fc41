import { command, sqlCommand, type AnyCommand } from '../src/platform/sequencer/command.ts';
import type { AnswerCodec, ExecuteOptions, Sequencer } from '../src/platform/sequencer/sequencer.ts';
import { Submission } from '../src/platform/sequencer/submission.ts';
import type { SqlStep, Step } from '../src/platform/sequencer/step.ts';

interface RunOptions {
  readonly actor?: string | undefined;
  /** With a key the step is a submission of the actor; `input` stands for the sent fields. */
  readonly key?: string;
  /** The journal keeps it. */
  readonly input?: unknown;
  readonly answers?: AnswerCodec;
}

interface Asked<Body> {
  readonly run: Body;
  readonly toJSON: () => unknown;
}

const known = new WeakMap<Sequencer, Map<string, AnyCommand>>();

/** Runs what a test makes up as a step of that name, as if it were a registered command. */
export function runStep<T>(
  sequencer: Sequencer,
  name: string,
  options: RunOptions,
  body: (step: Step) => T,
): Promise<T> {
  const made = commandOf(sequencer, name, () =>
    command({ name, input: anything, run: (step, { run }: Asked<typeof body>) => run(step) }),
  );
  return sequencer.execute(
    made,
    { run: body, toJSON: () => options.input },
    executeOptions(made, options),
  ) as Promise<T>;
}

/** The same with SQL. */
export function runSqlStep<T>(
  sequencer: Sequencer,
  name: string,
  options: RunOptions,
  body: (step: SqlStep) => Promise<T>,
): Promise<T> {
  const made = commandOf(sequencer, `${name}.sql`, () =>
    sqlCommand({
      name: `${name}.sql`,
      input: anything,
      run: (step, { run }: Asked<typeof body>) => run(step),
    }),
  );
  return sequencer.execute(
    made,
    { run: body, toJSON: () => options.input },
    executeOptions(made, options),
  ) as Promise<T>;
}

function executeOptions(
  { name: operation }: AnyCommand,
  { actor, key, input, answers }: RunOptions,
): ExecuteOptions<unknown> {
  const submission =
    actor === undefined || key === undefined
      ? undefined
      : Submission.of({ actor, operation, key, sent: { input } });
  return { actor, submission, answers };
}

const anything = { parse: (value: unknown) => value as never };

function commandOf(sequencer: Sequencer, name: string, make: () => AnyCommand): AnyCommand {
  let commands = known.get(sequencer);
  if (commands === undefined) known.set(sequencer, (commands = new Map()));
  let made = commands.get(name);
  if (made === undefined) {
    commands.set(name, (made = make()));
    sequencer.register([made]);
  }
  return made;
}
