import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { commitSeed, isLongForm, isTurn } from '../tools/test-form.ts';
import { signInAsDemoTrader } from './stage/acts.ts';
import { DESKTOP_SCREENS, FOR_VISITORS, MOBILE_SCREENS, NOWHERE } from './stage/addresses.ts';
import { closeProfiles, DESKTOP, PHONE, seat, type Seat, sharedBrowser } from './stage/browser.ts';
import { sharedExchange, type SharedExchange } from './stage/exchange.ts';
import {
  chooseLanguage,
  faultsOf,
  movements,
  openScreen,
  speak,
  speaks,
  tabBeside,
  textCut,
  textOutside,
} from './stage/inspection.ts';
import { desktopScenes, mobileScenes, type Scene } from './stage/scenes.ts';
import { trade, type Traded } from './stage/trading.ts';
import { LOCALES, sayIn, type Locale } from './stage/words.ts';

/** The short form sees one screen of so many. */
const SHARES = 10;
/** A page that hangs ends its own step; a whole walk takes as long as its machine does. */
const WALK_MS = 40 * 60_000;
/** Take turns beside English in the short form, from one screen to the next but one. */
const OTHERS = LOCALES.filter((locale) => locale !== 'en-US');
const MESSAGE = paths.message;

let exchange: SharedExchange;
let browser: Browser;
let traded: Traded;

