import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { paths, redirectsOf, resolvedBy } from '@exchange/web-kit/paths.ts';

export const REDIRECTS = redirectsOf({});

/** Where a redirect leads from a path, or the path itself. */
export function resolved(pathname: string): string {
  return resolvedBy(REDIRECTS, pathname);
}

/** The chart of a pair, on its trading screen. */
export function chartPath(pair: { readonly base: string; readonly quote: string }): string {
  return `${tradePath(pair)}&view=chart`;
}

/** Everything about one coin that somebody has. */
export function coinPath(coin: string): string {
  return `${paths.coin}?coin=${encodeURIComponent(coin)}`;
}

/** A pair's chart or information, on the trading screen so that visitors may see it. */
export type PairView = 'chart' | 'info';

/** One order with its fills. */
export function orderPath(id: string): string {
  return `${paths.order}?id=${encodeURIComponent(id)}`;
}

/** Which of the lists of orders is shown. */
export const RECORDS_TABS = ['open', 'waiting', 'history', 'fills'] as const;
export type RecordsTab = (typeof RECORDS_TABS)[number];

/** The orders of all pairs. */
export function recordsPath(tab: RecordsTab): string {
  return `${paths.records}?tab=${tab}`;
}

/** One message. */
export function messagePath(id: string): string {
  return `${paths.message}?id=${encodeURIComponent(id)}`;
}

/** The licenses of what the site is made of; a file and no screen. */
export const LICENSES = '/third-party-licenses.md';
