import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OnePerKey } from './one-per-key.ts';

it('ID-068 lets one piece of work of a key run at a time, in order, past failures, and forgets idle keys', async () => {
  const perKey = new OnePerKey();
  const seen: string[] = [];
  const work = (key: string, n: number) =>
    perKey.run(key, async () => {
      seen.push(`${key}${n} begins`);
      await nextTurn();
      seen.push(`${key}${n} ends`);
      if (n === 1) throw new Error('failed');
      return n;
    });
  const all = await Promise.allSettled([work('a', 0), work('a', 1), work('b', 0), work('a', 2)]);
  expect(all.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([0, 'failed', 0, 2]);
  const ofA = seen.filter((step) => step.startsWith('a'));
  expect(ofA).toEqual(['a0 begins', 'a0 ends', 'a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
  expect(seen.indexOf('b0 begins')).toBeLessThan(seen.indexOf('a1 begins'));
  await nextTurn();
  expect(perKey.size).toBe(0);
});
