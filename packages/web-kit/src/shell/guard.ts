import { addressesOf, ALL_SCREENS, SCREENS } from '@exchange/wire/screens.ts';
import { redirect, replace } from 'react-router';
import { paths } from '../paths.ts';

const VISITOR_ADDRESSES: ReadonlySet<string> = new Set(
  ALL_SCREENS.filter(([, { audience }]) => audience === 'everyone').flatMap(([, screen]) =>
    addressesOf(screen),
  ),
);

/** True when visitors may open the path (without the site's base); a trailing slash is ignored. */
export function isPublicPath(path: string): boolean {
  const bare = path.split(/[?#]/, 1)[0] ?? '';
  return VISITOR_ADDRESSES.has(bare.replace(/\/+$/, '') || '/');
}

/** Path of the login that returns to `path` afterwards. */
export function loginPathFor(path: string): string {
  return path === '' || path === '/' ? paths.login : `${paths.login}?from=${encodeURIComponent(path)}`;
}

/**
 * Path to open after signing in: the requested path when it belongs to this app and is not below `/login`,
 * otherwise `otherwise`.
 */
export function pathAfterLogin(from: string | null, otherwise: string): string {
  // Browsers remove control characters and treat a backslash as a slash, so a safe path contains neither.
  const isOurs = from !== null && /^\/(?!\/)[^\s\\\p{Cc}]*$/u.test(from);
  return isOurs && !from.startsWith('/login') ? from : otherwise;
}

/** Paths that only visitors need, such as login and registration. */
const FOR_VISITORS: ReadonlySet<string> = new Set([...addressesOf(SCREENS.login), paths.register]);

/**
 * Redirect target for a signed-in user who opened `path` (with query): the return path of a login or
 * registration page, otherwise `otherwise`; undefined for all other pages.
 */
export function redirectFromLogin(path: string, otherwise: string): string | undefined {
  const [bare = '', query = ''] = path.split('?', 2);
  const trimmed = bare.replace(/\/+$/, '');
  if (!FOR_VISITORS.has(trimmed)) return undefined;
  return pathAfterLogin(new URLSearchParams(query).get('from'), otherwise);
}

/** Path of a screen that returns to `from` (path and query) when its task is complete. */
export function pathWithReturn(path: string, from: string): string {
  return `${path}?from=${encodeURIComponent(from)}`;
}

/** The return path from a URL's query; undefined when it is missing or `pathAfterLogin` rejects it. */
export function returnPathOf(query: URLSearchParams): string | undefined {
  return pathAfterLogin(query.get('from'), '') || undefined;
}

/**
 * Response of a route loader that redirects `request` to `path` (without the site's base). When the address
 * bar already shows the requested URL (typed, reloaded or reached through the history), its history entry is
 * replaced, so that Back does not lead to the redirect again. Otherwise the URL has no entry yet, and the
 * current screen keeps its own.
 */
export function redirectFrom(request: Request, path: string): Response {
  const { pathname, search } = new URL(request.url);
  const isShown = window.location.pathname === pathname && window.location.search === search;
  return isShown ? replace(path) : redirect(path);
}
