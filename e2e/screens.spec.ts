import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { commitSeed, isLongForm, isSelectedByCommit } from '../tools/test-form.ts';
import { signInAsDemoTrader } from './fixtures/actions.ts';
import { DESKTOP_SCREENS, FOR_VISITORS, MOBILE_SCREENS, NOWHERE } from './fixtures/addresses.ts';
import {
  closeProfiles,
  DESKTOP,
  PHONE,
  openPerson,
  type Viewport,
  sharedBrowser,
} from './fixtures/browser.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import {
  chooseLanguage,
  faultsOf,
  movements,
  openScreen,
  switchLanguage,
  waitForLanguage,
  openSecondTab,
  textCut,
  textOutside,
} from './fixtures/inspection.ts';
import { touchFaults } from './fixtures/touch-targets.ts';
import { desktopScenes, mobileScenes, type Scene } from './fixtures/flows.ts';
import { createSampleOrders, type TradedOrders } from './fixtures/trading.ts';
import { LOCALES, sentencesIn, type Locale } from './fixtures/sentences.ts';

/**
 * The short form of the tests checks only every n-th screen, where n is this number. The current commit determines the
 * first of them.
 */
const SHARES = 10;
/**
 * Time limit of a test, which opens many screens. If a page hangs, the time limit of the step ends the test earlier.
 */
const WALK_MS = 40 * 60_000;
/**
 * Languages other than English. In the short form of the tests a screen is opened either in English or in one of them.
 */
const OTHERS = LOCALES.filter((locale) => locale !== 'en-US');
const MESSAGE = paths.message;

let exchange: SharedExchange;
let browser: Browser;
let traded: TradedOrders;

