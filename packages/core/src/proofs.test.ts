import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import {
  checkLeaves,
  leafNode,
  LEAVES_PER_USER,
  levelsOf,
  paddingNode,
  plainDigest,
  shares,
  sumOf,
  sumsOf,
  sumsText,
  TreeBuilder,
  type SumNode,
} from './proofs.ts';
import {
  CHANGES,
  DAY,
  digest,
  leavesOf,
  naiveLevels,
  people,
  proved,
  sums,
  type Said,
} from './testing/told-proofs.ts';

const holds = (found: object) => Object.values(found).every(Boolean);

describe('proof of liabilities', () => {
  it('POL-003 the tree is that of a naive reference, its root sums are everything that is owed', () => {
    fc.assert(
      fc.property(people, (all) => {
        const leaves = all.flatMap(leavesOf).toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
        const kept = new Map<string, SumNode>();
        const builder = new TreeBuilder(DAY, digest, (level, place, node) =>
          kept.set(`${level} ${place}`, node),
        );
        for (const leaf of leaves) builder.add(leaf);
        const levels = naiveLevels(leaves);
        expect(builder.root().hash).toBe(levels.at(-1)![0]!.hash);
        expect(sumsText(builder.root().sums)).toBe(sumsText(sumOf(...all.map(({ amounts }) => amounts))));
        const inner = levels
          .slice(1)
          .flatMap((level, at) =>
            level
              .filter(({ hash }) => hash !== paddingNode(DAY, at + 1, digest).hash)
              .map((node, place) => [`${at + 1} ${place}`, node.hash]),
          );
        expect(Object.fromEntries([...kept].map(([key, { hash }]) => [key, hash]))).toEqual(
          Object.fromEntries(inner),
        );
        expect(levelsOf(leaves.length)).toHaveLength(levels.length);
      }),
    );
  });

  it('POL-003 of nobody the root is padding, and leaves come once and in order', () => {
    expect(new TreeBuilder(DAY, digest).root()).toEqual(paddingNode(DAY, 0, digest));
    const builder = new TreeBuilder(DAY, digest);
    const leaf = leafNode(DAY, 'a', 0, new Map(), digest);
    builder.add(leaf);
    expect(builder.root()).toEqual(leaf);
    expect(() => builder.add(leaf)).toThrow('once');
  });

  it('POL-004 shares add up to the amount, and none is negative', () => {
    fc.assert(
      fc.property(sums, fc.string(), (amounts, nonce) => {
        const parts = shares(amounts, nonce, digest);
        expect(parts).toHaveLength(LEAVES_PER_USER);
        expect(sumsText(sumOf(...parts))).toBe(sumsText(amounts));
      }),
    );
  });

  it('POL-005 everybody’s own leaves hold', () => {
    fc.assert(
      fc.property(people, (all) => {
        for (const one of all) {
          const { published, own } = proved(all, one);
          expect(checkLeaves(published, own, digest)).toEqual({ amounts: true, path: true, totals: true });
        }
      }),
    );
  });

  it('POL-005 a changed amount, a dropped user, a negative amount, a swapped neighbour and hidden sums are found', () => {
    fc.assert(
      fc.property(people, fc.nat(), fc.nat(), (all, drawn, where) => {
        const mine = all[drawn % all.length]!;
        const { published, own } = proved(all, mine);
        for (const [name, broken] of Object.entries(CHANGES)) {
          const said = structuredClone({ published, own }) as unknown as Said;
          const leaf = said.own.leaves[where % LEAVES_PER_USER]!;
          broken(said, leaf, leaf.path[where % leaf.path.length]!);
          expect(holds(checkLeaves(said.published, said.own, digest)), name).toBe(false);
        }
        const others = all.filter((one) => one !== mine);
        if (others.length === 0) return;
        // Whoever was left out of a root does not find their way to it.
        const { published: without } = proved(others, others[0]!);
        expect(checkLeaves(without, own, digest).path).toBe(false);
      }),
    );
  });

  it('POL-003 a text of sums has one form, and nothing negative has any', () => {
    fc.assert(
      fc.property(sums, (amounts) => {
        expect(sumsText(sumsOf(sumsText(amounts))!)).toBe(sumsText(amounts));
      }),
    );
    expect(sumsOf('')!.size).toBe(0);
    for (const text of ['BTC:0', 'BTC:-1', 'BTC:1.0', 'ETH:1,BTC:1', 'BTC:1,BTC:1', 'btc:1', 'BTC', ','])
      expect(sumsOf(text), text).toBeUndefined();
    expect(() => sumsText(new Map([['BTC', Decimal.parse('-1')]]))).toThrow('nobody');
    expect(() => sumsText(new Map([['limit:x', Decimal.one]]))).toThrow('nobody');
  });

  it('POL-005 the digest that every device has is SHA-256', () => {
    for (const text of ['', 'leaf|', '比特币'.repeat(99)]) expect(plainDigest(text)).toBe(digest(text));
  });
});
