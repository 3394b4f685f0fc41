import type { UserId } from '@exchange/core/ids.ts';
import { expect, it } from 'vitest';
import { Exports } from './export.ts';
import type { Records } from './records.ts';

const PERIOD = { startTime: 0, endTime: 1_000 };

it('SPOT-239 two exports read the database at once, the others in order of arrival, even after one fails', async () => {
  const reads: (() => void)[] = [];
  const begun: number[] = [];
  const records = {
    ordersBefore: async () => {
      const turn = begun.push(begun.length);
      await new Promise<void>((resolve) => reads.push(resolve));
      if (turn === 1) throw new Error('a read failed');
      return [];
    },
  } as unknown as Records;
  const exports = new Exports({ records, pairOf: () => expect.fail('no pair is asked for') });
  const all = [0, 1, 2, 3, 4].map(async (n) => {
    const { parts } = exports.open(`user ${n}` as UserId, { kind: 'orders', ...PERIOD }, 'en-US');
    for await (const part of parts) return part;
    return undefined;
  });
  const settled = Promise.allSettled(all);
  for (let turn = 0; turn < 5; turn += 1) {
    await expect.poll(() => reads.length).toBe(Math.min(turn + 2, 5));
    reads[turn]!();
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
