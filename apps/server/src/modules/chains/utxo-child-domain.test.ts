import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { expect, it } from 'vitest';
import { childFee } from './utxo-child-domain.ts';

const network = UTXO_NETWORKS.get('LTC')!;
const script = `0014${'11'.repeat(20)}`;
/** A transaction with one input and a hundred payments that pays a fee of two units per virtual byte. */
const large = { fee: 6_448n, vbytes: 3_224 };
const feeOf = (change: bigint, rate: bigint, ancestors = large) =>
  childFee({ network, change, rate, ancestors, script });

it.each([
  // Parent and child have 3,334 virtual bytes; at 50 units per byte they pay 166,700 units, of which the parent has
  // paid 6,448.
  [1_000_000n, 50_000n, 160_252n],
  // The change minus the child's fee must be at least the dust limit of 5,460 units. A smaller fee would not reach the
  // rate, so one unit less of change means no child.
  [165_712n, 50_000n, 160_252n],
  [165_711n, 50_000n, 'changeSmall'],
  [1_000n, 50_000n, 'changeSmall'],
  // The parent alone pays 2,000 units per 1,000 virtual bytes, so it needs a child only for a higher rate.
  [1_000_000n, 2_000n, 'paysEnough'],
  [1_000_000n, 2_001n, 224n],
])(
  'UTXO-050 UTXO-052 a child of a large transaction with %i units of change at a rate of %i: %s',
  (change, rate, expected) => {
    expect(feeOf(change, rate)).toBe(expected);
  },
);
