import { describe, expect, it } from 'vitest';
import { choicesIn, EVERY_PRODUCT, productsShown, queryOf, shareLeft, viewOf } from './product-view.ts';
import { PRODUCT } from './testing/samples.ts';

const PRODUCTS = [
  { ...PRODUCT, id: 'ended', status: 3 as const },
  { ...PRODUCT, id: 'soon', status: 0 as const, period: 90 },
  { ...PRODUCT, id: 'sold', status: 2 as const, currency: 'BTC', startAmount: '0.1' },
  { ...PRODUCT, id: 'sale' },
  { ...PRODUCT, id: 'dear', startAmount: '100.00000001' },
];
const shown = (view: Partial<typeof EVERY_PRODUCT>, available?: ReadonlyMap<string, string>) =>
  productsShown(PRODUCTS, { ...EVERY_PRODUCT, ...view }, available).map(({ id }) => id);

describe('the products', () => {
  it('FIN-201 stand with what can be bought first', () => {
    expect(shown({})).toEqual(['sale', 'dear', 'soon', 'sold', 'ended']);
  });

  it('FIN-201 are narrowed by coin, by term and to what the balance is enough for', () => {
    expect(shown({ coin: 'BTC' })).toEqual(['sold']);
    expect(shown({ term: '90' })).toEqual(['soon']);
    const available = new Map([['USDT', '100']]);
    expect(shown({ isAffordable: true }, available)).toEqual(['sale', 'soon', 'ended']);
    expect(shown({ isAffordable: true, term: '30' }, available)).toEqual(['sale', 'ended']);
    // Unknown balances exclude no product.
    expect(shown({ isAffordable: true })).toHaveLength(5);
  });

  it('FIN-201 are kept in the address as they are narrowed', () => {
    expect(queryOf(EVERY_PRODUCT).toString()).toBe('');
    const view = { coin: 'BTC', term: '30', isAffordable: true };
    expect(queryOf(view).toString()).toBe('coin=BTC&term=30&affordable=1');
    expect(viewOf(queryOf(view))).toEqual(view);
    expect(viewOf(new URLSearchParams(''))).toEqual(EVERY_PRODUCT);
  });

  it('FIN-201 offer the coins and terms there are, the shortest first', () => {
    expect(choicesIn(PRODUCTS)).toEqual({ coins: ['USDT', 'BTC'], terms: ['30', '90'] });
  });

  it.each([
    ['4000', '5000', 0.8],
    ['0', '5000', 0],
    ['0', '0', 0],
    ['6000', '5000', 1],
  ])('FIN-201 show %s of %s left as %d', (remaining, limit, share) => {
    expect(shareLeft({ remaining, limit })).toBe(share);
  });
});
