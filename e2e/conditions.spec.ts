import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { commitSeed, isLongForm } from '../tools/test-form.ts';
import { signInAsDemoTrader } from './fixtures/actions.ts';
import { DESKTOP_SCREENS, MOBILE_SCREENS, NOWHERE } from './fixtures/addresses.ts';
import {
  closeProfiles,
  DESKTOP,
  PHONE,
  openPerson,
  type Viewport,
  sharedBrowser,
  TIMEOUT_MS,
} from './fixtures/browser.ts';
import type { Complaints } from './fixtures/console-messages.ts';
import { CONDITIONS, RequestInterceptor, type Condition } from './fixtures/conditions.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import {
  chooseLanguage,
  faultsOf,
  openAnswered,
  openHeld,
  openScreen,
  switchLanguage,
  waitUntilIdle,
  openSecondTab,
} from './fixtures/inspection.ts';
import { LOCALES } from './fixtures/sentences.ts';

const WALK_MS = 3 * 60 * 60_000;
const OTHERS = LOCALES.filter((locale) => locale !== 'en-US');
/**
 * Regular expression that matches messages in the browser's console that a failed request or an interrupted
 * feed causes. The test ignores them, because it causes them on purpose.
 */
const OWN_DOING = /Failed to load resource|could not load .*\/bb\/app\/|WebSocket|\b404\b/;
/**
 * Regular expression that matches the paths for which `missing` checks nothing: those of screens that load no
 * data, on which a simulated condition has no effect, and `account/order`, which needs an order's id.
 */
const STILL = new RegExp(
  `^/(?:login/|about/(?:us|legal)|setting/(?:freeze|trade-password)|my$|account/order$)|^${NOWHERE}`,
);
/**
 * Two paths that show the security screen of the mobile site: its own, and that of the sheet with API keys above it,
 * which the shared demo account cannot have. The screen shows data about the user, which load in every simulated
 * condition except `failed`. `missing` therefore checks these paths only in that condition.
 */
const OF_PERSON: ReadonlySet<string> = new Set([paths.security, paths.apiKeys]);
const MESSAGE = paths.message;

const OPEN: Readonly<Record<Condition, typeof openScreen>> = {
  full: openScreen,
  empty: openScreen,
  offline: openScreen,
  loading: openHeld,
  refused: openAnswered,
  failed: openAnswered,
};

let exchange: SharedExchange;
let browser: Browser;

