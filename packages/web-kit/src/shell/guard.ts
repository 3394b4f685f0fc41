import { addressesOf, ALL_SCREENS, SCREENS } from '@exchange/wire/screens.ts';
import { redirect, replace } from 'react-router';
import { paths } from '../paths.ts';

const VISITOR_ADDRESSES: ReadonlySet<string> = new Set(
  ALL_SCREENS.filter(([, { audience }]) => audience === 'everyone').flatMap(([, screen]) =>
    addressesOf(screen),
  ),
);

/** Whether somebody without a session may open a path (without the site's base); a slash at its end does not matter. */
export function mayVisit(path: string): boolean {
  const bare = path.split(/[?#]/, 1)[0] ?? '';
  return VISITOR_ADDRESSES.has(bare.replace(/\/+$/, '') || '/');
}

/** Where to send a visitor who wanted `path`: to the login, which leads back afterwards. */
export function loginPathFor(path: string): string {
  return path === '' || path === '/' ? paths.login : `${paths.login}?from=${encodeURIComponent(path)}`;
}

/** Where to go after signing in: the wanted path when it is one of ours, else `otherwise`. */
export function pathAfterLogin(from: string | null, otherwise: string): string {
  // Browsers drop control characters and read a backslash as a slash, so neither may stand in a path.
  const isOurs = from !== null && /^\/(?!\/)[^\s\\\p{Cc}]*$/u.test(from);
  return isOurs && !from.startsWith('/login') ? from : otherwise;
}

/** Addresses that only somebody without a session has a use for. */
const FOR_VISITORS: ReadonlySet<string> = new Set([...addressesOf(SCREENS.login), paths.register]);

/**
 * Where to lead somebody who is signed in and opened `path` (with its query): from a login or a registration to where
 * that would have led, else to `otherwise`; undefined for every other page.
 */
export function awayFromLogin(path: string, otherwise: string): string | undefined {
  const [bare = '', query = ''] = path.split('?', 2);
  const trimmed = bare.replace(/\/+$/, '');
  if (!FOR_VISITORS.has(trimmed)) return undefined;
  return pathAfterLogin(new URLSearchParams(query).get('from'), otherwise);
}

/** The address of a screen that leads back to `from` (path and query) once what is done there is done. */
export function pathWithReturn(path: string, from: string): string {
  return `${path}?from=${encodeURIComponent(from)}`;
}

/** Where the query of an address says to lead back to; undefined where it says nothing, or names another site. */
export function returnPathOf(query: URLSearchParams): string | undefined {
  return pathAfterLogin(query.get('from'), '') || undefined;
}

/**
 * The answer of a route's loader that leads `request` to `path` (without the site's base). Where the browser's bar shows
 * the address already (it was typed, reloaded or come back to), its entry in the history is replaced: a second entry
 * would make Back lead to the address again, and from there forward. Elsewhere the address has no entry yet, and the
 * present screen keeps its own.
 */
export function redirectFrom(request: Request, path: string): Response {
  const { pathname, search } = new URL(request.url);
  const isShown = window.location.pathname === pathname && window.location.search === search;
  return isShown ? replace(path) : redirect(path);
}
