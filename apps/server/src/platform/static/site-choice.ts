/**
 * The desktop or the mobile site. Both have the same paths: the desktop site below `/pc`, the mobile site below `/`.
 */
export type Site = 'desktop' | 'mobile';

export interface Visit {
  /** Path and query of the browser's request. */
  readonly url: string;
  readonly userAgent: string | undefined;
  /** The `Sec-CH-UA-Mobile` header: `?1` for a phone, `?0` otherwise, if the browser sends it. */
  readonly mobileHint: string | undefined;
  readonly cookie: string | undefined;
}

export interface Destination {
  /** The path and query to which the browser is redirected; undefined if there is no redirect. */
  readonly location: string | undefined;
  /** The chosen site to store in the visitor's cookie; undefined if nothing is stored. */
  readonly remembered: Site | undefined;
}

/** Value of the `Vary` header: the request headers on which the choice of the site depends. */
export const CHOICE_DEPENDS_ON = 'Sec-CH-UA-Mobile, User-Agent, Cookie';

/**
 * Determines the site for a page visit. An explicit choice in the URL (`?site=desktop`) takes precedence and is stored.
 * Otherwise a phone on the desktop site is redirected to the same path of the mobile site, unless the visitor has
 * chosen the desktop site before. A visit to the mobile site is redirected only by an explicit choice.
 */
export function destinationOf(visit: Visit): Destination {
  const { pathname, searchParams } = placeOf(visit.url);
  const currentSite: Site = pathname === '/pc' || pathname.startsWith('/pc/') ? 'desktop' : 'mobile';
  const chosen = siteOf(searchParams.get('site'));
  if (chosen !== undefined) {
    searchParams.delete('site');
    return { location: pathOnSite(pathname, searchParams, chosen), remembered: chosen };
  }
  const belongsOnMobile =
    currentSite === 'desktop' && isPhone(visit) && rememberedSite(visit.cookie) !== 'desktop';
  return {
    location: belongsOnMobile ? pathOnSite(pathname, searchParams, 'mobile') : undefined,
    remembered: undefined,
  };
}

/** Parses a request's URL as a path only, so that a path such as `//[` is neither taken for a host nor an error. */
export function placeOf(url: string): URL {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return new URL(`http://any${path.startsWith('/') ? '' : '/'}${path}`);
}

/** Returns the `Set-Cookie` header that stores the visitor's choice of the site for a year. */
export function choiceCookie(site: Site): string {
  return `site=${site}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

function pathOnSite(pathname: string, query: URLSearchParams, site: Site): string {
  // The redirect's path must begin with a single slash, because `//host` would redirect to another host.
  const place = `/${pathname.replace(/^\/pc(?=\/|$)/, '').replace(/^[/\\]+/, '')}`;
  const path = site === 'desktop' ? `/pc${place}` : place;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/**
 * Returns whether the browser runs on a phone. The header `Sec-CH-UA-Mobile` takes precedence over the `User-Agent`.
 * Tablets are not phones. An Android browser without `Mobile` runs on a tablet.
 */
function isPhone({ mobileHint, userAgent = '' }: Visit): boolean {
  if (mobileHint !== undefined) return mobileHint === '?1';
  if (/iPad|Tablet|PlayBook|Silk/i.test(userAgent)) return false;
  return /iPhone|iPod|Mobi/i.test(userAgent);
}

function rememberedSite(cookie: string | undefined): Site | undefined {
  return siteOf(/(?:^|;\s*)site=([a-z]+)/.exec(cookie ?? '')?.[1]);
}

function siteOf(text: string | null | undefined): Site | undefined {
  return text === 'desktop' || text === 'mobile' ? text : undefined;
}
