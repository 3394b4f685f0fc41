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
  /** Called with every row of the journal, in order, before its steps are carried out. */
  readonly onJournalRow?: ((row: JournalRow) => void) | undefined;
  /** Steps after which the target is brought up to date and `onPause` is called; each the last one of a batch. */
  readonly pausesAt?: ReadonlySet<number> | undefined;
  readonly onPause?: ((step: number) => Promise<void>) | undefined;
}

/** A row of the journal: a batch of steps, the last of which it is named by. */
export interface JournalRow {
  readonly sequence: number;
  readonly steps: string;
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
  const { source, secret, log, until = Number.MAX_SAFE_INTEGER, onStep, onJournalRow } = options;
  const { pausesAt, onPause } = options;
  const { reader } = options.target.database;
  const ledger = new Ledger({ reader, log, isReplay: true });
  // A demo lists every pair of a live exchange and those of its own tokens, so any journal finds its pairs.
  const { pairs, coins } = createAssets({ mode: 'demo' });
  const modules = MONEY_MODULES.map(({ replay }) =>
    replay({ ledger, database: options.target.database, pairs, coins }),
  );
  const commands = new CommandRegistry();
  for (const module of modules) commands.add(module.commands);
  const journal = new Journal(options.target.connection, log);
  const head = await journal.takeOver();
  let steps = 0;
  const replayBatch = async (target: ReplayTarget, recordedSteps: readonly RecordedStep[]) => {
    const read = recordedSteps.map((recorded) => ({ recorded, ...readAgain(commands, recorded) }));
    const usesSql = read.some(({ command }) => command.usesSql);
    if (usesSql || target.isFull) await target.commit(false);
    // Commands prepare by loading the accounts that they touch, which may happen in any order.
    await Promise.all(read.map(async ({ command, input }) => command.prepare?.(input)));
    if (usesSql) await journal.begin();
    for (const { recorded, command, input } of read) {
      // A command with SQL sees what the steps before it wrote.
      if (command.usesSql) await target.write();
      const step = await carryOut(command, input, recorded, journal, secret);
      target.add(step);
      onStep?.(recorded, step.events);
      steps += 1;
    }
    return usesSql;
  };
  try {
    await ledger.load();
    for (const { load } of modules) await load?.();
    // The target can be made again: nothing is lost where the machine stops amid a replay.
    await sql`set synchronous_commit = off`.execute(journal.transaction);
    const target = new ReplayTarget(journal, head.sequence);
    for await (const recordedSteps of recordedBatches(source, head.sequence, until, onJournalRow)) {
      const usesSql = await replayBatch(target, recordedSteps);
      const last = recordedSteps.at(-1)!.sequence;
      if (usesSql || pausesAt?.has(last) === true) await target.commit(usesSql);
      if (pausesAt?.has(last) === true) await onPause?.(last);
    }
    await target.commit(false);
    const state = Object.assign({}, ...modules.map((module) => module.state)) as Replayed['state'];
    return { from: head.sequence, steps, last: target.stored, state };
  } finally {
    await journal.close();
  }
}

/** So many steps are stored by one commit, where none of them has SQL. */
const STEPS_PER_COMMIT = 1_000;

/** Steps that were carried out again, on their way to the target. */
class ReplayTarget {
  /** The last step that the target has stored. */
  stored: number;
  private readonly journal: Journal;
  private batch = new Batch();

  constructor(journal: Journal, stored: number) {
    this.journal = journal;
    this.stored = stored;
  }

  get isFull(): boolean {
    return this.batch.waiting.length >= STEPS_PER_COMMIT;
  }

  add(step: StepRecord): void {
    this.batch.keep(step, NOBODY);
  }

  /** Writes rows within the open transaction. */
  async write(): Promise<void> {
    await this.journal.write(this.batch.takeRows());
  }

  /** Stores all steps so far; does nothing where there are none. */
  async commit(isInTransaction: boolean): Promise<void> {
    const { batch } = this;
    if (batch.isEmpty) return;
    await this.journal.commit(batch.takeRows(), this.stored, batch.lastSequence, isInTransaction);
    this.stored = batch.lastSequence;
    this.batch = new Batch();
  }
}

const NOBODY = { committed: () => undefined, failed: () => undefined };

/** The steps of the journal behind one step and up to another, in the batches in which they were stored. */
async function* recordedBatches(
  source: Tx,
  after: number,
  until: number,
  onJournalRow: ReplayOptions['onJournalRow'],
): AsyncGenerator<readonly RecordedStep[]> {
  for (let last = after; ;) {
    const page = await sql<{ sequence: bigint; steps: string }>`
      select sequence, steps from step_journal where sequence > ${last} order by sequence limit ${PAGE}
    `.execute(source);
    for (const row of page.rows) {
      onJournalRow?.({ sequence: Number(row.sequence), steps: row.steps });
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
