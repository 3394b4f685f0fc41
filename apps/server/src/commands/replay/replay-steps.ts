import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { createAssets } from '../../modules/assets/index.ts';
import { Ledger } from '../../modules/ledger/index.ts';
import { MONEY_MODULES } from '../../money.ts';
import {
  archivedRows,
  archivedTo,
  StepsArchived,
  type ArchivedRow,
  type ArchiveFile,
} from '../../platform/checkpoint/journal-archive.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { DatabaseConnection } from '../../platform/database/pool.ts';
import type { PublishedEvent } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import { Batch } from '../../platform/sequencer/batch.ts';
import { CommandRegistry, type AnyCommand } from '../../platform/sequencer/command.ts';
import { Journal } from '../../platform/sequencer/journal.ts';
import { StepRecord, type SqlStep } from '../../platform/sequencer/step.ts';

const PAGE = 100;

/** A step as the journal records it: its number, its time, and the operation with its input. */
export interface RecordedStep {
  readonly sequence: number;
  readonly at: Instant;
  readonly operation: string;
  readonly input: unknown;
}

export interface ReplayOptions {
  /** A snapshot of the database whose journal is replayed. */
  readonly source: Reader;
  /**
   * The database into which the steps are replayed. It has the schema of the source, and is empty or a copy of the
   * source after an earlier step.
   */
  readonly target: { readonly connection: DatabaseConnection; readonly database: Database };
  /** The source's key from which the ids created in steps are derived. */
  readonly secret: Uint32Array;
  readonly log: Log;
  /** Number of the last step that is replayed; undefined for all steps. */
  readonly until?: number | undefined;
  /**
   * Verified files of the archived journal, from which steps are read that the source no longer has;
   * undefined if only the steps in the source are read.
   */
  readonly archive?: readonly ArchiveFile[] | undefined;
  /** Called after each replayed step, with the events that the step published. */
  readonly onStep?: ((step: RecordedStep, events: readonly PublishedEvent[]) => void) | undefined;
  /** Called for each row of the source's journal, in order, before the steps in the row are replayed. */
  readonly onJournalRow?: ((row: ArchivedRow) => void) | undefined;
  /**
   * Numbers of the steps after which all changes are committed and `onPause` is called. A step takes effect here only
   * if it is the last one of its journal row; others are ignored.
   */
  readonly pausesAt?: ReadonlySet<number> | undefined;
  readonly onPause?: ((step: number) => Promise<void>) | undefined;
}

export interface Replayed {
  /** Number of the last step in the target database before the replay; 0 if the database was empty. */
  readonly from: number;
  readonly steps: number;
  /** Number of the last replayed step; equal to `from` if no step was replayed. */
  readonly last: number;
  /**
   * SQL queries, by name, that return the parts of the state that must be equal in the replayed and the original
   * database.
   */
  readonly state: Readonly<Record<string, string>>;
}

/**
 * Repeats the steps of the source's journal that the target does not contain yet, up to the step `until`, in order and
 * with their original times and ids. The changes are committed in batches, which may differ from the original ones.
 * Throws an error with the step's number if a step cannot be read or if its command refuses it, and `StepsArchived` if
 * a step is neither in the journal nor in the given archive.
 */
