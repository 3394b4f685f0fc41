import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { watchPage, type Complaints } from './complaints.ts';
import { openContext } from './contexts.ts';

export { TIMEOUT_MS } from './contexts.ts';

/** The site and the window size of a user. */
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
 * Browser features that tests do not need. The suggestions below the address bar are pages of their own: each window
 * would load two of them, which takes as long as one of our screens. The other entries are Playwright's defaults,
 * which this list replaces.
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

/** Starts the Chromium at CHROMIUM_PATH. */
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
 * Returns the browser that all test files of this worker share; each test opens profiles of its own. It starts with
 * the first test and ends with the worker.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser().then((browser) => {
    // After a crash only the running tests fail; the next test starts a new browser.
    browser.once('disconnected', () => (shared = undefined));
    return browser;
  });
  return shared;
}

/** Closes every profile of a browser, so that nothing of one test file runs during the next. */
export async function closeProfiles(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors and warnings on all pages so far, as the developer tools show them. */
  readonly complaints: Complaints;
}

/** Opens a browser profile for one user. Motion is reduced, so that tests never see an animation half-way. */
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
    // A service worker would answer requests that tests watch or abort.
    serviceWorkers,
  });
  await context.addInitScript(noteMovements);
  const complaints: string[] = [];
  context.on('page', (page) => watchPage(page, complaints));
  return { context, page: await context.newPage(), complaints };
}

/**
 * Runs inside each page. Sums up layout shifts as browsers measure them, with the texts of the elements that moved
 * most.
 */
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

/** Opens the home page of a site, or another path. */
export async function open(page: Page, { site }: Seat, path = '/main'): Promise<void> {
  await page.goto(addressOf(site, path));
}

/** Returns the path of a screen with the prefix of its site. */
export function addressOf(site: Seat['site'], path: string): string {
  return site === 'desktop' ? `/pc${path}` : path;
}
