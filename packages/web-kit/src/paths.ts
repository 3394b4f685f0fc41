import type { MessagePlace } from '@exchange/core/message-place.ts';
import { addressesOf, ALL_SCREENS, SCREENS, type ScreenName } from '@exchange/wire/screens.ts';

type Paths = { readonly [Name in ScreenName]: (typeof SCREENS)[Name]['path'] };

/** The address of each screen, below a site's base path. Nothing else spells addresses. */
export const paths = Object.fromEntries(ALL_SCREENS.map(([name, { path }]) => [name, path])) as Paths;

/** The pattern of the assets' addresses, one for each account. */
export const ASSETS_PATTERN = SCREENS.assets.pattern;

/** Screens that a site does not draw, each with the screen that takes its place there. */
export type Replaced = Readonly<Partial<Record<ScreenName, ScreenName>>>;

/** Addresses of a site that lead to another address: short forms, and those of screens that another one replaces. */
export function redirectsOf(replaced: Replaced): ReadonlyMap<string, string> {
  return new Map(
    ALL_SCREENS.flatMap(([name, screen]) => {
      const to = paths[replaced[name] ?? name];
      return addressesOf(screen)
        .filter((from) => from !== to)
        .map((from) => [from, to] as const);
    }),
  );
}

/** Where a site's redirects lead from a path (without a query), or the path itself; slashes at its end do not count. */
export function resolvedBy(redirects: ReadonlyMap<string, string>, pathname: string): string {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  return redirects.get(path) ?? path;
}

/** The list of what products paid and took, newest first. */
export const PRODUCT_RECORDS = `${paths.records}?type=3`;

/** The help article about how a result of the seconds contract is verified. */
export const VERIFY_HELP = `${paths.contact}?article=seconds-verify`;

/** The records with the details of one finance or mining order open. */
export function holdingPath(id: string, product: 'finance' | 'mining'): string {
  return `${paths[`${product}Record`]}?order=${encodeURIComponent(id)}`;
}

/** The seconds contract with the details of one settled position open. */
export function secondsResultPath(id: string): string {
  return `${paths.seconds}?order=${encodeURIComponent(id)}`;
}

/** One leveraged fund. */
export function fundPath(id: string): string {
  return `${paths.fundDetail}?id=${encodeURIComponent(id)}`;
}

/** One project of the launchpad; a preview before its sale begins. */
export function projectPath(id: string, isBefore: boolean): string {
  return `${isBefore ? paths.subscribePreview : paths.subscribeDetail}?id=${encodeURIComponent(id)}`;
}

const MESSAGE_SCREENS: Readonly<Partial<Record<MessagePlace, string>>> = {
  start: paths.start,
  security: paths.security,
  verification: paths.verify,
  agreements: paths.about,
  support: paths.contact,
  invitations: paths.invite,
  fund: paths.fundRecord,
  seconds: paths.seconds,
  launchpad: paths.subscribeRecord,
  deposits: paths.deposit,
  withdrawals: paths.withdraw,
  statement: PRODUCT_RECORDS,
};

/**
 * Where a message about `item` at `place` leads; undefined where its text is all there is. `orderPath` is the site's
 * address of one order.
 */
export function placePath(
  place: MessagePlace,
  item: string,
  orderPath: (id: string) => string,
): string | undefined {
  if (place === 'pair') return `${paths.trade}?symbol=${encodeURIComponent(item)}`;
  if (place === 'order') return orderPath(item);
  if (place === 'finance' || place === 'mining') return holdingPath(item, place);
  if (place === 'seconds' && item !== '') return secondsResultPath(item);
  return MESSAGE_SCREENS[place];
}
