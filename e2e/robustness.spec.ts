import { MINUTE_MS } from '@exchange/core/time.ts';
import { createOrder } from '@exchange/wire/spot.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillIn, logIn, waitForText, signInAsDemoTrader, signUp } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  type Person,
  PHONE,
  openPerson,
  sharedBrowser,
} from './fixtures/browser.ts';
import { callerOf, demoToken } from './fixtures/calls.ts';
import { TradingScreen, TIMEOUT } from './fixtures/trading-screen.ts';
import { isSelectedByCommit } from '../tools/test-form.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';
import { setPairStatus } from './fixtures/operator.ts';
import { below, UNREACHABLE_DISTANCE } from './fixtures/prices.ts';

const EMAIL = 'two.devices@example.com';
const FEED = '**/bb/app/ws';
const DEPTH_CALL = /getHuobiContractDepthV2/;
/**
 * Milliseconds of the page's clock between two requests of the page for the order book without the live feed.
 * The test advances this clock in steps.
 */
const REFRESH_MS = 5_000;
const STEP_MS = 100;

describe('when something goes wrong', () => {
  let exchange: Exchange;
  let browser: Browser;
  let trader: Person;

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([startExchange(), sharedBrowser()]);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    await exchange.stop();
  });
  beforeEach(async () => {
    trader = await signedIn();
  });
  afterEach(async ({ task }) => {
    // If the test fails, its browser context stays open, so that screenshots can be taken.
    if (task.result?.state !== 'fail') await trader.context.close();
  });

  async function visitor(path: string): Promise<Person> {
    const person = await openPerson(browser, exchange.origin, DESKTOP);
    await open(person.page, DESKTOP, path);
    return person;
  }

  async function signedIn(): Promise<Person> {
    const person = await openPerson(browser, exchange.origin, DESKTOP);
    await signInAsDemoTrader(person.page);
    return person;
  }

  const bestBid = (page: Page) =>
    page.getByRole('button', { name: /^Bid / }).first().getAttribute('aria-label');
  const bar = (page: Page) => page.getByText(/^(Connection lost|Prices are out of date)/);

  /** Waits until the best bid changes. */
  async function seesPricesMove(page: Page): Promise<void> {
    const before = await bestBid(page);
    await expect.poll(() => bestBid(page), TIMEOUT).not.toBe(before);
  }

  it('JRN-030 WEB-334 open trading pages survive a killed server: they show a bar that does not move the layout, then live data again without a reload', async () => {
    const phone = await openPerson(browser, exchange.origin, PHONE);
    await open(phone.page, PHONE, '/trade');
    const { page } = trader;
    await open(page, DESKTOP, '/trade');
    await seesPricesMove(page);
    const both = [page, phone.page];
    const forms = () => Promise.all(both.map((shown) => shown.locator('main form').first().boundingBox()));
    await Promise.all(both.map((shown) => shown.locator('main form').first().waitFor()));
    for (const shown of both) await shown.evaluate(() => document.body.setAttribute('data-not-reloaded', ''));
    const places = await forms();

    await exchange.crash();
    for (const shown of both) await bar(shown).waitFor();
    expect(await forms()).toEqual(places);
    await exchange.restart();
    for (const shown of both) await bar(shown).waitFor({ state: 'detached' });
    await seesPricesMove(page);
    for (const shown of both) expect(await shown.locator('body[data-not-reloaded]').count()).toBe(1);
    await page.getByRole('button', { name: 'Buy BTC' }).waitFor();
    await phone.context.close();
  });

  it('JRN-160 WEB-902 parts that are answered with 404 leave the rest of a page usable and load when they are available again', async () => {
    const { context, page } = trader;
    const missing = /\/assets\/(?:candle-chart|chat-button|fill-news)-[^/]+\.js$/;
    await context.route(missing, (route) => route.fulfill({ status: 404, body: 'Not found.' }));
    await open(page, DESKTOP, '/trade');
    const ticket = page.locator('form').filter({ has: page.getByRole('button', { name: 'Buy BTC' }) });
    await ticket.getByLabel('Amount', { exact: true }).fill('0.001');
    const note = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await note.waitFor();
    await open(page, DESKTOP, '/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await open(page, DESKTOP, '/trade');
    await note.waitFor();
    await context.unroute(missing);
    await note.getByRole('button', { name: 'Try again' }).click();
    await note.waitFor({ state: 'detached' });
    await page.locator('canvas').first().waitFor();
  });

  it('JRN-162 a screen that is answered with 404 shows an error within the frame on both sites, and other screens open', async () => {
    const phone = await openPerson(browser, exchange.origin, PHONE);
    for (const [{ context, page }, site] of [
      [trader, DESKTOP],
      [phone, PHONE],
    ] as const) {
      await context.route(/\/assets\/market-screen-[^/]+\.js$/, (route) =>
        route.fulfill({ status: 404, body: 'Not found.' }),
      );
      await open(page, site, '/market');
      await page.getByRole('alert').filter({ hasText: 'Something went wrong on this page' }).waitFor();
      await page
        .getByRole('link', { name: 'Trade', exact: true })
        .or(page.getByRole('link', { name: 'Spot' }))
        .first()
        .click();
      await page.locator('main form').first().waitFor();
    }
    await phone.context.close();
  });

  it('JRN-161 WEB-900 a first notice without a network is shown, and the page keeps working', async () => {
    const { context, page } = trader;
    await open(page, DESKTOP, '/trade');
    const ticket = page.locator('form').filter({ has: page.getByRole('button', { name: 'Buy BTC' }) });
    await ticket.getByLabel('Price', { exact: true }).fill('90000');
    await ticket.getByLabel('Amount', { exact: true }).fill('0.001');
    await context.setOffline(true);
    await ticket.getByRole('button', { name: 'Buy BTC' }).click();
    await waitForText(page, 'No connection to the exchange. Check your network and try again.');
    await ticket.getByRole('button', { name: /^Send again/ }).waitFor();
    await context.setOffline(false);
    await ticket.getByRole('button', { name: /^Send again/ }).click();
    await waitForText(page, /^Order placed: buy /);
    await page.getByRole('button', { name: /^Cancel Buy order/ }).click();
  });

  it('JRN-031 a double click on the order button places one order', async () => {
    const { page } = trader;
    await open(page, DESKTOP, '/trade');
    // The demo data contain one open order.
    await page.getByRole('tab', { name: 'Open orders (1)' }).waitFor();
    await page.getByRole('button', { name: /^Bid / }).first().waitFor();
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Buy BTC' }) });
    await form.getByLabel('Price', { exact: true }).fill('90000');
    await form.getByLabel('Amount', { exact: true }).fill('0.001');
    await form.getByRole('button', { name: 'Buy BTC' }).dblclick();
    await waitForText(page, /^Order placed: buy /);
    // After a reload the number of open orders comes from the server, so it shows whether the double click
    // has placed only one order.
    await page.reload();
    await page.getByRole('tab', { name: 'Open orders (2)' }).waitFor();
    await page.getByRole('button', { name: /^Cancel Buy order/ }).click();
    await page.getByRole('tab', { name: 'Open orders (1)' }).waitFor();
  });

  it('JRN-032 a session revoked on another device leads to the login and shows the reason', async () => {
    const [own, other] = [await visitor('/login/register'), await visitor('/login/login')];
    await signUp(own, EMAIL);
    await logIn(other, EMAIL, 2);
    await open(own.page, DESKTOP, paths.assets);
    await own.page.getByRole('heading', { level: 1 }).waitFor();
    await open(other.page, DESKTOP, paths.security);
    const devices = other.page.getByRole('button', { name: /^Log out: / });
    await devices.first().waitFor();
    for (let left = await devices.count(); left > 0; left -= 1) {
      await devices.first().click();
      await expect.poll(() => devices.count(), TIMEOUT).toBe(left - 1);
    }
    await waitForText(own.page, 'Your session has ended. Please log in again.');
    await own.page.waitForURL('**/pc/login/login?from=*');
    expect(other.complaints).toEqual([]);
    for (const { context } of [own, other]) await context.close();
  });

  it('JRN-033 logging out in one tab sends the other tabs to the login', async () => {
    const { context, page } = trader;
    await open(page, DESKTOP, paths.assets);
    const tab = await context.newPage();
    await open(tab, DESKTOP, '/account/trade?type=4');
    await tab.getByRole('button', { name: 'Account', exact: true }).click();
    await tab.getByRole('button', { name: 'Log out' }).click();
    await waitForText(tab, 'You have logged out.');
    await page.waitForURL('**/pc/login/login?from=*');
  });

  it('JRN-034 without the live feed a request every five seconds updates the prices', async () => {
    const { context, page } = trader;
    await context.routeWebSocket(FEED, (socket) => socket.close());
    await page.clock.install();
    await open(page, DESKTOP, '/trade');
    await bar(page).waitFor();
    await page.getByRole('button', { name: /^Bid / }).first().waitFor();
    await seesPricesMove(page);
    // From here on only the test advances the page's clock, so the result does not depend on the machine's speed.
    await page.clock.pauseAt(Date.now() + MINUTE_MS);
    const calls: string[] = [];
    page.on('request', (request) => {
      if (DEPTH_CALL.test(request.url())) calls.push(request.url());
    });
    while (calls.length === 0) await page.clock.runFor(STEP_MS);
    for (const beat of [1, 2, 3]) {
      expect(calls).toHaveLength(beat);
      await page.clock.runFor(REFRESH_MS - 2 * STEP_MS);
      expect(calls).toHaveLength(beat);
      await page.clock.runFor(2 * STEP_MS);
      await expect.poll(() => calls.length, TIMEOUT).toBe(beat + 1);
    }
  });

  it('JRN-167 WEB-1112 the desktop site opens offline with the last known data, and says so in a bar', async () => {
    const { context, page } = await openPerson(browser, exchange.origin, DESKTOP, 'allow');
    await open(page, DESKTOP);
    const { scope } = await page.evaluate(() =>
      navigator.serviceWorker.ready.then(({ scope: path }) => ({ scope: new URL(path).pathname })),
    );
    expect(scope).toBe('/pc/');
    await signInAsDemoTrader(page);
    const screens = [
      ['/main', 'BTC'],
      ['/market', 'BTC'],
      [paths.assets, 'ETH'],
    ] as const;
    for (const [path] of screens) {
      await open(page, DESKTOP, path);
      await page.getByText(/USDT/).first().waitFor();
      await page.waitForLoadState('networkidle');
    }
    await context.setOffline(true);
    for (const [path, known] of screens) {
      await open(page, DESKTOP, path);
      await page
        .getByText(/^No connection\. Showing data from /)
        .first()
        .waitFor();
      await page.getByText(known, { exact: true }).first().waitFor();
    }
    await context.setOffline(false);
    const response = await context.request.get(
      await page.locator('link[rel="manifest"]').evaluate((link: HTMLLinkElement) => link.href),
    );
    expect(((await response.json()) as { start_url: string }).start_url).toBe('/pc/main');
  });

  it('JRN-167 MOB-201 MOB-202 WEB-332 WEB-940 WEB-941 WEB-948 the installed app opens offline with the last known data, and deletes a user’s data with the session', async () => {
    const { context, page } = await openPerson(browser, exchange.origin, PHONE, 'allow');
    const note = page.getByText(/^No connection\. Showing data from /);
    await open(page, PHONE);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await signInAsDemoTrader(page);
    for (const path of ['/main', '/market', paths.assets]) {
      await open(page, PHONE, path);
      await page.getByText(/USDT/).first().waitFor();
      await page.waitForLoadState('networkidle');
    }
    const worth = page.locator('main section').first();
    const firstDigits = async () => (await worth.innerText()).replaceAll(/[^0-9]/g, '').slice(0, 3);
    await expect.poll(firstDigits, TIMEOUT).not.toBe('');
    const shown = await firstDigits();
    await context.setOffline(true);
    for (const [path, known] of [
      ['/main', 'BTC'],
      ['/market', 'BTC'],
      [paths.assets, 'ETH'],
    ] as const) {
      await open(page, PHONE, path);
      await note.first().waitFor();
      await page.getByText(known, { exact: true }).first().waitFor();
    }
    await expect.poll(firstDigits, TIMEOUT).toBe(shown);
    const stored = await page.evaluate(async () => {
      const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
      const requests = await Promise.all(caches.map((cache) => cache.keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(stored).toContain('/main');
    expect(stored.filter((path) => !/^\/(?:main$|favicon\.svg$|assets\/)/.test(path))).toEqual([]);
    // A screen that was not opened before is not in the cache. Without network the page shows this, and it loads the
    // screen when the network is back.
    await page.goto(`${exchange.origin}/finance/list`);
    await page.getByRole('heading', { name: 'You are offline.' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Earn' }).first().waitFor();
    await open(page, PHONE, paths.my);
    await note.first().waitFor({ state: 'detached' });
    const ownAnswers = () => page.evaluate(() => localStorage.getItem('Last-Own-Answers'));
    expect(await ownAnswers()).toContain('holdings');
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect.poll(ownAnswers, TIMEOUT).toBeNull();
    await context.close();
  });

  it('JRN-168 WEB-944 trading screens of both sites keep working when the browser translates them', async () => {
    // In the short form each commit checks one of the sites. The long form checks both.
    for (const site of [DESKTOP, PHONE].filter((_, at, all) => isSelectedByCommit(at, all.length))) {
      const { context, page, complaints } = await openPerson(browser, exchange.origin, site);
      await open(page, site, '/trade');
      await page.locator('main form').first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.evaluate(translatePage);
      const title = await page.title();
      await expect.poll(() => page.title(), TIMEOUT).not.toBe(title);
      await page.locator('main form input[inputmode="decimal"]').first().fill('90000');
      await page.evaluate(translatePage);
      const markets = site === DESKTOP ? 'a[href$="/market"]' : 'nav a[href="/market"]';
      await page.locator(markets).first().click();
      await page.waitForURL(/\/market$/);
      await page.getByText('ETH').first().waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    }
  });

  it('JRN-169 WEB-942 WEB-945 a page whose scripts do not load has its colours and its loading placeholder', async () => {
    for (const site of [DESKTOP, PHONE]) {
      const { context, page } = await openPerson(browser, exchange.origin, site);
      await page.emulateMedia({ colorScheme: 'light' });
      await context.route(/\/assets\/index-[^/]+\.js$/, (route) => route.abort());
      const look = () =>
        page.evaluate(() => ({
          ground: getComputedStyle(document.body).backgroundColor,
          bars: [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map(
            ({ content }) => content,
          ),
          shape: document.querySelector('#first-shape')?.getBoundingClientRect().height,
        }));
      await open(page, site, '/market');
      const height = site.height;
      const light = { ground: 'rgb(245, 245, 248)', bars: ['#f5f5f8', '#f5f5f8'], shape: height };
      expect(await look()).toEqual(light);
      await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'dark'));
      await open(page, site, '/market');
      expect(await look()).toEqual({
        ground: 'rgb(11, 11, 14)',
        bars: ['#0b0b0e', '#0b0b0e'],
        shape: height,
      });
      await context.close();
    }
  });

  it('JRN-170 WEB-949 a phone in landscape shows the chart over the whole window', async () => {
    const { context, page } = await openPerson(browser, exchange.origin, {
      ...PHONE,
      width: 740,
      height: 360,
    });
    await open(page, PHONE, '/trade?symbol=BTC_USDT&view=chart');
    const plotHeight = () =>
      page.locator('main canvas').evaluateAll((canvases) => {
        const boxes = canvases.map((canvas) => canvas.getBoundingClientRect());
        return Math.max(0, ...boxes.filter(({ width }) => width > 600).map(({ height }) => height));
      });
    await expect.poll(plotHeight, TIMEOUT).toBeGreaterThan(150);
    await page.getByRole('button', { name: 'Close chart' }).click();
    await page.locator('main form').first().waitFor();
    await context.close();
  });

  it('JRN-078 a halted pair shows the halt without a reload, refuses new orders, allows cancels, and trades again', async () => {
    const { page } = trader;
    const desk = new TradingScreen(page);
    const buy = desk.ticket('Buy').getByRole('button', { name: 'Buy BTC' });
    const halted = page.getByText(
      'Trading in BTC/USDT is halted. You can cancel orders, but not place new ones.',
    );
    const placeFar = async () => {
      const price = below(await desk.best('Bid'), UNREACHABLE_DISTANCE).toString();
      await fillIn(desk.ticket('Buy'), { Price: price, Amount: '0.001' });
      await buy.click();
      await desk.waitForOpenOrders(2);
      return price;
    };
    await open(page, DESKTOP, '/trade');
    const price = await placeFar();
    await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''));

    await setPairStatus(exchange, 'btcusdt', 'cancelOnly');
    await halted.waitFor();
    await page.getByText('Cancel only').waitFor();
    expect(await buy.isDisabled()).toBe(true);
    const call = callerOf(exchange.origin);
    const order = { baseCoin: 'BTC', quoteCoin: 'USDT', tradeType: '1', price, amount: '0.001' };
    const placed = call(createOrder.path, { ...order, clientId: crypto.randomUUID() }, await demoToken(call));
    await expect(placed).rejects.toThrow('This market only accepts cancellations right now.');
    await page.getByRole('button', { name: /^Cancel Buy order/ }).click();
    await desk.waitForOpenOrders(1);

    await setPairStatus(exchange, 'btcusdt', 'open');
    await halted.waitFor({ state: 'detached' });
    await placeFar();
    expect(await page.locator('body[data-not-reloaded]').count()).toBe(1);
    await page.getByRole('button', { name: /^Cancel Buy order/ }).click();
    await desk.waitForOpenOrders(1);
    expect(trader.complaints).toEqual([]);
  });
});

/**
 * Runs inside the page. Replaces each text node that may be translated by an element with the same text, like a
 * browser's translator.
 */
function translatePage(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.data.trim() === '' || text.parentElement?.closest('[translate="no"], font') !== null) continue;
    const font = document.createElement('font');
    font.textContent = text.data;
    text.replaceWith(font);
  }
}
