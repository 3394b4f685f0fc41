import { Decimal } from '@exchange/core/decimal.ts';
import { describe, expect, it } from 'vitest';
import { PAIR } from '../spot/testing/fixtures.ts';
import { pairsAfter } from './pair-updates.ts';
import type { MarketPair } from './pair.ts';

const pair = (symbol: string): MarketPair => ({
  ...PAIR,
  symbol,
  tickSize: Decimal.parse('0.01'),
  stepSize: Decimal.parse('0.00001'),
  source: 'own',
});

describe('the status of pairs', () => {
  it('WEB-053 changes as soon as a halt is announced; without a change nothing renders', () => {
    const pairs = [pair('btcusdt'), pair('ethusdt')];
    const after = pairsAfter(pairs, [{ symbol: 'ethusdt', status: 'cancelOnly' }]);
    expect(after.map(({ status }) => status)).toEqual(['open', 'cancelOnly']);
    expect(after[0]).toBe(pairs[0]);
    expect(pairsAfter(after, [{ symbol: 'ethusdt', status: 'cancelOnly' }])).toBe(after);
    expect(pairsAfter(pairs, [{ symbol: 'nonesuch', status: 'closed' }])).toBe(pairs);
  });
});
