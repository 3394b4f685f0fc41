import { describe, expect, it } from 'vitest';
import { choicesIn, EVERY_PRODUCT, filterProducts, queryOf, shareLeft, viewOf } from './product-view.ts';
import { PRODUCT } from './testing/samples.ts';

const PRODUCTS = [
  { ...PRODUCT, id: 'ended', status: 3 as const },
  { ...PRODUCT, id: 'soon', status: 0 as const, period: 90 },
  { ...PRODUCT, id: 'sold', status: 2 as const, currency: 'BTC', startAmount: '0.1' },
  { ...PRODUCT, id: 'sale' },
  { ...PRODUCT, id: 'dear', startAmount: '100.00000001' },
];
const shownIds = (view: Partial<typeof EVERY_PRODUCT>, available?: ReadonlyMap<string, string>) =>
  filterProducts(PRODUCTS, { ...EVERY_PRODUCT, ...view }, available).map(({ id }) => id);

describe('the products', () => {
  it('FIN-201 lists products on sale first', () => {
    expect(shownIds({})).toEqual(['sale', 'dear', 'soon', 'sold', 'ended']);
  });

  it('FIN-201 filters by coin, by term and by available balance', () => {
    expect(shownIds({ coin: 'BTC' })).toEqual(['sold']);
    expect(shownIds({ term: '90' })).toEqual(['soon']);
    const available = new Map([['USDT', '100']]);
    expect(shownIds({ isAffordable: true }, available)).toEqual(['sale', 'soon', 'ended']);
    expect(shownIds({ isAffordable: true, term: '30' }, available)).toEqual(['sale', 'ended']);
    // Products are not filtered by affordability while the balances are unknown.
    expect(shownIds({ isAffordable: true })).toHaveLength(5);
  });

  it('FIN-201 keeps the filters in the URL', () => {
    expect(queryOf(EVERY_PRODUCT).toString()).toBe('');
    const view = { coin: 'BTC', term: '30', isAffordable: true };
    expect(queryOf(view).toString()).toBe('coin=BTC&term=30&affordable=1');
    expect(viewOf(queryOf(view))).toEqual(view);
    expect(viewOf(new URLSearchParams(''))).toEqual(EVERY_PRODUCT);
  });

  it('FIN-201 offers the available coins and terms, shortest first', () => {
    expect(choicesIn(PRODUCTS)).toEqual({ coins: ['USDT', 'BTC'], terms: ['30', '90'] });
  });

  it.each([
    ['4000', '5000', 0.8],
    ['0', '5000', 0],
    ['0', '0', 0],
    ['6000', '5000', 1],
  ])('FIN-201 compute the share of %s of %s remaining as %d', (remaining, limit, share) => {
    expect(shareLeft({ remaining, limit })).toBe(share);
  });
});