export async function replaySteps(options: ReplayOptions): Promise<Replayed> {
  const { secret, log, until = Number.MAX_SAFE_INTEGER, onStep } = options;
  const { pausesAt, onPause } = options;
  const { reader } = options.target.database;
  const ledger = new Ledger({ reader, log, isReplay: true });
  // The pairs of demo mode include all pairs of live mode, so this list contains the pairs of journals of both modes.
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
    const readSteps = recordedSteps.map((recorded) => ({ recorded, ...readCommand(commands, recorded) }));
    const usesSql = readSteps.some(({ command }) => command.usesSql);
    if (usesSql || target.isFull) await target.commit(false);
    // `prepare` only loads data into memory, so all commands of a batch are prepared concurrently.
    await Promise.all(readSteps.map(async ({ command, input }) => command.prepare?.(input)));
    if (usesSql) await journal.begin();
    for (const { recorded, command, input } of readSteps) {
      // A command that uses SQL must see the rows of earlier steps, so these are written first.
      if (command.usesSql) await target.write();
      const step = await runStep(command, input, recorded, journal, secret);
      target.add(step);
      onStep?.(recorded, step.events);
      steps += 1;
    }
    return usesSql;
  };
  try {
    await ledger.load();
    for (const { load } of modules) await load?.();
    // Commits do not wait for the disk, because the target can be created again after a crash.
    await sql`set synchronous_commit = off`.execute(journal.transaction);
    const target = new ReplayTarget(journal, head.sequence);
    for await (const recordedSteps of recordedBatches(options, head.sequence, until)) {
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

/**
 * Number of collected steps at which they are committed. They are committed earlier before and after a batch
 * with a step that uses SQL, and before a pause.
 */
const STEPS_PER_COMMIT = 1_000;

/** Collects replayed steps and commits them to the target database. */
class ReplayTarget {
  /** Number of the last committed step. */
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
    this.batch.addStep(step, NO_CALLBACKS);
  }

  /** Writes the rows of the collected steps to the database within the open transaction. */
  async write(): Promise<void> {
    await this.journal.write(this.batch.takeRows());
  }

  /** Commits all steps collected so far; does nothing if there are none. */
  async commit(isInTransaction: boolean): Promise<void> {
    const { batch } = this;
    if (batch.isEmpty) return;
    await this.journal.commit(batch.takeRows(), this.stored, batch.lastSequence, isInTransaction);
    this.stored = batch.lastSequence;
    this.batch = new Batch();
  }
}

const NO_CALLBACKS = { committed: () => undefined, failed: () => undefined };

/**
 * Yields the journal's steps after the step `after` up to the step `until`, in the batches in which they were stored.
 */
async function* recordedBatches(
  options: ReplayOptions,
  after: number,
  until: number,
): AsyncGenerator<readonly RecordedStep[]> {
  for await (const row of journalRows(options, after, until)) {
    options.onJournalRow?.(row);
    const steps = row.steps.split('\n').map(readStep);
    const requestedSteps = steps.filter(({ sequence }) => sequence > after && sequence <= until);
    if (requestedSteps.length > 0) yield requestedSteps;
  }
}

/**
 * Yields the rows with the steps after `after` up to `until`, possibly followed by a few later rows: first those of the
 * archive, then those of the database. Throws `StepsArchived` if archived steps are needed and no archive is given, or
 * if the given archive ends before the newest archived step.
 */
async function* journalRows(
  { source, archive }: ReplayOptions,
  after: number,
  until: number,
): AsyncGenerator<ArchivedRow> {
  const deletedTo = await archivedTo(source);
  if (after < deletedTo) {
    const archiveEnd = archive?.at(-1)?.manifest.last ?? 0;
    if (archiveEnd < deletedTo)
      throw new StepsArchived(
        archive === undefined
          ? `the steps ${after + 1} to ${deletedTo} are archived: name their folder with --archive=FOLDER, or start from a checkpoint after them`
          : `the steps to ${deletedTo} are archived, and the folder of the archive has those to ${archiveEnd}`,
      );
    for await (const row of archivedRows(archive!, after, deletedTo)) {
      yield row;
      if (row.sequence >= until) return;
    }
  }
  for (let last = Math.max(after, deletedTo); ;) {
    const page = await sql<{ sequence: bigint; steps: string }>`
      select sequence, steps from step_journal where sequence > ${last} order by sequence limit ${PAGE}
    `.execute(source);
    for (const { sequence, steps } of page.rows) {
      yield { sequence: Number(sequence), steps };
      last = Number(sequence);
    }
    if (page.rows.length < PAGE || last >= until) return;
  }
}

function readStep(line: string): RecordedStep {
  const [sequence, at, operation, input] = JSON.parse(line) as [number, Instant, string, unknown];
  return { sequence, at, operation, input };
}

function readCommand(commands: CommandRegistry, { sequence, operation, input }: RecordedStep) {
  try {
    return commands.read(operation, input);
  } catch (cause) {
    throw new Error(`step ${sequence} (${operation}) cannot be read: ${String(cause)}`, { cause });
  }
}

async function runStep(
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
