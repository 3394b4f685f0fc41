import { paths, redirectsOf, resolveWith, type ReplacedScreens } from '@exchange/web-kit/paths.ts';

/** URL path under which the server delivers the desktop site. */
export const BASE_PATH = '/pc';

/**
 * Names of screens that only the mobile site has, each with the name of the desktop screen to which its path
 * redirects.
 */
export const REPLACED = {
  my: 'security',
  coin: 'assets',
  devices: 'security',
  tradePassword: 'security',
  alerts: 'market',
} as const satisfies ReplacedScreens;

export const REDIRECTS = redirectsOf(REPLACED);

/**
 * Returns the path of the desktop screen that a mobile-only path redirects to; any other path is returned
 * unchanged.
 */
export function resolveRedirect(pathname: string): string {
  return resolveWith(REDIRECTS, pathname);
}

/** URL of the records screen with the whole account history. */
export const ALL_RECORDS = `${paths.records}?type=4`;

/**
 * URL of the identity verification screen; it contains the parameter `type`, which that screen does not
 * evaluate.
 */
export const IDENTITY = `${paths.verify}?type=2`;

/** Returns the URL of the records screen with the details of one order open. */
export function orderPath(id: string): string {
  return `${paths.records}?order=${encodeURIComponent(id)}`;
}

/** Path of the text file with the licences of bundled software. */
export const LICENSES = `${BASE_PATH}/third-party-licenses.md`;
