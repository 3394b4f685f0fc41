import { describe, expect, it } from 'vitest';
import { KNOWN_NETWORKS } from './network-table.ts';
import { transactionId } from './transaction-id.ts';

const DIGITS = '0123456789abcdef'.repeat(4);

describe('transaction IDs', () => {
  it('DEP-025 all spellings of a transaction ID have one canonical form on every network', () => {
    for (const network of KNOWN_NETWORKS) {
      const name = network.addressKind === 'evm' ? `0x${DIGITS}` : DIGITS;
      for (const prefix of ['', '0x', '0X'])
        for (const digits of [DIGITS, DIGITS.toUpperCase()])
          expect(transactionId(network, ` ${prefix}${digits}\n`)).toBe(name);
    }
  });

  it('DEP-025 text that is not a transaction ID is rejected', () => {
    const [network] = KNOWN_NETWORKS;
    for (const text of [
      '',
      '0x',
      '0xabc',
      DIGITS.slice(1),
      `${DIGITS}0`,
      DIGITS.replace('f', 'g'),
      `x${DIGITS}`,
    ])
      expect(transactionId(network!, text)).toBeUndefined();
  });
});
