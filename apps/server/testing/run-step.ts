import { command, sqlCommand, type AnyCommand } from '../src/platform/sequencer/command.ts';
import type { ExecuteOptions, Sequencer } from '../src/platform/sequencer/sequencer.ts';
import type { SqlStep, Step } from '../src/platform/sequencer/step.ts';

interface RunOptions extends Omit<ExecuteOptions<unknown>, 'asked' | 'answer'> {
  /** What the key stands for, and what the journal keeps. */
  readonly input?: unknown;
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
  { input, ...options }: RunOptions,
  body: (step: Step) => T,
): Promise<T> {
  const made = commandOf(sequencer, name, () =>
    command({ name, input: anything, run: (step, { run }: Asked<typeof body>) => run(step) }),
  );
  return sequencer.execute(
    made,
    { run: body, toJSON: () => input },
    { ...options, asked: input },
  ) as Promise<T>;
}

/** The same with SQL. */
export function runSqlStep<T>(
  sequencer: Sequencer,
  name: string,
  { input, ...options }: RunOptions,
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
    { run: body, toJSON: () => input },
    { ...options, asked: input },
  ) as Promise<T>;
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
