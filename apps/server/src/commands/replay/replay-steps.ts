import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { createAssets } from '../../modules/assets/index.ts';
import { Ledger } from '../../modules/ledger/index.ts';
import { MONEY_MODULES } from '../../money.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { DatabaseConnection } from '../../platform/database/pool.ts';
import type { PublishedEvent } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import { Batch } from '../../platform/sequencer/batch.ts';
import { CommandRegistry, type AnyCommand } from '../../platform/sequencer/command.ts';
import { Journal } from '../../platform/sequencer/journal.ts';
import { StepRecord, type SqlStep } from '../../platform/sequencer/step.ts';

const PAGE = 100;

/** One step as the journal keeps it. */
export interface RecordedStep {
  readonly sequence: number;
  readonly at: Instant;
  readonly operation: string;
  readonly input: unknown;
}

export interface ReplayOptions {
  /** A snapshot of the database whose journal is replayed. */
  readonly source: Tx;
  /** Another database with the same schema: empty, or a base copy of the source at an earlier step. */
  readonly target: { readonly connection: DatabaseConnection; readonly database: Database };
  /** The source's key for ids made in steps. */
  readonly secret: Uint32Array;
  readonly log: Log;
  /** The last step to replay; all when absent. */
  readonly until?: number | undefined;
  /** Called with every step after it was carried out, and the facts it published. */
  readonly onStep?: ((step: RecordedStep, events: readonly PublishedEvent[]) => void) | undefined;
}

export interface Replayed {
  /** The step after which the target stood when the replay began: 0 for an empty one. */
  readonly from: number;
  readonly steps: number;
  /** The last step that was replayed; `from` when there was none. */
  readonly last: number;
  /** What the modules say has to be made again, as queries. */
  readonly state: Readonly<Record<string, string>>;
}

/**
 * Carries out again, in order and with their instants and ids, all steps of the source's journal that the
 * target has not seen, and stores what they decide there, batch by batch as they were stored. Throws
 * where a step is refused that was not refused before, naming it.
 */
export async function replaySteps(options: ReplayOptions): Promise<Replayed> {
  const { source, target, secret, log, until = Number.MAX_SAFE_INTEGER, onStep } = options;
  const { reader } = target.database;
  const ledger = new Ledger({ reader, log, isReplay: true });
  const { pairs, coins } = createAssets({ mode: 'live' });
  const modules = MONEY_MODULES.map(({ replay }) =>
    replay({ ledger, database: target.database, pairs, coins }),
  );
  const commands = new CommandRegistry();
  for (const module of modules) commands.add(module.commands);
  const journal = new Journal(target.connection, log);
  const head = await journal.takeOver();
  try {
    await ledger.load();
    for (const { load } of modules) await load?.();
    let stored = head.sequence;
    let steps = 0;
    for await (const recordedSteps of recordedBatches(source, head.sequence, until)) {
      const batch = new Batch();
      const read = recordedSteps.map((recorded) => ({ recorded, ...readAgain(commands, recorded) }));
      const usesSql = read.some(({ command }) => command.usesSql);
      if (usesSql) await journal.begin();
      for (const { recorded, command, input } of read) {
        await command.prepare?.(input);
        // A command with SQL sees what the steps before it wrote.
        if (command.usesSql) await journal.write(batch.takeRows());
        const step = await carryOut(command, input, recorded, journal, secret);
        batch.keep(step, NOBODY);
        onStep?.(recorded, step.events);
        steps += 1;
      }
      await journal.commit(batch.takeRows(), stored, batch.lastSequence, usesSql);
      stored = batch.lastSequence;
    }
    const state = Object.assign({}, ...modules.map((module) => module.state)) as Replayed['state'];
    return { from: head.sequence, steps, last: stored, state };
  } finally {
    await journal.close();
  }
}

const NOBODY = { committed: () => undefined, failed: () => undefined };

/** The steps of the journal behind one step and up to another, in the batches in which they were stored. */
async function* recordedBatches(
  source: Tx,
  after: number,
  until: number,
): AsyncGenerator<readonly RecordedStep[]> {
  for (let last = after; ;) {
    const page = await sql<{ sequence: bigint; steps: string }>`
      select sequence, steps from step_journal where sequence > ${last} order by sequence limit ${PAGE}
    `.execute(source);
    for (const row of page.rows) {
      const steps = row.steps.split('\n').map(readStep);
      const wanted = steps.filter(({ sequence }) => sequence > after && sequence <= until);
      if (wanted.length > 0) yield wanted;
      last = Number(row.sequence);
    }
    if (page.rows.length < PAGE || last >= until) return;
  }
}

function readStep(line: string): RecordedStep {
  const [sequence, at, operation, input] = JSON.parse(line) as [number, Instant, string, unknown];
  return { sequence, at, operation, input };
}

function readAgain(commands: CommandRegistry, { sequence, operation, input }: RecordedStep) {
  try {
    return commands.read(operation, input);
  } catch (cause) {
    throw new Error(`step ${sequence} (${operation}) cannot be read: ${String(cause)}`, { cause });
  }
}

async function carryOut(
  command: AnyCommand,
  input: unknown,
  { sequence, at }: RecordedStep,
  journal: Journal,
  secret: Uint32Array,
): Promise<StepRecord> {
  const step = new StepRecord(sequence, at, secret);
  try {
    if (command.usesSql) {
      const sqlStep: SqlStep = Object.assign(step, { sql: journal.transaction });
      await command.run(sqlStep, input);
    } else command.run(step, input);
  } catch (cause) {
    throw new Error(`step ${sequence} (${command.name}) cannot be repeated: ${String(cause)}`, { cause });
  }
  step.record(command.name, input);
  return step;
}
