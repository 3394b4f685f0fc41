import { Coverage } from './coverage.ts';
import type { ModelCommand } from './model-command.ts';
import { RandomTrading } from './random-trading.ts';
import { FIRST_SEQUENCE, RealExchange, USERS } from './real-exchange.ts';
import { shrink } from './shrink.ts';
import { SideBySide } from './side-by-side.ts';

/** Result of a random run in which real and reference exchange agreed. */
export interface PassedRun {
  readonly coverage: Coverage;
  readonly real: RealExchange;
}

/** The first difference between the exchanges in a random run, and the commands up to it. */
export interface FailedRun {
  /** Whether only the comparison of the complete states at the end found the difference. */
  readonly isAtEnd: boolean;
  readonly difference: string;
  readonly story: readonly ModelCommand[];
}

export type NewReal = () => Promise<RealExchange>;

const newReal: NewReal = () => RealExchange.create();

/** Runs the commands of one seed on both exchanges, up to the first difference. */
export async function play(
  seed: number,
  commands: number,
  create: NewReal = newReal,
): Promise<PassedRun | FailedRun> {
  const real = await create();
  const pair = new SideBySide(real);
  const trading = new RandomTrading(seed, real.listings, USERS, FIRST_SEQUENCE);
  const story: ModelCommand[] = [];
  for (let count = 0; count < commands; count += 1) {
    const command = trading.next(pair.naive);
    story.push(command);
    const difference = await pair.run(command);
    if (difference !== undefined) return { difference, story, isAtEnd: false };
  }
  const difference = await pair.finish();
  if (difference !== undefined) return { difference, story, isAtEnd: true };
  return { coverage: pair.coverage, real };
}

/** The `count` whole numbers from `first` on. */
export function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/**
 * Runs seeds one after another and returns their coverage. If the exchanges differ, throws an error with a
 * minimized command sequence.
 */
export async function requireNoDifference(seeds: Iterable<number>, commands: number): Promise<Coverage> {
  const coverage = new Coverage();
  for (const seed of seeds) {
    const played = await play(seed, commands);
    if ('difference' in played) throw new Error(await report(seed, played));
    coverage.add(played.coverage);
  }
  return coverage;
}

/** Describes a difference and the shortest command sequence found that shows it. */
export async function report(seed: number, { difference, story, isAtEnd }: FailedRun): Promise<string> {
  const short = await shrink(story, async (part) => (await rerun(part, isAtEnd)) !== undefined);
  const lines = short.map((command) => JSON.stringify(command)).join('\n');
  return (
    `seed ${seed}, command ${story.length}: ${difference}\n` +
    `${short.length} commands suffice: ${(await rerun(short, isAtEnd)) ?? 'nothing'}\n${lines}`
  );
}

/** Runs a command sequence on new exchanges; returns its first difference, or undefined if there is none. */
async function rerun(story: readonly ModelCommand[], isAtEnd: boolean): Promise<string | undefined> {
  const pair = new SideBySide(await newReal());
  for (const command of story) {
    const difference = await pair.run(command);
    if (difference !== undefined) return difference;
  }
  return isAtEnd ? pair.finish() : undefined;
}
