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
  pause: undefined,
});

describe('the status of pairs', () => {
  it('WEB-053 changes as soon as a halt is announced; without a change nothing renders', () => {
    const pairs = [pair('btcusdt'), pair('ethusdt')];
    const after = pairsAfter(pairs, [{ symbol: 'ethusdt', status: 'cancelOnly' }]);
    expect(after.map(({ status }) => status)).toEqual(['open', 'cancelOnly']);
    expect(after[0]).toBe(pairs[0]);
    expect(pairsAfter(after, [{ symbol: 'ethusdt', status: 'cancelOnly' }])).toBe(after);
    expect(pairsAfter(pairs, [{ symbol: 'nonesuch', status: 'closed' }])).toBe(pairs);
    const explained = { symbol: 'ethusdt', status: 'cancelOnly', pause: { cause: 'prices' } } as const;
    const explainedPairs = pairsAfter(after, [explained]);
    expect(explainedPairs[1]?.pause).toEqual({ cause: 'prices' });
    expect(pairsAfter(explainedPairs, [explained])).toBe(explainedPairs);
    expect(pairsAfter(explainedPairs, [{ symbol: 'ethusdt', status: 'open' }])[1]?.pause).toBeUndefined();
  });
});
