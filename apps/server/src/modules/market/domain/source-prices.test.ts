import { Decimal } from '@exchange/core/decimal.ts';
import { composeIndex } from '@exchange/core/index-price.ts';
import { instant } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { sourcePrices } from './source-prices.ts';

const AT = instant(1_700_000_000_000);
const quote = (id: string, price: string, ageMs: number) => ({
  id,
  price: Decimal.parse(price),
  at: instant(AT - ageMs),
});

it('OPS-1184 a price of a source counts, is far, stale, silent or off, with its age and distance from the index', () => {
  const point = composeIndex(
    AT,
    [quote('a', '100', 0), quote('b', '100', 500), quote('c', '103', 1_000), quote('d', '99', 3_001)],
    2,
  );
  const sources = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, isOn: id !== 'f' }));
  const rows = sourcePrices('btcusdt', point, sources).map(({ source, state, ageMs, deviation }) => [
    source,
    state,
    ageMs,
    deviation?.toString(),
  ]);
  expect(rows).toEqual([
    ['a', 'counts', 0, '0'],
    ['b', 'counts', 500, '0'],
    ['c', 'far', 1_000, '0.03'],
    ['d', 'stale', 3_001, '-0.01'],
    ['e', 'silent', undefined, undefined],
    ['f', 'off', undefined, undefined],
  ]);
});

it('OPS-1184 without an index every source is silent or off, and without a price there is no distance', () => {
  const sources = [{ id: 'a', isOn: true }];
  expect(sourcePrices('btcusdt', undefined, sources)).toEqual([
    expect.objectContaining({ state: 'silent', price: undefined, index: undefined }),
  ]);
  const lonely = composeIndex(AT, [quote('a', '100', 0)], 2);
  expect(sourcePrices('btcusdt', lonely, sources)).toEqual([
    expect.objectContaining({ state: 'counts', index: undefined, deviation: undefined }),
  ]);
});
