import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { paths, redirectsOf, resolveWith, type ReplacedScreens } from '@exchange/web-kit/paths.ts';

/**
 * Names of screens that only the desktop site has, each with the name of the mobile screen to which its path
 * redirects.
 */
export const REPLACED = { desk: 'trade' } as const satisfies ReplacedScreens;

export const REDIRECTS = redirectsOf(REPLACED);

/**
 * Returns the path of the mobile screen that a desktop-only path redirects to; any other path is returned
 * unchanged.
 */
export function resolveRedirect(pathname: string): string {
  return resolveWith(REDIRECTS, pathname);
}

/** Returns the URL path of the trading screen of a pair, opened with its chart. */
export function chartPath(pair: { readonly base: string; readonly quote: string }): string {
  return `${tradePath(pair)}&view=chart`;
}

/** Returns the URL path of the screen of one coin of the spot account. */
export function coinPath(coin: string): string {
  return `${paths.coin}?coin=${encodeURIComponent(coin)}`;
}

/**
 * Views of the trading screen in place of the ticket: the pair's chart, or information about the pair. Visitors may
 * open them, because the trading screen is public.
 */
export type PairView = 'chart' | 'info';

/** Returns the URL path of the screen with the details of one order. */
export function orderPath(id: string): string {
  return `${paths.order}?id=${encodeURIComponent(id)}`;
}

/**
 * Tabs with lists of orders or fills, by their names in the URL: on the records screen, and below the ticket
 * on the trading screen.
 */
export const RECORDS_TABS = ['open', 'waiting', 'algo', 'history', 'fills'] as const;
export type RecordsTab = (typeof RECORDS_TABS)[number];

/**
 * URL of the records screen with a list of the user's orders or fills of all pairs; `tab` selects the list.
 */
export function recordsPath(tab: RecordsTab): string {
  return `${paths.records}?tab=${tab}`;
}

/** Returns the URL path of the screen with one message of the inbox. */
export function messagePath(id: string): string {
  return `${paths.message}?id=${encodeURIComponent(id)}`;
}

/** URL path of the text file with the licences of bundled software. */
export const LICENSES = '/third-party-licenses.md';
