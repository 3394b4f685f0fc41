import { instant } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { Batch } from './batch.ts';
import { rowWriter } from './row-writer.ts';
import { StepRecord } from './step.ts';

const table = (name: string, isUpserted: boolean) =>
  rowWriter<string>({
    table: name,
    columns: { key: 'text' },
    cells: (key) => [key],
    ...(isUpserted && { upsert: { key: ['key'], keyOf: (key: string) => key, update: ['key'] } }),
  });

const TABLES = [table('b', false), table('a', false), table('d', true), table('c', true)];

it('SEQ-097 a batch has one statement per set of tables in any order of the steps', () => {
  const sealed = [TABLES, TABLES.toReversed()].map((tables) => {
    const step = new StepRecord(1, instant(0), new Uint32Array(4));
    for (const writer of tables) step.write(writer, `row of ${writer.name}`);
    const batch = new Batch();
    batch.addStep(step, { committed: () => undefined, failed: () => undefined });
    return batch.takeRows();
  });
  expect(sealed[0]!.name).toBe('a,b,c,d');
  expect(sealed[1]).toEqual(sealed[0]);
});
