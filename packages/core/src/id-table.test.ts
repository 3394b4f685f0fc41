import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdTable } from './id-table.ts';

interface Item {
  readonly id: string;
  readonly index: number;
}

describe('a table of items by id', () => {
  it('behaves like a Map for any sequence of insertions and removals', () => {
    // The test generates only a few distinct ids, so that ids repeat. Some are short, and some have the same ending.
    const id = fc.oneof(
      fc.integer({ min: 0, max: 400 }).map((number) => `order-${number}`),
      fc.integer({ min: 0, max: 9 }).map((number) => `${number}-with-the-same-end`),
      fc.constantFrom('', 'a', 'ab'),
    );
    const command = fc.record({ id, kind: fc.constantFrom('set', 'set', 'set', 'delete', 'get') });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 1_500 }), (commands) => {
        const table = new IdTable<Item>();
        const map = new Map<string, Item>();
        for (const [index, { id: key, kind }] of commands.entries()) {
          if (kind === 'set') {
            const item = { id: key, index };
            table.set(item);
            map.set(key, item);
          }
          const removed = kind === 'delete' ? [table.delete(key), map.delete(key)] : [true, true];
          expect(removed[0]).toBe(removed[1]);
          expect(table.get(key)).toBe(map.get(key));
          expect(table.size).toBe(map.size);
        }
        for (const [key, item] of map) expect(table.get(key)).toBe(item);
        expect(new Set(table)).toEqual(new Set(map.values()));
        expect(table.shardSizes().reduce((sum, size) => sum + size, 0)).toBe(map.size);
      }),
      { numRuns: 60 },
    );
  });

  it('spreads ids that differ only at their end evenly, and clears all shards', () => {
    const table = new IdTable<Item>();
    for (let index = 0; index < 64_000; index += 1) {
      const digits = ((index * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0');
      table.set({ id: `0199f3c2-7b1a-7c3d-8e2f-0000${digits}`, index });
    }
    expect(table.size).toBe(64_000);
    expect(Math.max(...table.shardSizes())).toBeLessThan(1_300);
    table.clear();
    expect(table.size).toBe(0);
    expect([...table]).toEqual([]);
  });
});
