import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitSeed, isLongForm } from '../tools/test-form.ts';
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
} from './fixtures/inspection.ts';
import { desktopScenes, mobileScenes, type Scene } from './fixtures/flows.ts';
import { describeWalks, languagesOf, plainScene, SHARES, WALK_MS } from './fixtures/screen-walk.ts';
import { createSampleOrders, type TradedOrders } from './fixtures/trading.ts';
import { LOCALES, sentencesIn, type Locale } from './fixtures/sentences.ts';

/**
 * Languages other than English. In the short form of the tests a screen is opened either in English or in one of them.
 */
const OTHERS = LOCALES.filter((locale) => locale !== 'en-US');

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

describeWalks('every screen, in dark and light, in every language', { timeout: WALK_MS }, () => {
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

async function hasNoFaults(
  place: Viewport,
  who: 'visitor' | 'member',
  paths: readonly string[],
): Promise<void> {
  const scenes = paths.map((path) => plainScene(path, who, traded.messageId, place === DESKTOP));
  expect(await faultsOnWalk(place, scenes, who)).toEqual({});
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
    const [first, ...others]: readonly [Locale, ...Locale[]] = isLongForm ? languagesOf(index) : [inShort];
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
