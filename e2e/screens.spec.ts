import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEGAL_PAGES, paths as desktopPaths, REDIRECTS } from '../apps/desktop/src/paths.ts';
import { paths as mobilePaths } from '../apps/mobile/src/paths.ts';
import { enterAsDemoTrader } from './stage/acts.ts';
import { DESKTOP, launchBrowser, open, PHONE, seat, type Seat } from './stage/browser.ts';
import { startExchange, type Exchange } from './stage/exchange.ts';
import { chineseFaultsOf, faultsOf, openScreen } from './stage/inspection.ts';
import { trade, type Traded } from './stage/trading.ts';

const NOWHERE = '/nowhere';
const MESSAGE = desktopPaths.setting.message;
const FOR_VISITORS = ['/main', '/market', '/trade', '/login/login', '/login/register', '/login/forget'];

const redirected = new Set(REDIRECTS.map(([from]) => from));
const desktopScreens = [
  ...addressesIn(desktopPaths).filter((path) => !redirected.has(path)),
  ...LEGAL_PAGES.map((page) => desktopPaths.about.page(page)),
  NOWHERE,
];
const mobileScreens = [...addressesIn(mobilePaths), '/trade?symbol=BTC_USDT&view=chart', NOWHERE];

/** Every address of a table of paths, however deep; patterns and functions stand for addresses named elsewhere. */
function addressesIn(table: object): string[] {
  const found = Object.values(table).flatMap((entry: unknown) =>
    typeof entry === 'string'
      ? [entry]
      : typeof entry === 'object' && entry !== null
        ? addressesIn(entry)
        : [],
  );
  return [...new Set(found)].filter((path) => !path.includes(':'));
}

let exchange: Exchange;
let browser: Browser;
let traded: Traded;

beforeAll(async () => {
  [exchange, browser] = await Promise.all([startExchange(), launchBrowser()]);
  traded = await trade(exchange.origin);
});
afterAll(async () => {
  await browser.close();
  await exchange.stop();
});

// The four walks share the machine; each is a person with a browser profile of their own.
describe.concurrent('every screen, in dark and light, in English and Chinese', () => {
  it('JRN-040 serves visitors of the desktop site without a fault', async () => {
    expect(await faultsOnWalk(DESKTOP, FOR_VISITORS, 'visitor')).toEqual({});
  });

  it('JRN-041 serves members on the desktop site without a fault', async () => {
    expect(await faultsOnWalk(DESKTOP, desktopScreens, 'member')).toEqual({});
  });

  it('JRN-042 serves visitors of the mobile site without a fault', async () => {
    expect(await faultsOnWalk(PHONE, FOR_VISITORS, 'visitor')).toEqual({});
  });

  it('JRN-043 serves members on the mobile site without a fault', async () => {
    expect(await faultsOnWalk(PHONE, mobileScreens, 'member')).toEqual({});
  });
});

/** Walks one person through screens; gives what is wrong, by screen. */
async function faultsOnWalk(
  place: Seat,
  screens: readonly string[],
  who: 'visitor' | 'member',
): Promise<Record<string, readonly string[]>> {
  const { context, page, complaints } = await seat(browser, exchange.origin, place);
  if (who === 'member') {
    await open(page, place, '/login/login');
    await enterAsDemoTrader(page);
  }
  const found: Record<string, readonly string[]> = {};
  for (const path of screens) {
    const heard = complaints.length;
    await openScreen(page, place, path === MESSAGE ? `${path}?id=${traded.messageId}` : path);
    const faults = [
      ...(await faultsOf(page, place, `${who}${path.replaceAll(/\W+/g, '-')}`)),
      ...(await chineseFaultsOf(page)),
      ...complaints.slice(heard),
    ];
    if (faults.length > 0) found[path] = faults;
  }
  await context.close();
  return found;
}
