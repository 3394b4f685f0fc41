import { Decimal } from '@exchange/core/decimal.ts';
import type { Product } from './shapes.ts';

/** Which products are listed. The empty coin and term are all of them. */
export interface ProductView {
  readonly coin: string;
  /** Days as text, as the address has them. */
  readonly term: string;
  readonly isAffordable: boolean;
}

export const EVERY_PRODUCT: ProductView = { coin: '', term: '', isAffordable: false };

/** The view that an address names: `?coin=USDT&term=30&affordable=1`. */
export function viewOf(query: URLSearchParams): ProductView {
  return {
    coin: query.get('coin') ?? '',
    term: query.get('term') ?? '',
    isAffordable: query.get('affordable') === '1',
  };
}

/** The address's query of a view; what does not narrow is left out. */
export function queryOf({ coin, term, isAffordable }: ProductView): URLSearchParams {
  const query = new URLSearchParams();
  if (coin !== '') query.set('coin', coin);
  if (term !== '') query.set('term', term);
  if (isAffordable) query.set('affordable', '1');
  return query;
}

export function isNarrowed({ coin, term, isAffordable }: ProductView): boolean {
  return coin !== '' || term !== '' || isAffordable;
}

/** The coins and terms (in days, shortest first) that a choice can be made from. */
export function choicesIn(products: readonly Product[]): { coins: string[]; terms: string[] } {
  const coins = [...new Set(products.map(({ currency }) => currency))];
  const terms = [...new Set(products.map(({ period }) => period))].toSorted((one, other) => one - other);
  return { coins, terms: terms.map(String) };
}

const FIRST_ON_SALE = [1, 0, 2, 3];

/**
 * The products of a view: those on sale first, then those to come, else in the order given. `available` is what the
 * person has of each coin; undefined until it is known, and nothing is then left out for want of it.
 */
export function productsShown(
  products: readonly Product[],
  { coin, term, isAffordable }: ProductView,
  available: ReadonlyMap<string, string> | undefined,
): readonly Product[] {
  const canAfford = (product: Product): boolean =>
    available === undefined ||
    !Decimal.parse(available.get(product.currency) ?? '0').isLess(Decimal.parse(product.startAmount));
  return products
    .filter((product) => coin === '' || product.currency === coin)
    .filter((product) => term === '' || String(product.period) === term)
    .filter((product) => !isAffordable || canAfford(product))
    .toSorted((one, other) => FIRST_ON_SALE.indexOf(one.status) - FIRST_ON_SALE.indexOf(other.status));
}

/** What is left of all there was, from 0 to 1. */
export function shareLeft({ remaining, limit }: Pick<Product, 'remaining' | 'limit'>): number {
  const all = Decimal.parse(limit);
  if (!all.isPositive()) return 0;
  return Math.min(1, Math.max(0, Number(Decimal.parse(remaining).over(all, 'down', 4).toString())));
}
