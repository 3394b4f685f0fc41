import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitSeed, isLongForm, isSelectedByCommit } from '../tools/test-form.ts';
import { signInAsDemoTrader } from './fixtures/actions.ts';
import { DESKTOP_SCREENS, MOBILE_SCREENS } from './fixtures/addresses.ts';
import { closeProfiles, DESKTOP, openPerson, PHONE, sharedBrowser } from './fixtures/browser.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { mobileScenes } from './fixtures/flows.ts';
import {
  chooseLanguage,
  openScreen,
  openSecondTab,
  switchLanguage,
  selectsCut,
  textCut,
  textOutside,
} from './fixtures/inspection.ts';
import { describeWalks, languagesOf, plainScene, SHARES, WALK_MS } from './fixtures/screen-walk.ts';
import { sentencesIn, type Locale } from './fixtures/sentences.ts';
import { touchFaults } from './fixtures/touch-targets.ts';
import { createSampleOrders, type TradedOrders } from './fixtures/trading.ts';

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

describeWalks('every screen, enlarged', { timeout: WALK_MS }, () => {
  // In the short form each commit checks one of the ways to enlarge text. The long form checks all of them.
  for (const enlarged of ENLARGED.filter((_, at) => isSelectedByCommit(at, ENLARGED.length)))
    it(`JRN-186 WEB-1010 WEB-1109 on the ${enlarged.place.site} site cuts off no text at ${enlarged.way}`, async () => {
      expect(await cutOnWalk(enlarged)).toEqual({});
    });
});

/**
 * Opens the enlarged screens of a site, and those of the mobile site also with their sheets and tickets, as a signed-in
 * user. In the long form of the tests each of them is shown in every language; in the short form only some of them are
 * shown, each in one language, which depend on the commit. Returns the texts that are cut off or overlap, by language
 * and screen, and on the mobile site also texts outside of the window and touch targets that are too small.
 */
async function cutOnWalk({ place, width, height, textPx }: (typeof ENLARGED)[number]) {
  const { context, page } = await openPerson(browser, exchange.origin, { site: place.site, width, height });
  await signInAsDemoTrader(page);
  const settings = await context.newCDPSession(page);
  await settings.send('Page.setFontSizes', { fontSizes: { standard: textPx } });
  const besides = await openSecondTab(context);
  const found: Record<string, readonly string[]> = {};
  const isPhone = place === PHONE;
  const check = async (name: string, locale: Locale): Promise<void> => {
    const faults = [...(await page.evaluate(textCut)), ...(await page.evaluate(selectsCut))];
    if (isPhone) faults.push(...(await page.evaluate(textOutside)), ...(await touchFaults(page)));
    if (faults.length > 0) found[`${locale} ${name}`] = faults;
  };
  const scenes = (isPhone ? MOBILE_SCREENS : DESKTOP_SCREENS).map((path) =>
    plainScene(path, 'member', traded.messageId),
  );
  if (isPhone) scenes.push(...mobileScenes(traded));
  for (const [index, { name, path, show }] of scenes.entries()) {
    if (!isLongForm && (index + commitSeed) % SHARES !== 0) continue;
    const [locale, ...others] = languagesOf(index + Math.floor(commitSeed / SHARES));
    await chooseLanguage(besides, page, locale);
    await openScreen(page, place, path);
    await show(page, sentencesIn(locale));
    await check(name, locale);
    if (!isLongForm) continue;
    for (const next of others) {
      await switchLanguage(page, besides, next);
      await check(name, next);
    }
  }
  await context.close();
  return found;
}
