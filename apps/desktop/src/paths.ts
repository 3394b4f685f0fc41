import { paths, redirectsOf, resolvedBy, type Replaced } from '@exchange/web-kit/paths.ts';

/** The desktop site lies below it. */
export const BASE_PATH = '/pc';

/** Screens that only the mobile site draws, each with the screen that has the same here. */
export const REPLACED = {
  my: 'security',
  coin: 'assets',
  devices: 'security',
  tradePassword: 'security',
  alerts: 'market',
} as const satisfies Replaced;

export const REDIRECTS = redirectsOf(REPLACED);

/** Where a redirect leads from a path, or the path itself. */
export function resolved(pathname: string): string {
  return resolvedBy(REDIRECTS, pathname);
}

/** The records with the orders of all pairs open. */
export const ALL_RECORDS = `${paths.records}?type=4`;

/** The identity verification with its form open. */
export const IDENTITY = `${paths.verify}?type=2`;

/** The records with the details of one order open, as a link to it is copied. */
export function orderPath(id: string): string {
  return `${paths.records}?order=${encodeURIComponent(id)}`;
}

/** The licenses of what the site is made of; a file and no screen. */
export const LICENSES = `${BASE_PATH}/third-party-licenses.md`;
