import { readStored, store } from '../storage.ts';

/** The two sites of the exchange, which have the same paths: `desktop` below `/pc`, `mobile` below `/`. */
export type Site = 'desktop' | 'mobile';

const KEY = 'site';
const PHONE = /Android.+Mobile|iPhone|iPod|Windows Phone|Mobile;.+Firefox/i;

/** Returns the site that the user has chosen on this device; undefined if the user has not chosen. */
export function chosenSite(): Site | undefined {
  const site = readStored(KEY);
  return site === 'desktop' || site === 'mobile' ? site : undefined;
}

/** Stores which site the user has chosen; the user is then neither redirected to the other site nor offered it. */
export function chooseSite(site: Site): void {
  store(KEY, site);
}

/**
 * Returns true on phones, according to the browser's client hint or user agent; false on tablets and desktop
 * computers.
 */
export function isPhone(): boolean {
  const hints = navigator as Navigator & { userAgentData?: { mobile: boolean } };
  return hints.userAgentData?.mobile ?? PHONE.test(navigator.userAgent);
}

/**
 * Returns true when the user has not chosen a site and the device suits the other site better: on a phone
 * that shows the desktop site, which is then redirected, and on another device that shows the mobile site,
 * which then suggests the desktop site.
 */
export function fitsOtherSite(site: Site): boolean {
  if (chosenSite() !== undefined) return false;
  return isPhone() === (site === 'desktop');
}

/**
 * Returns the path of the same screen on the given site; `path` excludes the site's base and may include the
 * query.
 */
export function pathOnSite(site: Site, path: string): string {
  return site === 'desktop' ? `/pc${path}` : path;
}
