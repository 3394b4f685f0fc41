import { Decimal } from '@exchange/core/decimal.ts';
import type { Product } from './shapes.ts';

/**
 * Filters of the earn product list. An empty coin matches every coin, an empty term every term. `isAffordable` leaves
 * out products whose minimum amount exceeds the user's available balance.
 */
export interface ProductView {
  readonly coin: string;
  /** Term in days as text, as in the URL; empty if products of every term are listed. */
  readonly term: string;
  readonly isAffordable: boolean;
}

export const EVERY_PRODUCT: ProductView = { coin: '', term: '', isAffordable: false };

/** Parses the filters of the earn product list from a URL, for example `?coin=USDT&term=30&affordable=1`. */
export function viewOf(query: URLSearchParams): ProductView {
  return {
    coin: query.get('coin') ?? '',
    term: query.get('term') ?? '',
    isAffordable: query.get('affordable') === '1',
  };
}

/** Returns the query parameters of the earn product list in the URL; filters that are not set are omitted. */
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

/** The coins and terms (in days, shortest first) by which earn products can be filtered. */
export function choicesIn(products: readonly Product[]): { coins: string[]; terms: string[] } {
  const coins = [...new Set(products.map(({ currency }) => currency))];
  const terms = [...new Set(products.map(({ period }) => period))].toSorted((a, b) => a - b);
  return { coins, terms: terms.map(String) };
}

const FIRST_ON_SALE = [1, 0, 2, 3];

/**
 * The earn products that pass the filters, sorted by sale status: on sale, upcoming, sold out, ended; products of the
 * same status keep their sequence. `available` is the user's available balance by coin; while it is undefined,
 * `isAffordable` leaves out nothing.
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

/** The remaining supply of an earn product as a fraction from 0 to 1. */
export function shareLeft({ remaining, limit }: Pick<Product, 'remaining' | 'limit'>): number {
  const total = Decimal.parse(limit);
  if (!total.isPositive()) return 0;
  return Math.min(1, Math.max(0, Number(Decimal.parse(remaining).over(total, 'down', 4).toString())));
}
