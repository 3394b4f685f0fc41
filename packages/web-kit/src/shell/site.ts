import { recall, remember } from '../storage.ts';

/** The two sites of the exchange: `desktop` below `/pc`, `mobile` below `/`. Their paths are the same. */
export type Site = 'desktop' | 'mobile';

const KEY = 'site';
const PHONE = /Android.+Mobile|iPhone|iPod|Windows Phone|Mobile;.+Firefox/i;

/** The site that the person has chosen on this device, if any. */
export function chosenSite(): Site | undefined {
  const site = recall(KEY);
  return site === 'desktop' || site === 'mobile' ? site : undefined;
}

/** Remembers the choice; from then on nobody is sent or offered elsewhere. */
export function chooseSite(site: Site): void {
  remember(KEY, site);
}

/** Whether the browser runs on a phone: by the platform's hint, else by its name. Tablets count as desktop. */
export function isPhone(): boolean {
  const hints = navigator as Navigator & { userAgentData?: { mobile: boolean } };
  return hints.userAgentData?.mobile ?? PHONE.test(navigator.userAgent);
}

/** Whether a visitor of `site` belongs to the other one and has not chosen: send phones over, offer it to desktops. */
export function belongsElsewhere(site: Site): boolean {
  if (chosenSite() !== undefined) return false;
  return isPhone() === (site === 'desktop');
}

/** The same place on the other site: `path` is without the site's base, with its query. */
export function addressOn(site: Site, path: string): string {
  return site === 'desktop' ? `/pc${path}` : path;
}