beforeAll(async () => {
  [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
  traded = await createSampleOrders(exchange.origin);
});
afterAll(async () => {
  await closeProfiles(browser);
  exchange.assertNoErrors();
});

// These tests run in parallel, each with a browser profile of its own.
describe.concurrent('every screen, in dark and light, in every language', { timeout: WALK_MS }, () => {
  it('JRN-040 WEB-942 WEB-947 serves visitors of the desktop site without a fault', () =>
    hasNoFaults(DESKTOP, 'visitor', FOR_VISITORS));
  it('JRN-041 WEB-1106 WEB-1107 serves members on the desktop site without a fault', () =>
    hasNoFaults(DESKTOP, 'member', DESKTOP_SCREENS));
  it('JRN-042 JRN-163 serves visitors of the mobile site without a fault', () =>
    hasNoFaults(PHONE, 'visitor', FOR_VISITORS));
  it('JRN-043 JRN-163 MOB-154 WEB-942 WEB-947 WEB-1106 serves members on the mobile site without a fault', () =>
    hasNoFaults(PHONE, 'member', MOBILE_SCREENS));
  it('JRN-079 WEB-1107 serves members with dialogs and tickets on the desktop site without a fault', async () => {
    expect(await faultsOnWalk(DESKTOP, desktopScenes(traded), 'member')).toEqual({});
  });
  it('JRN-079 JRN-163 serves members with sheets and tickets on the mobile site without a fault', async () => {
    expect(await faultsOnWalk(PHONE, mobileScenes(traded), 'member')).toEqual({});
  });
});

/**
 * Ways in which users enlarge text. The browser's zoom reduces the size of the window in CSS pixels. The browser's font
 * size does not change it.
 */
const ENLARGED = [
  { place: DESKTOP, way: 'a zoom of 200 %', width: 650, height: 450, textPx: 16 },
  { place: DESKTOP, way: 'text of 200 %', width: 1_300, height: 900, textPx: 32 },
  { place: PHONE, way: 'text of 130 %', width: 390, height: 844, textPx: 21 },
  { place: PHONE, way: 'text of 200 %', width: 390, height: 844, textPx: 32 },
  { place: PHONE, way: 'text of 200 % in a narrow window', width: 360, height: 844, textPx: 32 },
] as const;

describe.concurrent('every screen, enlarged', { timeout: WALK_MS }, () => {
  // In the short form each commit checks one of the ways to enlarge text. The long form checks all of them.
  for (const enlarged of ENLARGED.filter((_, at) => isSelectedByCommit(at, ENLARGED.length)))
    it(`JRN-186 WEB-1010 WEB-1109 on the ${enlarged.place.site} site cuts off no text at ${enlarged.way}`, async () => {
      expect(await cutOnWalk(enlarged)).toEqual({});
    });
});

/**
 * Opens the enlarged screens of a site, and those of the mobile site also with their sheets and tickets, as a signed-in
 * user; in the short form of the tests only some of them, which depend on the commit. Returns the texts that are cut
 * off or overlap, by screen, and on the mobile site also texts outside of the window and touch targets that are too
 * small.
 */
async function cutOnWalk({ place, width, height, textPx }: (typeof ENLARGED)[number]) {
  const { context, page } = await openPerson(browser, exchange.origin, { site: place.site, width, height });
  await signInAsDemoTrader(page);
  const settings = await context.newCDPSession(page);
  await settings.send('Page.setFontSizes', { fontSizes: { standard: textPx } });
  const besides = await openSecondTab(context);
  const found: Record<string, readonly string[]> = {};
  const isPhone = place === PHONE;
  const scenes = (isPhone ? MOBILE_SCREENS : DESKTOP_SCREENS).map((path) => plain(path, 'member'));
  if (isPhone) scenes.push(...mobileScenes(traded));
  for (const [index, { name, path, show }] of scenes.entries()) {
    if (!isLongForm && (index + commitSeed) % SHARES !== 0) continue;
    const locale = LOCALES[(index + commitSeed) % LOCALES.length]!;
    await chooseLanguage(besides, page, locale);
    await openScreen(page, place, path);
    await show(page, sentencesIn(locale));
    const faults = await page.evaluate(textCut);
    if (isPhone) faults.push(...(await page.evaluate(textOutside)), ...(await touchFaults(page)));
    if (faults.length > 0) found[`${locale} ${name}`] = faults;
  }
  await context.close();
  return found;
}

async function hasNoFaults(
  place: Viewport,
  who: 'visitor' | 'member',
  paths: readonly string[],
): Promise<void> {
  const scenes = paths.map((path) => plain(path, who, place === DESKTOP));
  expect(await faultsOnWalk(place, scenes, who)).toEqual({});
}

/**
 * Returns the scene (a state of a screen to check) of a screen that needs no action after it was opened by its URL.
 * `checksTargets` has the same meaning as in `InspectionTarget`.
 */
function plain(path: string, who: 'visitor' | 'member', checksTargets = false): Scene {
  const name = `${who}${path.replaceAll(/\W+/g, '-')}`;
  return {
    name,
    path: path === MESSAGE ? `${path}?id=${traded.messageId}` : path,
    checksTargets,
    show: async () => undefined,
  };
}

/**
 * Opens screens and their dialogs as one user. Returns the faults of each screen by its name. In the long form of the
 * tests each screen is opened in every language, and then switched from the last language to the three others while it
 * is open. In the short form only some screens are opened, each in one language that depends on the commit and the
 * screen. English screens are also checked for accessibility, in the dark and the light theme.
 */
async function faultsOnWalk(
  place: Viewport,
  all: readonly Scene[],
  who: 'visitor' | 'member',
): Promise<Record<string, readonly string[]>> {
  const { context, page, complaints } = await openPerson(browser, exchange.origin, place);
  if (who === 'member') await signInAsDemoTrader(page);
  const besides = await openSecondTab(context);
  const found: Record<string, readonly string[]> = {};
  let opened = '';
  let shown: Scene | undefined;
  // In the short form of the tests, the current commit determines which screens are checked.
  const scenes = isLongForm ? all : all.filter((_, index) => (index + commitSeed) % SHARES === 0);
  for (const [index, scene] of scenes.entries()) {
    const before = complaints.length;
    const turn = index + Math.floor(commitSeed / SHARES);
    const other = OTHERS[Math.floor(turn / 2) % OTHERS.length] ?? 'zh-CN';
    const inShort = turn % 2 === 0 ? 'en-US' : other;
    const [first = inShort, ...others] = isLongForm ? fromLast(index) : [inShort];
    // A scene continues on the open screen, which is then not loaded again, only if the scene directly before it in the
    // complete list was shown on the same screen.
    const isGoingOn = scene.path === opened && shown === all[all.indexOf(scene) - 1];
    if (isGoingOn) {
      await chooseLanguage(besides, page, first);
      await waitForLanguage(page, first);
      await closeDialog(page);
    }
    const faults = isGoingOn
      ? []
      : await shiftsOfOpening(page, besides, place, scene.path, [...others, first]);
    opened = scene.path;
    shown = scene;
    await scene.show(page, sentencesIn(first));
    faults.push(...(await faultsOf(page, place, scene, first)));
    for (const next of others) {
      await switchLanguage(page, besides, next);
      faults.push(...(await faultsOf(page, place, scene, next)));
    }
    faults.push(...complaints.slice(before).filter((complaint) => !isExpected(scene, complaint)));
    if (faults.length > 0) found[scene.name] = faults;
  }
  await context.close();
  return found;
}

/**
 * Opens a screen once in each language, because longer or shorter texts shift different elements. The screen stays open
 * in the last language. Returns the layout shifts that are too large, with the language.
 */
async function shiftsOfOpening(
  page: Page,
  besides: Page,
  place: Viewport,
  path: string,
  locales: readonly Locale[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const locale of locales) {
    await chooseLanguage(besides, page, locale);
    await openScreen(page, place, path);
    faults.push(...(await movements(page)).map((fault) => `${locale}: ${fault}`));
  }
  return faults;
}

/** Returns all languages, starting with the language in which the previous scene ends. */
function fromLast(index: number): readonly Locale[] {
  const start = (LOCALES.length - (index % LOCALES.length)) % LOCALES.length;
  return [...LOCALES.slice(start), ...LOCALES.slice(0, start)];
}

/** Returns whether a complaint is expected because the path is unknown. The browser logs the response 404. */
function isExpected({ path }: Scene, complaint: string): boolean {
  return path === NOWHERE && /\b404\b/.test(complaint) && complaint.includes(NOWHERE);
}

async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) === 0) return;
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}
