import { describe, expect, it } from 'vitest';
import { feeInPackage, NO_PACKAGE, packageRate, packageWith } from './utxo-package.ts';

describe('a parent and its child', () => {
  const parent = { fee: 344n, vbytes: 172 };

  it('UTXO-050 the fee of a child brings both together to the wanted rate', () => {
    // Parent and child have 282 virtual bytes, which at 50 units per byte cost 14,100 units. The parent has paid 344 of
    // them.
    expect(feeInPackage(50_000n, 110, parent)).toBe(13_756n);
    const both = packageWith(parent, { fee: 13_756n, vbytes: 110 });
    expect([both, packageRate(both)]).toEqual([{ fee: 14_100n, vbytes: 282 }, 50_000n]);
    // The child of this child pays only what its two ancestors have not paid for the slightly higher rate. Its fee is
    // rounded up, so that the rate of all three is reached.
    expect(feeInPackage(50_001n, 110, both)).toBe(5_501n);
    expect(packageRate(packageWith(both, { fee: 5_501n, vbytes: 110 }))).toBe(50_002n);
  });

  it('UTXO-050 without ancestors the fee is that of the transaction, and with ancestors that pay enough it is not positive', () => {
    expect(feeInPackage(50_000n, 110, NO_PACKAGE)).toBe(5_500n);
    expect(feeInPackage(1_000n, 110, parent)).toBe(-62n);
    expect(feeInPackage(1_220n, 110, parent)).toBe(1n);
  });
});
