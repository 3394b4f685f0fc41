import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, later } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { collectingLog } from '../../../testing/edge.ts';
import { redacted } from '../log/json-log.ts';
import { Bulkheads } from './bulkheads.ts';

function createBulkhead() {
  let now = instant(1_000_000);
  const log = collectingLog();
  const bulkheads = new Bulkheads({ clock: { now: () => now, monotonicMs: () => now }, log });
  const pass = (ms: number) => (now = later(now, ms));
  return { bulkheads, bulkhead: bulkheads.bulkheadOf('test work'), log, pass };
}

const KEYS = Array.from({ length: 40 }, (_, n) => `item ${n}`);
const identity = (key: string) => key;

it('JOB-690 a failing item stops no other item, is reported, and is retried with growing pauses', async () => {
  const { bulkheads, bulkhead, log, pass } = createBulkhead();
  const done: string[] = [];
  let poisoned = true;
  const run = (key: string) => {
    if (key === 'item 3' && poisoned) return Promise.reject(new Error('poisoned'));
    done.push(key);
    return Promise.resolve();
  };
  await bulkhead.each(KEYS, identity, run);
  expect(done).toEqual(KEYS.filter((key) => key !== 'item 3'));
  expect(bulkheads.failing()).toMatchObject([{ work: 'test work', key: 'item 3', failures: 1 }]);
  expect(bulkheads.health()).toMatchObject({ isUp: false, rows: [{ item: 'item 3' }] });
  expect(bulkheads.counts()).toEqual({ 'test work': 1 });
  const failures = () => log.events.filter(({ event }) => event === 'due_work.item_failed').length;
  await bulkhead.each(['item 3'], identity, run);
  expect(failures()).toBe(1);
  // The log redacts fields whose names suggest secrets. The fields of these entries must stay readable.
  expect(redacted(log.events[0]?.fields)).toMatchObject({ work: 'test work', item: 'item 3' });
  pass(30_000);
  await bulkhead.each(['item 3'], identity, run);
  pass(30_000);
  await bulkhead.each(['item 3'], identity, run);
  expect(failures()).toBe(2);
  pass(30_000);
  poisoned = false;
  await bulkhead.each(['item 3'], identity, run);
  expect(done.at(-1)).toBe('item 3');
  expect(bulkheads.health()).toMatchObject({ isUp: true });
});

it('JOB-690 of items in one step, only the failing item is isolated and retried separately', async () => {
  const { bulkheads, bulkhead, pass } = createBulkhead();
  const done: string[] = [];
  const actors: (string | undefined)[] = [];
  const run = (keys: readonly string[], actor: string | undefined) => {
    if (keys.includes('item 17')) {
      actors.push(actor);
      return Promise.reject(new Error('poisoned'));
    }
    done.push(...keys);
    return Promise.resolve({ done: keys.length });
  };
  const result = { done: 39, tried: KEYS.length, left: ['item 17'] };
  expect(await bulkhead.together(KEYS, identity, run)).toEqual(result);
  // An item that is paused after a failure is not tried, and remains due.
  expect(await bulkhead.together(KEYS, identity, run)).toEqual({ ...result, tried: 39 });
  done.splice(39);
  expect(done.toSorted()).toEqual(KEYS.filter((key) => key !== 'item 17').toSorted());
  // After three failures the sequencer refuses the same actor, so each attempt has an actor of its own.
  expect(new Set(actors).size).toBe(actors.length);
  expect(bulkheads.failing()).toMatchObject([{ key: 'item 17' }]);
  pass(30_000);
  actors.length = 0;
  expect(await bulkhead.together(KEYS, identity, run)).toEqual(result);
  expect(actors).toEqual(['test work item 17']);
});

it('JOB-691 an error of the whole exchange is thrown and not attributed to an item', async () => {
  const { bulkheads, bulkhead } = createBulkhead();
  const away = () => Promise.reject(new Refused(refusal('maintenance', 'l.maintenance')));
  await expect(bulkhead.each(KEYS, identity, away)).rejects.toThrow('l.maintenance');
  await expect(bulkhead.together(KEYS, identity, away)).rejects.toThrow('l.maintenance');
  expect(bulkheads.failing()).toEqual([]);
});
