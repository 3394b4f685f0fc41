import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import {
  checkLeaves,
  leafNode,
  LEAVES_PER_USER,
  levelsOf,
  paddingNode,
  portableDigest,
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
  proofFor,
  sums,
  type ForgedProof,
} from './testing/forged-proofs.ts';

const allPassed = (checks: object) => Object.values(checks).every(Boolean);

describe('proof of liabilities', () => {
  it('POL-003 the tree equals a naive reference, and its root sums equal all balances', () => {
    fc.assert(
      fc.property(people, (all) => {
        const leaves = all.flatMap(leavesOf).toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
        const storedNodes = new Map<string, SumNode>();
        const builder = new TreeBuilder(DAY, digest, (level, place, node) =>
          storedNodes.set(`${level} ${place}`, node),
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
        expect(Object.fromEntries([...storedNodes].map(([key, { hash }]) => [key, hash]))).toEqual(
          Object.fromEntries(inner),
        );
        expect(levelsOf(leaves.length)).toHaveLength(levels.length);
      }),
    );
  });

  it('POL-003 without users the root is padding, and leaves must be ordered and unique', () => {
    expect(new TreeBuilder(DAY, digest).root()).toEqual(paddingNode(DAY, 0, digest));
    const builder = new TreeBuilder(DAY, digest);
    const leaf = leafNode(DAY, 'a', 0, new Map(), digest);
    builder.add(leaf);
    expect(builder.root()).toEqual(leaf);
    expect(() => builder.add(leaf)).toThrow('once');
  });

  it('POL-004 shares add up to the amount and are not negative', () => {
    fc.assert(
      fc.property(sums, fc.string(), (amounts, nonce) => {
        const parts = shares(amounts, nonce, digest);
        expect(parts).toHaveLength(LEAVES_PER_USER);
        expect(sumsText(sumOf(...parts))).toBe(sumsText(amounts));
      }),
    );
  });

  it('POL-005 all users’ leaves pass the checks', () => {
    fc.assert(
      fc.property(people, (all) => {
        for (const person of all) {
          const { published, own } = proofFor(all, person);
          expect(checkLeaves(published, own, digest)).toEqual({ amounts: true, path: true, totals: true });
        }
      }),
    );
  });

  it('POL-005 a changed amount, a missing user, a negative amount, a swapped neighbour and hidden sums fail a check', () => {
    fc.assert(
      fc.property(people, fc.nat(), fc.nat(), (all, userSeed, leafSeed) => {
        const user = all[userSeed % all.length]!;
        const { published, own } = proofFor(all, user);
        for (const [name, applyChange] of Object.entries(CHANGES)) {
          const forged = structuredClone({ published, own }) as unknown as ForgedProof;
          const leaf = forged.own.leaves[leafSeed % LEAVES_PER_USER]!;
          applyChange(forged, leaf, leaf.path[leafSeed % leaf.path.length]!);
          expect(allPassed(checkLeaves(forged.published, forged.own, digest)), name).toBe(false);
        }
        const others = all.filter((person) => person !== user);
        if (others.length === 0) return;
        // The tree does not contain this user, so there is no path with which the user's leaves lead to its root.
        const { published: publishedWithout } = proofFor(others, others[0]!);
        expect(checkLeaves(publishedWithout, own, digest).path).toBe(false);
      }),
    );
  });

  it('POL-003 the text form of sums is unique, and negative amounts have none', () => {
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

  it('POL-005 the portable digest is SHA-256', () => {
    for (const text of ['', 'leaf|', '比特币'.repeat(99)]) expect(portableDigest(text)).toBe(digest(text));
  });
});
