import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { paths, redirectsOf, resolveWith, type ReplacedScreens } from '@exchange/web-kit/paths.ts';

/** Screens that only the desktop site has, each with the mobile screen that replaces it. */
export const REPLACED = { desk: 'trade' } as const satisfies ReplacedScreens;

export const REDIRECTS = redirectsOf(REPLACED);

/** The target of a redirected path, or the path itself. */
export function resolveRedirect(pathname: string): string {
  return resolveWith(REDIRECTS, pathname);
}

/** The trading screen of a pair with its chart open. */
export function chartPath(pair: { readonly base: string; readonly quote: string }): string {
  return `${tradePath(pair)}&view=chart`;
}

/** The screen of one coin of the spot account. */
export function coinPath(coin: string): string {
  return `${paths.coin}?coin=${encodeURIComponent(coin)}`;
}

/** Views of the trading screen that show a pair's chart or facts; the trading screen is public. */
export type PairView = 'chart' | 'info';

/** The details of one order. */
export function orderPath(id: string): string {
  return `${paths.order}?id=${encodeURIComponent(id)}`;
}

/** Tabs of the records screen, as named in the URL. */
export const RECORDS_TABS = ['open', 'waiting', 'algo', 'history', 'fills'] as const;
export type RecordsTab = (typeof RECORDS_TABS)[number];

/** URL of the records screen with a list of the orders or fills of all pairs. */
export function recordsPath(tab: RecordsTab): string {
  return `${paths.records}?tab=${tab}`;
}

/** The screen of one message. */
export function messagePath(id: string): string {
  return `${paths.message}?id=${encodeURIComponent(id)}`;
}

/** Path of the licences of bundled software; a file, not a screen. */
export const LICENSES = '/third-party-licenses.md';
