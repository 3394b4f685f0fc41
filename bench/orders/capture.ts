import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { SealedRows } from '../../apps/server/src/platform/sequencer/batch.ts';
import { Journal } from '../../apps/server/src/platform/sequencer/journal.ts';

/** A batch of engine steps (executed commands) with the rows that the exchange sent to the database for it. */
export interface CapturedBatch {
  readonly rows: SealedRows;
  /** Number of steps in the batch. */
  readonly steps: number;
}

/**
 * Records every batch of engine steps that sequencers in this process commit to the database from now on, in the
 * returned array.
 */
export function captureBatches(): CapturedBatch[] {
  const captured: CapturedBatch[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called below with the journal it belongs to
  const { commit } = Journal.prototype;
  Journal.prototype.commit = function recordAndCommit(rows, previous, last, inTransaction) {
    captured.push({ rows, steps: last - previous });
    return commit.call(this, rows, previous, last, inTransaction);
  };
  return captured;
}

export async function writeBatches(file: string, batches: readonly CapturedBatch[]): Promise<void> {
  const output = createWriteStream(file);
  for (const batch of batches) if (!output.write(`${JSON.stringify(batch)}\n`)) await once(output, 'drain');
  output.end();
  await once(output, 'finish');
}

export async function loadBatches(file: string): Promise<CapturedBatch[]> {
  const batches: CapturedBatch[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    batches.push(JSON.parse(line) as CapturedBatch);
  }
  return batches;
}
