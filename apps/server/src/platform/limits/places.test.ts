import { describe, expect, it } from 'vitest';
import { Slots, type Release } from './places.ts';

/** Waits for a slot, and appends the name of the group to `log` when the slot is assigned. */
function enter(places: Slots, group: string, log: string[]): Promise<Release> {
  const entered = Promise.resolve(places.enter(group)!);
  void entered.then(() => log.push(group));
  return entered;
}

describe('slots for limited concurrent work', () => {
  it('EDGE-749 slots are limited per group and in total; the next entry is admitted when a slot is freed', async () => {
    const places = new Slots({ all: 3, perGroup: 2, waitingPerGroup: 1 });
    const log: string[] = [];
    const first = await enter(places, 'a', log);
    await enter(places, 'a', log);
    const third = enter(places, 'a', log);
    expect(places.enter('a')).toBeUndefined();
    expect(places.present).toBe(2);
    await enter(places, 'b', log);
    expect(log).toEqual(['a', 'a', 'b']);
    first();
    first();
    await third;
    expect(places.present).toBe(3);
  });

  it('EDGE-749 waiting groups are admitted in turn, however many entries a group has', async () => {
    const places = new Slots({ all: 1, perGroup: 1, waitingPerGroup: 10 });
    const log: string[] = [];
    const release = await enter(places, 'a', log);
    const waiting = [...['a', 'a', 'a'].map((group) => enter(places, group, log)), enter(places, 'b', log)];
    release();
    for (let left = waiting.length; left > 0; left -= 1) {
      const next = await Promise.race(waiting.filter((entered) => entered !== undefined));
      next();
      await new Promise(setImmediate);
    }
    expect(log.slice(0, 3)).toEqual(['a', 'a', 'b']);
  });
});
