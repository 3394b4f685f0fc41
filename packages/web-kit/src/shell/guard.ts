import { addressesOf, ALL_SCREENS, SCREENS } from '@exchange/wire/screens.ts';
import { redirect, replace } from 'react-router';
import { paths } from '../paths.ts';

const VISITOR_ADDRESSES: ReadonlySet<string> = new Set(
  ALL_SCREENS.filter(([, { audience }]) => audience === 'everyone').flatMap(([, screen]) =>
    addressesOf(screen),
  ),
);

/**
 * Returns true when visitors may open `path`, which is given without the site's base; query, anchor and
 * trailing slashes are ignored.
 */
export function isPublicPath(path: string): boolean {
  const bare = path.split(/[?#]/, 1)[0] ?? '';
  return VISITOR_ADDRESSES.has(bare.replace(/\/+$/, '') || '/');
}

/** Returns the path of the login page that opens `path` after the login. */
export function loginPathFor(path: string): string {
  return path === '' || path === '/' ? paths.login : `${paths.login}?from=${encodeURIComponent(path)}`;
}

/**
 * Returns the path to open after the login: `from`, if it begins with exactly one slash, contains no white
 * space, backslash or control character, and does not begin with `/login`; in all other cases `otherwise`.
 */
export function pathAfterLogin(from: string | null, otherwise: string): string {
  // Browsers remove control characters from a URL and treat a backslash as a slash, so a path with any of them is
  // rejected.
  const isOurs = from !== null && /^\/(?!\/)[^\s\\\p{Cc}]*$/u.test(from);
  return isOurs && !from.startsWith('/login') ? from : otherwise;
}

/** Paths of screens that only visitors need: login and registration. */
const FOR_VISITORS: ReadonlySet<string> = new Set([...addressesOf(SCREENS.login), paths.register]);

/**
 * Returns the path to which a signed-in user is redirected from `path` (with query). If `path` is a login or
 * registration screen: its return path, or `otherwise` if it has none. Undefined for all other screens.
 */
export function redirectFromLogin(path: string, otherwise: string): string | undefined {
  const [bare = '', query = ''] = path.split('?', 2);
  const trimmed = bare.replace(/\/+$/, '');
  if (!FOR_VISITORS.has(trimmed)) return undefined;
  return pathAfterLogin(new URLSearchParams(query).get('from'), otherwise);
}

/**
 * Returns the path of a screen from which the user returns to `from` (path and query) when the task on the
 * screen is complete.
 */
export function pathWithReturn(path: string, from: string): string {
  return `${path}?from=${encodeURIComponent(from)}`;
}

/**
 * Returns the return path in the query of a URL; undefined when it is missing, or unsafe according to
 * `pathAfterLogin`.
 */
export function returnPathOf(query: URLSearchParams): string | undefined {
  return pathAfterLogin(query.get('from'), '') || undefined;
}

/**
 * Returns the response of a route loader that redirects `request` to `path` (without the site's base). If the
 * address bar already shows the requested URL (typed, reloaded or reached through the history), the redirect
 * replaces the history entry of that URL, so that Back does not lead to the redirect again. Otherwise the URL
 * has no history entry yet, and the redirect adds one after the current screen's.
 */
export function redirectFrom(request: Request, path: string): Response {
  const { pathname, search } = new URL(request.url);
  const isShown = window.location.pathname === pathname && window.location.search === search;
  return isShown ? replace(path) : redirect(path);
}
