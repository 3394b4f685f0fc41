import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { commitSeed, isLongForm } from '../tools/test-form.ts';
import { signInAsDemoTrader } from './stage/acts.ts';
import { DESKTOP_SCREENS, MOBILE_SCREENS, NOWHERE } from './stage/addresses.ts';
import {
  closeProfiles,
  DESKTOP,
  PHONE,
  seat,
  type Seat,
  sharedBrowser,
  TIMEOUT_MS,
} from './stage/browser.ts';
import type { Complaints } from './stage/complaints.ts';
import { CONDITIONS, Line, type Condition } from './stage/conditions.ts';
import { sharedExchange, type SharedExchange } from './stage/exchange.ts';
import {
  chooseLanguage,
  faultsOf,
  openAnswered,
  openHeld,
  openScreen,
  speak,
  stillness,
  tabBeside,
} from './stage/inspection.ts';
import { LOCALES } from './stage/words.ts';

const WALK_MS = 60 * 60_000;
const OTHERS = LOCALES.filter((locale) => locale !== 'en-US');
/** What a browser says by itself of a call that did not come through, and of a feed that was cut. */
const OWN_DOING = /Failed to load resource|could not load .*\/bb\/app\/|WebSocket|\b404\b/;
/** Needs nothing but what the page brings along: nothing loads there and nothing can fail. Without an order there is none. */
const STILL = new RegExp(
  `^/(?:login/|about/(?:us|legal)|setting/(?:freeze|trade-password)|my$|account/order$)|^${NOWHERE}`,
);
/** On the phone it shows what is known of the person, which is answered in every condition but `failed`. */
const OF_PERSON = paths.security;
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

// The short form sees one screen in each of two conditions, with every commit others.
describe.concurrent('every screen, whatever its calls come to', { timeout: WALK_MS }, () => {
  for (const [site, place, screens] of [
    ['desktop', DESKTOP, DESKTOP_SCREENS],
    ['mobile', PHONE, MOBILE_SCREENS],
  ] as const)
    it(`JRN-133 on the ${site} site says that it loads, is empty, was refused, failed, or is offline`, async () => {
      expect(await faultsIn(place, screens)).toEqual({});
    });
});

/** One member goes through screens, in each condition in turn. */
async function faultsIn(place: Seat, screens: readonly string[]): Promise<Record<string, readonly string[]>> {
  const { context, page, complaints } = await seat(browser, exchange.origin, place);
  const walk = { place, page, complaints, line: await Line.of(page), besides: await tabBeside(context) };
  await signInAsDemoTrader(page);
  const found: Record<string, readonly string[]> = {};
  for (const [at, condition] of CONDITIONS.entries())
    for (const [index, path] of screens.entries()) {
      if (!isLongForm && !isOfThisCommit(at, index, screens.length)) continue;
      // A message needs one to be shown; it has its place among the whole screens.
      if (path === paths.message) continue;
      const faults = await faultsAt(walk, condition, path, index);
      if (faults.length > 0) found[`${place.site} ${condition} ${path}`] = faults;
    }
  await walk.line.set('full');
  await context.close();
  return found;
}

/** Two conditions, and one screen in each. */
function isOfThisCommit(condition: number, screen: number, screens: number): boolean {
  const isItsTurn = (condition + commitSeed) % CONDITIONS.length < 2;
  return isItsTurn && (screen + condition * 7 + commitSeed) % screens === 0;
}

interface Walk {
  readonly place: Seat;
  readonly page: Page;
  /** Where the language is changed. */
  readonly besides: Page;
  readonly line: Line;
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
    await chooseLanguage(besides, 'en-US');
    await OPEN[condition](page, place, path);
    if (condition === 'offline') await cutOff(page, line);
    faults.push(...(await missing(page, { place, condition, path })));
    faults.push(...(await faultsOf(page, place, { name }, 'en-US')));
    const others = isLongForm ? OTHERS : [OTHERS[(index + commitSeed) % OTHERS.length]!];
    for (const other of others) {
      await speak(page, besides, other);
      // What failed is asked for again in the new language.
      if (condition === 'failed' && isLongForm) await stillness(page);
      faults.push(...(await faultsOf(page, place, { name: `${name}-${other}` }, other)));
    }
  } catch (error) {
    // Reason: a screen that does not come is a fault of its own; the others are seen all the same.
    faults.push(String(error));
  }
  return [...faults, ...complaints.slice(before).filter((complaint) => !OWN_DOING.test(complaint))];
}

/** The line is cut while the screen is open: it says so by itself, and what was there stays. */
async function cutOff(page: Page, line: Line): Promise<void> {
  const before = await page.locator('main').innerText();
  await line.set('offline');
  await page
    .getByText(/^(?:Connection lost|Prices are out of date)/)
    .first()
    .waitFor();
  expect((await page.locator('main').innerText()).length).toBeGreaterThan(before.length / 2);
}

/** What the screen owes somebody in this condition and does not show. */
async function missing(
  page: Page,
  { place, condition, path }: { readonly place: Seat; readonly condition: Condition; readonly path: string },
): Promise<string[]> {
  const main = page.locator('main').first();
  if (STILL.test(path) || path === MESSAGE) return [];
  if (place.site === 'mobile' && path === OF_PERSON && condition !== 'failed') return [];
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

/** Whether it is on the page, or comes before its time is over. */
function comes(what: Locator): Promise<boolean> {
  return what
    .first()
    .waitFor({ state: 'attached', timeout: TIMEOUT_MS })
    .then(
      () => true,
      () => false,
    );
}
