import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OnePerKey } from './one-per-key.ts';

it('ID-068 work of a key runs one at a time and in order, also after failures, and idle keys are forgotten', async () => {
  const perKey = new OnePerKey();
  const events: string[] = [];
  const work = (key: string, n: number) =>
    perKey.run(key, async () => {
      events.push(`${key}${n} begins`);
      await nextTurn();
      events.push(`${key}${n} ends`);
      if (n === 1) throw new Error('failed');
      return n;
    });
  const all = await Promise.allSettled([work('a', 0), work('a', 1), work('b', 0), work('a', 2)]);
  expect(all.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    0,
    'failed',
    0,
    2,
  ]);
  const ofA = events.filter((step) => step.startsWith('a'));
  expect(ofA).toEqual(['a0 begins', 'a0 ends', 'a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
  expect(events.indexOf('b0 begins')).toBeLessThan(events.indexOf('a1 begins'));
  await nextTurn();
  expect(perKey.size).toBe(0);
});
