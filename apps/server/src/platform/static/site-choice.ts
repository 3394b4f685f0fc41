/**
 * The desktop or the mobile site. They have the same paths, under `/pc` for wide screens and under
 * `/` for phones.
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
  /** The path to redirect to; undefined if there is no redirect. */
  readonly location: string | undefined;
  /** The site choice to store in the visitor's cookie; undefined if none is to be stored. */
  readonly remembered: Site | undefined;
}

/** Request headers that influence which site a visitor is sent to, for the `Vary` header. */
export const CHOICE_DEPENDS_ON = 'Sec-CH-UA-Mobile, User-Agent, Cookie';

/**
 * Determines the site for a page visit. An explicit choice in the URL (`?site=desktop`) wins and is stored.
 * Otherwise a phone on the desktop site is redirected to the same path of the mobile site, unless the visitor
 * chose the desktop site before. The mobile site never redirects by itself.
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

/** Parses a request's URL as a path only: `//[` is then neither a host nor an error. */
export function placeOf(url: string): URL {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return new URL(`http://any${path.startsWith('/') ? '' : '/'}${path}`);
}

/** The `Set-Cookie` header that stores the visitor's choice of the site for a year. */
export function choiceCookie(site: Site): string {
  return `site=${site}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

function pathOnSite(pathname: string, query: URLSearchParams, site: Site): string {
  // The redirect's path has only one leading slash, because `//host` would redirect to another
  // host.
  const place = `/${pathname.replace(/^\/pc(?=\/|$)/, '').replace(/^[/\\]+/, '')}`;
  const path = site === 'desktop' ? `/pc${place}` : place;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/**
 * Whether the browser runs on a phone. Its `Sec-CH-UA-Mobile` hint takes precedence. Tablets do not
 * count; an Android browser without `Mobile` is a tablet.
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
