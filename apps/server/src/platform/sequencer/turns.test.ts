import { expect, it } from 'vitest';
import { turnsOf } from './turns.ts';

it('PAPI-095 tasks enqueue in the order of their turns, also if a later turn ends first', async () => {
  const enqueued: number[] = [];
  const turns = turnsOf(4);
  const tasks = turns.map(async ({ started, end }, index) => {
    await started;
    enqueued.push(index);
    if (index !== 1) end();
  });
  turns[2]!.end();
  await tasks[1];
  expect(enqueued).toEqual([0, 1]);
  turns[1]!.end();
  turns[1]!.end();
  await Promise.all(tasks);
  expect(enqueued).toEqual([0, 1, 2, 3]);
});
