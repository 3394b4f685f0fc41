import type { Sums } from '@exchange/core/proofs.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { inclusion, liabilities } from '@exchange/wire/proofs.ts';
import type { Snapshot } from './domain.ts';
import type { OwnProof } from './service.ts';

export function presentSnapshot(snapshot: Snapshot): DataOf<typeof liabilities>['list'][number] {
  return {
    ...snapshot,
    totals: snapshot.totals.map(({ house, ...total }) => ({ ...total, house: [...house] })),
  };
}

export function presentOwn({ snapshot, leaf }: OwnProof): DataOf<typeof inclusion> {
  if (leaf === undefined) return { snapshot: presentSnapshot(snapshot) };
  return {
    snapshot: presentSnapshot(snapshot),
    leaf: {
      user: leaf.user,
      nonce: leaf.nonce,
      amounts: amountsOf(leaf.amounts),
      leaves: leaf.leaves.map(({ part, place, sums, path }) => ({
        part,
        place,
        amounts: amountsOf(sums),
        path: path.map((node) => ({ hash: node.hash, amounts: amountsOf(node.sums) })),
      })),
    },
  };
}

function amountsOf(sums: Sums) {
  return [...sums].map(([currency, amount]) => ({ currency, amount: amount.toString() }));
}
