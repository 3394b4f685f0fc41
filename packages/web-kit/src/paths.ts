import type { Locale } from '@exchange/core/locale.ts';
import type { MessagePlace } from '@exchange/core/message-place.ts';
import { addressesOf, ALL_SCREENS, PRODUCTS, SCREENS, type ScreenName } from '@exchange/wire/screens.ts';

type Paths = { readonly [Name in ScreenName]: (typeof SCREENS)[Name]['path'] };

/**
 * The path of each screen, relative to the base path of a site, from the list of screens in `@exchange/wire`.
 */
export const paths = Object.fromEntries(ALL_SCREENS.map(([name, { path }]) => [name, path])) as Paths;

/**
 * The path pattern of the assets screen; its parameter `account` is the number of the displayed tab (see
 * `accountTabOf`).
 */
export const ASSETS_PATTERN = SCREENS.assets.pattern;

/** Screens that one of the two apps lacks, each with the screen to which that app redirects. */
export type ReplacedScreens = Readonly<Partial<Record<ScreenName, ScreenName>>>;

/**
 * Returns the redirects of a site, from path to path: from short forms, and from screens that the site lacks.
 */
export function redirectsOf(replaced: ReplacedScreens): ReadonlyMap<string, string> {
  return new Map(
    ALL_SCREENS.flatMap(([name, screen]) => {
      const to = paths[replaced[name] ?? name];
      return addressesOf(screen)
        .filter((source) => source !== to)
        .map((source) => [source, to] as const);
    }),
  );
}

/**
 * Returns the path to which a site redirects `pathname` (a path without query). If the site does not redirect
 * it, returns `pathname` without its trailing slashes.
 */
export function resolveWith(redirects: ReadonlyMap<string, string>, pathname: string): string {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  return redirects.get(path) ?? path;
}

/**
 * Path of the list of ledger entries of fixed-term products, mining, leveraged funds and token sales, newest
 * first.
 */
export const PRODUCT_RECORDS = `${paths.records}?type=3`;

/** URL of the help article that explains how to verify a result of the seconds contract. */
export const VERIFY_HELP = `${paths.contact}?article=seconds-verify`;

/**
 * Returns the URL of the public status page in the given language. The URL contains the language, because the
 * server renders this page outside of both sites and cannot read the language that the user has chosen in
 * them.
 */
export function statusPagePath(locale: Locale): string {
  return `/status?lang=${locale}`;
}

/** URL of the help article on API keys and on connecting a program. */
export const API_KEYS_HELP = `${paths.contact}?article=api-keys`;

/** Returns the URL of the order list of finance or mining, with the details of one order open. */
export function holdingPath(id: string, product: 'finance' | 'mining'): string {
  return `${paths[`${product}Record`]}?order=${encodeURIComponent(id)}`;
}

/** Returns the URL of the seconds contract's screen, with the details of one settled position open. */
export function secondsResultPath(id: string): string {
  return `${paths.seconds}?order=${encodeURIComponent(id)}`;
}

/** Returns the URL of the screen of one leveraged fund. */
export function fundPath(id: string): string {
  return `${paths.fundDetail}?id=${encodeURIComponent(id)}`;
}

/**
 * Returns the path of the screen of a launchpad project; `isBefore` is true before the sale begins, when that
 * screen is a preview.
 */
export function projectPath(id: string, isBefore: boolean): string {
  return `${isBefore ? paths.subscribePreview : paths.subscribeDetail}?id=${encodeURIComponent(id)}`;
}

const MESSAGE_SCREENS: Readonly<Partial<Record<MessagePlace, string>>> = {
  start: paths.start,
  security: paths.security,
  apiKeys: paths.apiKeys,
  verification: paths.verify,
  agreements: paths.about,
  support: paths.contact,
  invitations: paths.invite,
  seconds: paths.seconds,
  launchpad: paths.subscribeRecord,
  deposits: paths.deposit,
  withdrawals: paths.withdraw,
  recurring: paths.recurring,
  statement: PRODUCT_RECORDS,
  assets: paths.assets,
};

/**
 * Returns the path that an inbox message links to; undefined for a message without a link. `item` is the ID
 * or the pair that the message is about, or an empty text. `orderPath` returns the path of an order in this
 * app.
 */
export function messageLinkPath(
  place: MessagePlace,
  item: string,
  orderPath: (id: string) => string,
): string | undefined {
  if (place === 'pair') return `${paths.trade}?symbol=${encodeURIComponent(item)}`;
  if (place === 'order') return orderPath(item);
  if (place === 'finance' || place === 'mining') return holdingPath(item, place);
  if (place === 'seconds' && item !== '') return secondsResultPath(item);
  return MESSAGE_SCREENS[place] ?? PRODUCTS.find(({ account }) => account === place)?.holdings;
}
