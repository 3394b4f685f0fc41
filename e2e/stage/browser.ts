import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { watchPage, type Complaints } from './complaints.ts';
import { openContext } from './contexts.ts';

export { TIMEOUT_MS } from './contexts.ts';

/** How a person sits before a site. */
export interface Seat {
  readonly site: 'desktop' | 'mobile';
  readonly width: number;
  readonly height: number;
}

export const DESKTOP: Seat = { site: 'desktop', width: 1300, height: 900 };
export const PHONE: Seat = { site: 'mobile', width: 390, height: 844 };

const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

/**
 * What no journey needs. The suggestions below the address bar are pages by themselves: each window would load two of them, which
 * costs as much as opening one of our screens. The rest is what playwright turns off, whose own list this one replaces.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Starts Chromium; where it lies is said by CHROMIUM_PATH. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      `--disable-features=${DISABLED_FEATURES.join(',')}`,
    ],
  });
}

let shared: Promise<Browser> | undefined;

/**
 * The browser of this worker, which the journeys of all its files share: each sits in profiles of its own. It starts with
 * the first journey and ends with the worker.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser().then((browser) => {
    // One that has crashed fails its own journeys only.
    browser.once('disconnected', () => (shared = undefined));
    return browser;
  });
  return shared;
}

/** Closes every profile of a browser, so that nothing of a file of journeys runs on beside the next. */
export async function closeProfiles(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What a person with the developer tools open would have seen go wrong, on all pages so far. */
  readonly complaints: Complaints;
}

/** One person with a browser profile of their own. Motion is reduced, so that nothing is caught half-way. */
export async function seat(
  browser: Browser,
  origin: string,
  { site, width, height }: Seat,
  serviceWorkers: 'allow' | 'block' = 'block',
): Promise<Person> {
  const isPhone = site === 'mobile';
  const context = await openContext(browser, {
    baseURL: origin,
    viewport: { width, height },
    hasTouch: isPhone,
    isMobile: isPhone,
    ...(isPhone ? { userAgent: PHONE_AGENT } : {}),
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
    // A worker would answer for requests that journeys watch or cut off.
    serviceWorkers,
  });
  await context.addInitScript(noteMovements);
  const complaints: string[] = [];
  context.on('page', (page) => watchPage(page, complaints));
  return { context, page: await context.newPage(), complaints };
}

/** Runs inside each page. Adds up what moves by itself, as browsers measure it, with the texts of what moved most. */
function noteMovements(): void {
  interface Shift extends PerformanceEntry {
    readonly value: number;
    readonly hadRecentInput: boolean;
    readonly sources: readonly { readonly node: Node | null }[];
  }
  const movements = { shift: 0, moved: [] as string[] };
  Object.assign(globalThis, { movements });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
      if (hadRecentInput) continue;
      movements.shift += value;
      const [source] = sources;
      if (value > 0.01) movements.moved.push((source?.node?.textContent ?? '').trim().slice(0, 40));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Opens a site's home, or another of its addresses. */
export async function open(page: Page, { site }: Seat, path = '/main'): Promise<void> {
  await page.goto(addressOf(site, path));
}

/** A site's address as the browser's bar shows it. */
export function addressOf(site: Seat['site'], path: string): string {
  return site === 'desktop' ? `/pc${path}` : path;
}
