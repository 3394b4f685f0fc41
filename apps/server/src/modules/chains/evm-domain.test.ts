import { expect, it } from 'vitest';
import { boundedFees, raisedFees } from './evm-domain.ts';

const GWEI = 1_000_000_000n;
const fees = (maxFee: bigint, tip: bigint) => ({ maxFee: maxFee * GWEI, tip: tip * GWEI });

it('WDR-1165 replacing fees are a tenth higher at least, follow the network, and never exceed their bound', () => {
  for (const earlier of [fees(4n, 1n), fees(80n, 80n), { maxFee: 1n, tip: 0n }, { maxFee: 7n, tip: 7n }]) {
    const raised = raisedFees(earlier, fees(0n, 0n));
    expect(10n * raised.maxFee).toBeGreaterThanOrEqual(11n * earlier.maxFee);
    expect(10n * raised.tip).toBeGreaterThanOrEqual(11n * earlier.tip);
    expect(raised.tip).toBeLessThanOrEqual(raised.maxFee);
  }
  expect(raisedFees(fees(4n, 1n), fees(90n, 2n))).toEqual(fees(90n, 2n));
  expect(boundedFees(fees(4n, 1n), fees(200n, 150n), 100n * GWEI)).toEqual(fees(100n, 100n));
  expect(boundedFees(fees(91n, 1n), fees(0n, 0n), 100n * GWEI)).toBeUndefined();
});
