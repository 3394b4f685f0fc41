import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Slices } from '@exchange/core/slices.ts';
import { allocation, costOf } from '@exchange/core/subscription.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import {
  commitmentFileHead,
  commitmentRow,
  FILE_END,
  isMissed,
  resultFileHead,
  resultRow,
  type CommittedLine,
  type FileKind,
  type Project,
} from './domain.ts';
import { committedLines, hashOf, saveBlock, saveFile } from './repository.ts';

/**
 * Writes a public file of a token sale and its hash, in one transaction. If the file exists already, writes nothing and
 * returns its stored hash. Returns the SHA-256 of the file in hexadecimal. The commitments must be final.
 */
export function writePublicFile(
  { transaction }: Pick<Database, 'transaction'>,
  project: Project,
  kind: FileKind,
): Promise<string> {
  return transaction(async (tx) => {
    const storedHash = await hashOf(tx, project.id, kind);
    if (storedHash !== undefined) return storedHash;
    const hash = createHash('sha256');
    let number = 0;
    for await (const content of blocksOf(tx, project, kind)) {
      hash.update(content);
      await saveBlock(tx, { project: project.id, kind, number, content });
      number += 1;
    }
    const sha256 = hash.digest('hex');
    await saveFile(tx, project.id, kind, sha256);
    return sha256;
  });
}

/** Yields the text of a public file: the beginning, the rows in blocks, and the end. */
async function* blocksOf(tx: Tx, project: Project, kind: FileKind): AsyncGenerator<string, void> {
  const rowOf = kind === 'commitments' ? commitmentRow : await resultRows(tx, project);
  yield kind === 'commitments' ? commitmentFileHead(project) : resultFileHead(project);
  let comma = '';
  for await (const lines of committedLines(tx, project.id)) {
    yield comma + lines.map(rowOf).join(',');
    comma = ',';
  }
  yield FILE_END;
}

/**
 * Computes the allocation of a token sale. Returns a function that builds the row of the result file for a commitment
 * line. It must be called once for each line, in the order of `committedLines`.
 */
async function resultRows(tx: Tx, project: Project): Promise<(line: CommittedLine) => string> {
  const amounts: Decimal[] = [];
  for await (const lines of committedLines(tx, project.id))
    amounts.push(...lines.map(({ amount }) => amount));
  const allocations = isMissed(project) ? undefined : await runSlices(allocation(amounts, project));
  let next = 0;
  return ({ line, amount }) => {
    const allocated = allocations?.[next] ?? Decimal.zero;
    next += 1;
    return resultRow({
      line,
      amount,
      allocated,
      cost: costOf(allocated, project.ratio),
    });
  };
}

/** Runs a generator to its end and returns its result. After each slice, other work of the process can run. */
async function runSlices<Value>(slices: Slices<Value>): Promise<Value> {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
