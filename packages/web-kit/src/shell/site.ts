import { readStored, store } from '../storage.ts';

/** The two sites of the exchange, with equal paths: `desktop` below `/pc`, `mobile` below `/`. */
export type Site = 'desktop' | 'mobile';

const KEY = 'site';
const PHONE = /Android.+Mobile|iPhone|iPod|Windows Phone|Mobile;.+Firefox/i;

/** The site that the user has chosen on this device, if any. */
export function chosenSite(): Site | undefined {
  const site = readStored(KEY);
  return site === 'desktop' || site === 'mobile' ? site : undefined;
}

/** Stores the choice; it disables redirects and suggestions of the other site. */
export function chooseSite(site: Site): void {
  store(KEY, site);
}

/** True on phones, determined by the client hint or the user agent. Tablets count as desktop. */
export function isPhone(): boolean {
  const hints = navigator as Navigator & { userAgentData?: { mobile: boolean } };
  return hints.userAgentData?.mobile ?? PHONE.test(navigator.userAgent);
}

/**
 * True when the device fits the other site and the user has not chosen: phones are redirected, desktops get a
 * suggestion.
 */
export function fitsOtherSite(site: Site): boolean {
  if (chosenSite() !== undefined) return false;
  return isPhone() === (site === 'desktop');
}

/** The same screen on the given site; `path` excludes the site's base and includes the query. */
export function pathOnSite(site: Site, path: string): string {
  return site === 'desktop' ? `/pc${path}` : path;
}