beforeAll(async () => {
  [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
});
afterAll(async () => {
  await closeProfiles(browser);
  exchange.assertNoErrors();
});

// The short form of the tests checks one screen of each site in each of two conditions. The current commit selects
// conditions and screens.
describe.concurrent('every screen in every condition of its requests', { timeout: WALK_MS }, () => {
  for (const [site, place, screens] of [
    ['desktop', DESKTOP, DESKTOP_SCREENS],
    ['mobile', PHONE, MOBILE_SCREENS],
  ] as const)
    it(`JRN-133 on the ${site} site shows that it is loading, empty, refused, failed or offline`, async () => {
      expect(await faultsIn(place, screens)).toEqual({});
    });
});

/**
 * Opens screens as a signed-in user in each condition of the requests; in the short form of the tests only those that
 * `isOfThisCommit` selects. Returns the faults by site, condition and path.
 */
async function faultsIn(
  place: Viewport,
  screens: readonly string[],
): Promise<Record<string, readonly string[]>> {
  const { context, page, complaints } = await openPerson(browser, exchange.origin, place);
  const walk = {
    place,
    page,
    complaints,
    line: await RequestInterceptor.attach(page),
    besides: await openSecondTab(context),
  };
  await signInAsDemoTrader(page);
  const found: Record<string, readonly string[]> = {};
  for (const [at, condition] of CONDITIONS.entries())
    for (const [index, path] of screens.entries()) {
      if (!isLongForm && !isOfThisCommit(at, index, screens.length)) continue;
      // The screen of a single message needs a message and is therefore omitted here. Another test covers it.
      if (path === paths.message) continue;
      const faults = await faultsAt(walk, condition, path, index);
      if (faults.length > 0) found[`${place.site} ${condition} ${path}`] = faults;
    }
  await walk.line.set('full');
  await context.close();
  return found;
}

/**
 * Returns whether the short form of the tests checks the screen with this index in the condition with this index. For
 * each commit it checks two conditions, with one screen in each.
 */
function isOfThisCommit(condition: number, screen: number, screens: number): boolean {
  const isItsTurn = (condition + commitSeed) % CONDITIONS.length < 2;
  return isItsTurn && (screen + condition * 7 + commitSeed) % screens === 0;
}

interface Walk {
  readonly place: Viewport;
  readonly page: Page;
  /** A second tab of the same browser profile. The test changes the language there. */
  readonly besides: Page;
  readonly line: RequestInterceptor;
  readonly complaints: Complaints;
}

async function faultsAt(
  { place, page, besides, line, complaints }: Walk,
  condition: Condition,
  path: string,
  index: number,
): Promise<string[]> {
  const before = complaints.length;
  const name = `${condition}${path.replaceAll(/\W+/g, '-')}`;
  const faults: string[] = [];
  try {
    await line.set(condition === 'offline' ? 'full' : condition);
    await chooseLanguage(besides, page, 'en-US');
    await OPEN[condition](page, place, path);
    if (condition === 'offline') await cutOff(page, line);
    faults.push(...(await missing(page, { place, condition, path })));
    faults.push(...(await faultsOf(page, place, { name }, 'en-US')));
    const others = isLongForm ? OTHERS : [OTHERS[(index + commitSeed) % OTHERS.length]!];
    for (const other of others) {
      await switchLanguage(page, besides, other);
      // After a change of the language the page sends the failed request again, so the test waits until nothing is
      // loading.
      if (condition === 'failed' && isLongForm) await waitUntilIdle(page);
      faults.push(...(await faultsOf(page, place, { name: `${name}-${other}` }, other)));
    }
  } catch (error) {
    // If a screen does not appear, this counts as a fault, and the test continues with the remaining screens.
    faults.push(String(error));
  }
  return [...faults, ...complaints.slice(before).filter((complaint) => !OWN_DOING.test(complaint))];
}

/**
 * Interrupts the network while the screen is open. Throws unless the screen reports this and still shows more
 * than half of its text.
 */
async function cutOff(page: Page, line: RequestInterceptor): Promise<void> {
  const before = await page.locator('main').innerText();
  await line.set('offline');
  await page
    .getByText(/^(?:Connection lost|Prices are out of date)/)
    .first()
    .waitFor();
  expect((await page.locator('main').innerText()).length).toBeGreaterThan(before.length / 2);
}

/**
 * Returns what the screen should show in a simulated condition of its requests but does not show: a loading state, an
 * error with a way to try again, or any content. Returns an empty list without a check for the paths of `STILL`, for
 * the screen of a single message, and on the mobile site for the paths of `OF_PERSON` in all conditions except
 * `failed`.
 */
async function missing(
  page: Page,
  {
    place,
    condition,
    path,
  }: { readonly place: Viewport; readonly condition: Condition; readonly path: string },
): Promise<string[]> {
  const main = page.locator('main').first();
  if (STILL.test(path) || path === MESSAGE) return [];
  if (place.site === 'mobile' && OF_PERSON.has(path) && condition !== 'failed') return [];
  if (condition === 'loading') {
    const busy = page.locator('main [aria-busy="true"], main[aria-busy="true"]');
    return (await comes(busy)) ? [] : ['nothing says that it loads'];
  }
  if (condition === 'refused' || condition === 'failed') {
    const retry = page.getByRole('button', { name: 'Try again' });
    return (await comes(retry)) ? [] : ['nothing says that it failed, with a way to try again'];
  }
  return (await main.innerText()).trim() === '' ? ['nothing is said'] : [];
}

/** Returns whether the document contains a matching element, visible or not, within `TIMEOUT_MS`. */
function comes(what: Locator): Promise<boolean> {
  return what
    .first()
    .waitFor({ state: 'attached', timeout: TIMEOUT_MS })
    .then(
      () => true,
      () => false,
    );
}