beforeAll(async () => {
  [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
  traded = await trade(exchange.origin);
});
afterAll(async () => {
  await closeProfiles(browser);
  exchange.assertNoErrors();
});

// The walks share the machine; each is a person with a browser profile of their own.
describe.concurrent('every screen, in dark and light, in every language', { timeout: WALK_MS }, () => {
  it('JRN-040 WEB-942 WEB-947 serves visitors of the desktop site without a fault', () =>
    hasNoFaults(DESKTOP, 'visitor', FOR_VISITORS));
  it('JRN-041 serves members on the desktop site without a fault', () =>
    hasNoFaults(DESKTOP, 'member', DESKTOP_SCREENS));
  it('JRN-042 JRN-163 serves visitors of the mobile site without a fault', () =>
    hasNoFaults(PHONE, 'visitor', FOR_VISITORS));
  it('JRN-043 JRN-163 MOB-154 WEB-942 WEB-947 serves members on the mobile site without a fault', () =>
    hasNoFaults(PHONE, 'member', MOBILE_SCREENS));
  it('JRN-079 serves members with dialogs and tickets on the desktop site without a fault', async () => {
    expect(await faultsOnWalk(DESKTOP, desktopScenes(traded), 'member')).toEqual({});
  });
  it('JRN-079 JRN-163 serves members with sheets and tickets on the mobile site without a fault', async () => {
    expect(await faultsOnWalk(PHONE, mobileScenes(traded), 'member')).toEqual({});
  });
});

/** How people enlarge what they read: by the browser's zoom, which makes the window smaller, or by its size of text. */
const ENLARGED = [
  { place: DESKTOP, way: 'a zoom of 200 %', width: 650, height: 450, textPx: 16 },
  { place: DESKTOP, way: 'text of 24 pixels', width: 1_300, height: 900, textPx: 24 },
  { place: PHONE, way: 'text of 130 %', width: 390, height: 844, textPx: 21 },
  { place: PHONE, way: 'text of 200 %', width: 390, height: 844, textPx: 32 },
] as const;

describe.concurrent('every screen, enlarged', { timeout: WALK_MS }, () => {
  // Each commit walks one of the four ways, the long form all.
  for (const enlarged of ENLARGED.filter((_, at) => isTurn(at, ENLARGED.length)))
    it(`JRN-186 WEB-1010 on the ${enlarged.place.site} site cuts nothing off at ${enlarged.way}`, async () => {
      expect(await cutOnWalk(enlarged)).toEqual({});
    });
});

/** Walks a member through the screens of a site, enlarged; returns the texts that are cut or lie over each other, by screen. */
async function cutOnWalk({ place, width, height, textPx }: (typeof ENLARGED)[number]) {
  const { context, page } = await seat(browser, exchange.origin, { site: place.site, width, height });
  await signInAsDemoTrader(page);
  const settings = await context.newCDPSession(page);
  await settings.send('Page.setFontSizes', { fontSizes: { standard: textPx } });
  const besides = await tabBeside(context);
  const found: Record<string, readonly string[]> = {};
  const screens = place === DESKTOP ? DESKTOP_SCREENS : MOBILE_SCREENS;
  for (const [index, path] of screens.entries()) {
    if (!isLongForm && (index + commitSeed) % SHARES !== 0) continue;
    const locale = LOCALES[(index + commitSeed) % LOCALES.length]!;
    await chooseLanguage(besides, locale);
    await openScreen(page, place, plain(path, 'member').path);
    const faults = await page.evaluate(textCut);
    if (place === PHONE) faults.push(...(await page.evaluate(textOutside)));
    if (faults.length > 0) found[`${locale} ${path}`] = faults;
  }
  await context.close();
  return found;
}

async function hasNoFaults(place: Seat, who: 'visitor' | 'member', paths: readonly string[]): Promise<void> {
  const scenes = paths.map((path) => plain(path, who));
  expect(await faultsOnWalk(place, scenes, who)).toEqual({});
}

/** A screen as its address shows it. */
function plain(path: string, who: 'visitor' | 'member'): Scene {
  const name = `${who}${path.replaceAll(/\W+/g, '-')}`;
  return {
    name,
    path: path === MESSAGE ? `${path}?id=${traded.messageId}` : path,
    show: async () => undefined,
  };
}

/**
 * Walks one person through screens and what they open; gives what is wrong, by name. In the long form each is opened
 * in the language that the one before ended in, and then, while it is open, speaks the three others. In the short form
 * it is seen in one of them, with the next commit in another; the English ones also by a screen reader's rules, in dark
 * and in light.
 */
async function faultsOnWalk(
  place: Seat,
  all: readonly Scene[],
  who: 'visitor' | 'member',
): Promise<Record<string, readonly string[]>> {
  const { context, page, complaints } = await seat(browser, exchange.origin, place);
  if (who === 'member') await signInAsDemoTrader(page);
  const besides = await tabBeside(context);
  const found: Record<string, readonly string[]> = {};
  let opened = '';
  let shown: Scene | undefined;
  // In the short form one of so many, the others with other commits.
  const scenes = isLongForm ? all : all.filter((_, index) => (index + commitSeed) % SHARES === 0);
  for (const [index, scene] of scenes.entries()) {
    const before = complaints.length;
    const turn = index + Math.floor(commitSeed / SHARES);
    const other = OTHERS[Math.floor(turn / 2) % OTHERS.length] ?? 'zh-CN';
    const inShort = turn % 2 === 0 ? 'en-US' : other;
    const [first = inShort, ...others] = isLongForm ? fromLast(index) : [inShort];
    // A scene goes on where the one before it in the whole list ends, and nowhere else.
    const isGoingOn = scene.path === opened && shown === all[all.indexOf(scene) - 1];
    // In the long form it speaks already what the scene before it ended in.
    const changesLanguage = !isLongForm || index === 0;
    if (changesLanguage) await chooseLanguage(besides, first);
    if (changesLanguage && isGoingOn) await speaks(page, first);
    if (isGoingOn) await closeDialog(page);
    else await openScreen(page, place, scene.path);
    const faults = isGoingOn ? [] : await movements(page);
    opened = scene.path;
    shown = scene;
    await scene.show(page, sayIn(first));
    faults.push(...(await faultsOf(page, place, scene, first)));
    for (const next of others) {
      await speak(page, besides, next);
      faults.push(...(await faultsOf(page, place, scene, next)));
    }
    faults.push(...complaints.slice(before).filter((complaint) => !isExpected(scene, complaint)));
    if (faults.length > 0) found[scene.name] = faults;
  }
  await context.close();
  return found;
}

/** All languages, from the one on that the scene before ends in. */
function fromLast(index: number): readonly Locale[] {
  const start = (LOCALES.length - (index % LOCALES.length)) % LOCALES.length;
  return [...LOCALES.slice(start), ...LOCALES.slice(0, start)];
}

/** An address that leads nowhere is answered with 404, and the browser says so. */
function isExpected({ path }: Scene, complaint: string): boolean {
  return path === NOWHERE && /\b404\b/.test(complaint) && complaint.includes(NOWHERE);
}

async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) === 0) return;
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}
