/** The two sites: the same deep links, under `/pc` for wide screens and under `/` for phones. */
export type Site = 'desktop' | 'mobile';

export interface Visit {
  /** Path and query as requested. */
  readonly url: string;
  readonly userAgent: string | undefined;
  /** `?1` for a phone, `?0` for anything else, where the browser says so. */
  readonly mobileHint: string | undefined;
  readonly cookie: string | undefined;
}

export interface Destination {
  /** Where to go instead; undefined to stay. */
  readonly location: string | undefined;
  /** The choice to remember from now on. */
  readonly remembered: Site | undefined;
}

/** What a destination depends on beside its address, for caches. */
export const CHOICE_DEPENDS_ON = 'Sec-CH-UA-Mobile, User-Agent, Cookie';

/**
 * Where somebody who opens a page belongs. A choice in the address (`?site=desktop`) wins and is remembered;
 * otherwise a phone on the desktop site goes to the same place on the mobile one, unless its owner chose
 * the desktop site before. Nobody is sent away from the mobile site without asking.
 */
export function destinationOf(visit: Visit): Destination {
  const { pathname, searchParams } = placeOf(visit.url);
  const present: Site = pathname === '/pc' || pathname.startsWith('/pc/') ? 'desktop' : 'mobile';
  const chosen = siteOf(searchParams.get('site'));
  if (chosen !== undefined) {
    searchParams.delete('site');
    return { location: moved(pathname, searchParams, chosen), remembered: chosen };
  }
  const belongs = present === 'desktop' && isPhone(visit) && rememberedSite(visit.cookie) !== 'desktop';
  return { location: belongs ? moved(pathname, searchParams, 'mobile') : undefined, remembered: undefined };
}

/** The place that a request asks for. It is a path whatever it looks like: `//[` is no host, and no error either. */
export function placeOf(url: string): URL {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return new URL(`http://any${path.startsWith('/') ? '' : '/'}${path}`);
}

/** The header that remembers a choice for a year. */
export function choiceCookie(site: Site): string {
  return `site=${site}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

function moved(pathname: string, query: URLSearchParams, site: Site): string {
  // One slash only: `//host` would lead to another machine.
  const place = `/${pathname.replace(/^\/pc(?=\/|$)/, '').replace(/^[/\\]+/, '')}`;
  const path = site === 'desktop' ? `/pc${place}` : place;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** The browser's own word first; a tablet is no phone, and an Android browser that is not `Mobile` is a tablet. */
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
