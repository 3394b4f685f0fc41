import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

describe('turns', () => {
  it('SPOT-239 let so many run at once, the others in the order they came, and survive failures', async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (n: number) =>
      turns.take(async () => {
        begun.push(n);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (n === 1) throw new Error('failed');
        return n;
      });
    const all = Promise.allSettled([0, 1, 2, 3, 4].map(work));
    for (let n = 0; n < 5; n += 1) {
      await nextTurn();
      expect(begun).toEqual([0, 1, 2, 3, 4].slice(0, Math.min(n + 2, 5)));
      ends[n]!();
    }
    const settled = await all;
    expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
      0,
      'failed',
      2,
      3,
      4,
    ]);
    expect(await turns.take(() => Promise.resolve('again'))).toBe('again');
  });
});
