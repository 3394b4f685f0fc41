import { Decimal } from '@exchange/core/decimal.ts';
import type { Product } from './shapes.ts';

/** Filters of the product list. An empty coin or term means all. */
export interface ProductView {
  readonly coin: string;
  /** Number of days as text, as in the URL. */
  readonly term: string;
  readonly isAffordable: boolean;
}

export const EVERY_PRODUCT: ProductView = { coin: '', term: '', isAffordable: false };

/** Parses the filters from a URL, for example `?coin=USDT&term=30&affordable=1`. */
export function viewOf(query: URLSearchParams): ProductView {
  return {
    coin: query.get('coin') ?? '',
    term: query.get('term') ?? '',
    isAffordable: query.get('affordable') === '1',
  };
}

/** Query parameters of the filters; inactive filters are left out. */
export function queryOf({ coin, term, isAffordable }: ProductView): URLSearchParams {
  const query = new URLSearchParams();
  if (coin !== '') query.set('coin', coin);
  if (term !== '') query.set('term', term);
  if (isAffordable) query.set('affordable', '1');
  return query;
}

export function hasFilter({ coin, term, isAffordable }: ProductView): boolean {
  return coin !== '' || term !== '' || isAffordable;
}

/** The coins and terms (in days, shortest first) available for filtering. */
export function choicesIn(products: readonly Product[]): { coins: string[]; terms: string[] } {
  const coins = [...new Set(products.map(({ currency }) => currency))];
  const terms = [...new Set(products.map(({ period }) => period))].toSorted((a, b) => a - b);
  return { coins, terms: terms.map(String) };
}

const FIRST_ON_SALE = [1, 0, 2, 3];

/**
 * The filtered products: on sale first, then upcoming, otherwise in the given order. `available` holds the
 * user's balance of each coin; while it is undefined, the affordability filter is skipped.
 */
export function filterProducts(
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
    .toSorted((a, b) => FIRST_ON_SALE.indexOf(a.status) - FIRST_ON_SALE.indexOf(b.status));
}

/** The remaining supply as a fraction from 0 to 1. */
export function shareLeft({ remaining, limit }: Pick<Product, 'remaining' | 'limit'>): number {
  const total = Decimal.parse(limit);
  if (!total.isPositive()) return 0;
  return Math.min(1, Math.max(0, Number(Decimal.parse(remaining).over(total, 'down', 4).toString())));
}
