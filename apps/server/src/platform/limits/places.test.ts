import { describe, expect, it } from 'vitest';
import { Places, type Release } from './places.ts';

/** Enters and notes in `log` when it is inside. */
function entering(places: Places, group: string, log: string[]): Promise<Release> {
  const entered = Promise.resolve(places.enter(group)!);
  void entered.then(() => log.push(group));
  return entered;
}

describe('places for few at a time', () => {
  it('EDGE-749 admit so many of a group and so many in all; the next waits and is admitted when one leaves', async () => {
    const places = new Places({ all: 3, perGroup: 2, waitingPerGroup: 1 });
    const log: string[] = [];
    const first = await entering(places, 'a', log);
    await entering(places, 'a', log);
    const third = entering(places, 'a', log);
    expect(places.enter('a')).toBeUndefined();
    expect(places.present).toBe(2);
    await entering(places, 'b', log);
    expect(log).toEqual(['a', 'a', 'b']);
    first();
    first();
    await third;
    expect(places.present).toBe(3);
  });

  it('EDGE-749 admit waiting groups in turn, however many of one group wait', async () => {
    const places = new Places({ all: 1, perGroup: 1, waitingPerGroup: 10 });
    const log: string[] = [];
    const release = await entering(places, 'a', log);
    const waiting = [
      ...['a', 'a', 'a'].map((group) => entering(places, group, log)),
      entering(places, 'b', log),
    ];
    release();
    for (let left = waiting.length; left > 0; left -= 1) {
      const next = await Promise.race(waiting.filter((entered) => entered !== undefined));
      next();
      await new Promise(setImmediate);
    }
    expect(log.slice(0, 3)).toEqual(['a', 'a', 'b']);
  });
});
