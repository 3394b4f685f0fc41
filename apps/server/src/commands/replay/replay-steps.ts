import type { Instant } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { createAssets } from '../../modules/assets/index.ts';
import {
  HALT_CHANGED,
  Ledger,
  POSTED,
  readRecordedPost,
  type HaltInput,
} from '../../modules/ledger/index.ts';
import { SpotReplay } from '../../modules/spot/index.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { DatabaseConnection } from '../../platform/database/pool.ts';
import type { ToldEvent } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import { Batch } from '../../platform/sequencer/batch.ts';
import { Journal } from '../../platform/sequencer/journal.ts';
import { StepRecord } from '../../platform/sequencer/step.ts';

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
  /** Told of every step after it was carried out, with the facts it told. */
  readonly onStep?: ((step: RecordedStep, events: readonly ToldEvent[]) => void) | undefined;
}

export interface Replayed {
  /** The step after which the target stood when the replay began: 0 for an empty one. */
  readonly from: number;
  readonly steps: number;
  /** The last step that was replayed; `from` when there was none. */
  readonly last: number;
}

/**
 * Carries out again, in order and with their instants and ids, all steps of the source's journal that the
 * target has not seen, and stores what they decide there, batch by batch as they were stored. Throws
 * where a step is refused that was not refused before, naming it.
 */
export async function replaySteps(options: ReplayOptions): Promise<Replayed> {
  const { source, target, secret, log, until = Number.MAX_SAFE_INTEGER, onStep } = options;
  const { reader } = target.database;
  const ledger = new Ledger({ reader, log });
  const spot = new SpotReplay({
    pairs: createAssets({ mode: 'live' }).pairs,
    database: target.database,
    ledger,
  });
  const journal = new Journal(target.connection, log);
  const head = await journal.takeOver();
  try {
    await ledger.load();
    await spot.load();
    let stored = head.sequence;
    let steps = 0;
    for await (const batchOfSteps of recordedBatches(source, head.sequence, until)) {
      const batch = new Batch();
      for (const recorded of batchOfSteps) {
        await prepare(ledger, spot, recorded);
        const step = carryOut(ledger, spot, recorded, secret);
        batch.keep(step, NOBODY);
        onStep?.(recorded, step.events);
        steps += 1;
      }
      await journal.commit(batch.takeRows(), stored, batch.lastSequence, false);
      stored = batch.lastSequence;
    }
    return { from: head.sequence, steps, last: stored };
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

async function prepare(ledger: Ledger, spot: SpotReplay, { operation, input }: RecordedStep): Promise<void> {
  const owner = spot.ownerOf(input);
  const owners = operation === POSTED ? readRecordedPost(input).owners : owner === undefined ? [] : [owner];
  for (const one of owners) await ledger.prepare(one);
}

function carryOut(ledger: Ledger, spot: SpotReplay, recorded: RecordedStep, secret: Uint32Array): StepRecord {
  const { sequence, at, operation, input } = recorded;
  const step = new StepRecord(sequence, at, secret);
  try {
    if (operation === POSTED) {
      const { kind, reference, postings } = readRecordedPost(input);
      ledger.postRecorded(step, kind, reference, postings);
    } else if (operation === HALT_CHANGED) ledger.halts.change(step, input as HaltInput);
    else spot.run(step, operation, input);
  } catch (cause) {
    throw new Error(`step ${sequence} (${operation}) cannot be repeated: ${String(cause)}`, { cause });
  }
  return step;
}
