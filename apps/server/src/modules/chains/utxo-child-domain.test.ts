import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { expect, it } from 'vitest';
import { childFee } from './utxo-child-domain.ts';

const network = UTXO_NETWORKS.get('LTC')!;
const script = `0014${'11'.repeat(20)}`;
/** A transaction of a hundred payments that spends one output, at two units per virtual byte. */
const large = { fee: 6_448n, vbytes: 3_224 };
const feeOf = (change: bigint, rate: bigint, ancestors = large) =>
  childFee({ network, change, rate, ancestors, script });

it.each([
  // 3,334 virtual bytes at 50 units are 166,700, of which the parent has paid 6,448.
  [1_000_000n, 50_000n, 160_252n],
  // What remains has to reach the dust limit of 5,460 units: a smaller fee would not reach the rate.
  [165_712n, 50_000n, 160_252n],
  [165_711n, 50_000n, 'changeSmall'],
  [1_000n, 50_000n, 'changeSmall'],
  // The parent pays 2,000 per 1,000 virtual bytes.
  [1_000_000n, 2_000n, 'paysEnough'],
  [1_000_000n, 2_001n, 224n],
])(
  'UTXO-050 UTXO-052 a child of a large transaction with %i units of change at a rate of %i: %s',
  (change, rate, expected) => {
    expect(feeOf(change, rate)).toBe(expected);
  },
);
