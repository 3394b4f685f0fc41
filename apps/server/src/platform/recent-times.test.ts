import { expect, it } from 'vitest';
import { RecentTimes } from './recent-times.ts';

it('remembers the latest time of each key, and forgets the keys that were set longest ago', () => {
  const times = new RecentTimes(2);
  times.set('first', 1);
  times.set('second', 2);
  times.set('first', 3);
  times.set('third', 4);
  expect(['first', 'second', 'third'].map((key) => times.get(key))).toEqual([3, undefined, 4]);
  times.delete('third');
  expect(times.get('third')).toBeUndefined();
});
