import { LOGIN_PATH, VISITOR_PATHS } from '@exchange/wire/browser.ts';
import { redirect, replace } from 'react-router';

const OPEN: ReadonlySet<string> = new Set(VISITOR_PATHS);

/** Whether somebody without a session may open a path (without the app's base); a trailing slash does not matter. */
export function mayVisit(path: string): boolean {
  const bare = path.split(/[?#]/, 1)[0] ?? '';
  const trimmed = bare.replace(/\/+$/, '');
  return trimmed === '' || trimmed === '/login' || OPEN.has(trimmed);
}

/** Where a redirect of a site's table leads, or the path itself. */
export function resolvedBy(
  redirects: readonly (readonly [from: string, to: string])[],
  pathname: string,
): string {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  return redirects.find(([from]) => from === path)?.[1] ?? path;
}

/** Where to send a visitor who wanted `path`: to the login, which leads back afterwards. */
export function loginPathFor(path: string): string {
  return path === '' || path === '/' ? LOGIN_PATH : `${LOGIN_PATH}?from=${encodeURIComponent(path)}`;
}

/** Where to go after signing in: the wanted path when it is one of ours, else `otherwise`. */
export function pathAfterLogin(from: string | null, otherwise: string): string {
  // Browsers drop control characters and read a backslash as a slash, so neither may stand in a path.
  const isOurs = from !== null && /^\/(?!\/)[^\s\\\p{Cc}]*$/u.test(from);
  return isOurs && !from.startsWith('/login') ? from : otherwise;
}

/** Addresses that only somebody without a session has a use for. */
const FOR_VISITORS: ReadonlySet<string> = new Set(['/login', LOGIN_PATH, '/login/register']);

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
