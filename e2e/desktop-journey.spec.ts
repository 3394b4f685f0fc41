import { Decimal } from '@exchange/core/decimal.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clickDemoLogin, logIn, waitForText, signUp } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  type Person,
  PHONE,
  openPerson,
  sharedBrowser,
} from './fixtures/browser.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { codeOnMailPage, mailedCode } from './fixtures/mailbox.ts';
import { numberIn, rowsOf, formatNumber } from './fixtures/text-reading.ts';
import { reportSteps } from './fixtures/steps.ts';

const EMAIL = 'vera.stone@example.com';
const AMOUNT = Decimal.parse('0.01');
/**
 * A window that is high enough for all 20 rows of the order book, so that the book also shows an order below the market
 * makers' orders.
 */
const TALL = { ...DESKTOP, height: 1200 };
const SPENT = Decimal.parse('1000');

/** The first day of a new user on the desktop site. Each test depends on the tests before it. */
describe('a first day on the desktop site', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let vera: Person;
  const page = () => vera.page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    vera = await openPerson(browser, exchange.origin, TALL);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
  });

  const navigate = (name: string) =>
    page()
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name, exact: true })
      .click();
  const table = (name: string) => page().getByRole('table', { name });
  const buyForm = () =>
    page()
      .locator('form')
      .filter({ has: page().getByRole('button', { name: 'Buy BTC' }) });
  const buy = () => buyForm().getByRole('button', { name: 'Buy BTC' }).click();
  const showOrders = (name: string | RegExp) => page().getByRole('tab', { name }).click();

  /** Returns the balances of a coin from the table below the chart. */
  async function balanceOf(coin: string): Promise<{ available: Decimal; frozen: Decimal }> {
    await showOrders('Balances');
    await table('Balances').waitFor();
    const row = (await rowsOf(table('Balances'))).find((cells) => cells['Coin'] === coin);
    return { available: numberIn(row?.['Available'] ?? ''), frozen: numberIn(row?.['On hold'] ?? '') };
  }

  /**
   * Returns a price at which a buy order rests: 5 % below the best bid, rounded down to a multiple of 100
   * USDT, so that the book shows it unchanged at its widest price step.
   */
  async function restingPrice(): Promise<Decimal> {
    const best = page().getByRole('button', { name: /^Bid / }).first();
    const bestBid = numberIn((await best.getAttribute('aria-label')) ?? '');
    return Decimal.parse(String(Math.floor((Number(bestBid.toString()) * 0.95) / 100) * 100));
  }

  it('JRN-001 shows a visitor the home page with live prices', async () => {
    await open(page(), DESKTOP, '/');
    await page()
      .getByRole('heading', { level: 1, name: 'Trade crypto where you can verify every number' })
      .waitFor();
    await page().getByText('BTC').first().waitFor();
  });

  it('JRN-002 sends a visitor of a guarded page to the login', async () => {
    await open(page(), DESKTOP, paths.assets);
    await page().waitForURL('**/pc/login/login?from=*');
    await page().getByRole('heading', { name: 'Log in' }).waitFor();
  });

  it('JRN-003 opens an account with a mailed code', async () => {
    await page().getByRole('link', { name: 'Create account' }).click();
    await signUp(vera, EMAIL);
    await page().getByRole('button', { name: 'Account', exact: true }).waitFor();
    expect(await codeOnMailPage(vera.context, EMAIL)).toBe(await mailedCode(vera.context, EMAIL, 1));
  });

  it('JRN-004 WEB-271 shows the first tasks and gives demo funds', async () => {
    await page().getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
    await page().getByText('0 of 4 done').waitFor();
    await page().getByRole('button', { name: 'Get demo funds' }).click();
    await waitForText(page(), /^Demo funds added: 10,000 USDT/);
    await page().getByText('1 of 4 done').waitFor();
    await navigate('Assets');
    await page().getByRole('row', { name: /^USDT/ }).getByText('10,000.00').first().waitFor();
  });

  it('JRN-005 shows a resting limit order in the book, in the open orders and as frozen balance', async () => {
    await navigate('Spot');
    const before = await balanceOf('USDT');
    const price = await restingPrice();
    await buyForm().getByLabel('Price', { exact: true }).fill(price.toString());
    await buyForm().getByLabel('Amount', { exact: true }).fill(AMOUNT.toString());
    await buy();
    await waitForText(page(), /^Order placed: buy [\d.]+ BTC at [\d,.]+ USDT\.$/);

    await showOrders('Open orders (1)');
    const [order] = await rowsOf(table('Open orders'));
    expect(order).toMatchObject({
      Pair: 'BTC/USDT',
      Side: 'Buy',
      Type: 'Limit',
      Price: `${formatNumber(price)}.00`,
    });
    expect(numberIn(order?.['Amount'] ?? '')).toEqual(AMOUNT);

    const steps = page().getByLabel('Grouping');
    await steps.selectOption({ index: (await steps.getByRole('option').count()) - 1 });
    await page().getByRole('button', { name: 'Bids', exact: true }).click();
    await page()
      .getByRole('button', { name: `Bid ${formatNumber(price)}, amount 0.01000` })
      .waitFor();

    const held = price.timesExact(AMOUNT);
    const after = await balanceOf('USDT');
    expect(after.frozen).toEqual(held);
    expect(after.available).toEqual(before.available.minus(held));
  });

  it('JRN-006 releases the full amount when the order is cancelled', async () => {
    await showOrders(/^Open orders/);
    await page()
      .getByRole('button', { name: /^Cancel Buy order of 0.01 BTC/ })
      .click();
    await waitForText(page(), /^Order canceled: buy [\d.]+ BTC at [\d,.]+ USDT\.$/);
    await page().getByRole('tab', { name: 'Open orders (0)' }).waitFor();
    const { frozen } = await balanceOf('USDT');
    expect(frozen.isZero()).toBe(true);
  });

  it('JRN-179 starts an order at the price axis of the chart, drags it, undoes and applies the change, and cancels it', async () => {
    const canvas = page().locator('section[aria-label$="candlestick chart"] [data-chart]');
    const box = (await canvas.boundingBox())!;
    const plus = page().getByRole('button', { name: /^Use .* in the order form$/ });
    const pointAt = (x: number, y: number) => page().mouse.move(box.x + x, box.y + y, { steps: 3 });
    // The order is placed slightly below the best bid. At every price to which the test drags it, the order then rests.
    const bid = page().getByRole('button', { name: /^Bid / }).first();
    const bestBid = numberIn((await bid.getAttribute('aria-label')) ?? '');
    let price = bestBid;
    let low = box.height * 0.25;
    while (!price.isLess(bestBid) && low < box.height) {
      low += 6;
      await pointAt(box.width / 4, low);
      if (await plus.isVisible()) price = numberIn((await plus.getAttribute('aria-label')) ?? '');
    }
    low += 20;
    await pointAt(box.width / 4, low);
    price = numberIn((await plus.getAttribute('aria-label')) ?? '');
    await plus.click();
    const priceField = buyForm().getByLabel('Price', { exact: true });
    expect(numberIn(await priceField.inputValue()).equals(price)).toBe(true);
    expect(await page().getByRole('tab', { name: 'Open orders (0)' }).isVisible()).toBe(true);

    await buyForm().getByLabel('Amount', { exact: true }).fill(AMOUNT.toString());
    await buy();
    await showOrders('Open orders (1)');
    const order = page().getByRole('list', { name: 'Your orders on the chart' }).getByRole('listitem');
    const priceOf = async () => numberIn((await order.first().textContent())!.split(' at ')[1]!);
    /**
     * Returns an x coordinate within the cancel button that the chart shows on an order's line, for the
     * line's y coordinate. Throws if there is no such button.
     */
    const crossAt = async (y: number): Promise<number> => {
      for (let x = box.width - 4; x > box.width / 2; x -= 6) {
        await pointAt(x, y);
        if ((await canvas.getAttribute('data-line')) === 'cancel') return x - 4;
      }
      throw new Error('The order has no cross in the chart.');
    };
    const cross = await crossAt(low);
    const drag = async (from: number, to: number) => {
      await pointAt(cross - 30, from);
      await page().mouse.down();
      await pointAt(cross - 30, to);
      await page().mouse.up();
    };
    await drag(low, low - 12);
    await page().getByRole('button', { name: 'Undo' }).click();
    expect((await priceOf()).equals(price)).toBe(true);

    await drag(low, low - 12);
    const moved = await priceOf();
    expect(moved.isMore(price)).toBe(true);
    await page().getByRole('button', { name: 'Apply now' }).click();
    await waitForText(page(), 'Order updated.');
    const orders = await rowsOf(table('Open orders'));
    expect(numberIn(orders[0]?.['Price'] ?? '').equals(moved)).toBe(true);

    await pointAt(await crossAt(low - 12), low - 12);
    await page().mouse.down();
    await page().mouse.up();
    await waitForText(page(), /^Order canceled: buy /);
    await page().getByRole('tab', { name: 'Open orders (0)' }).waitFor();
  });

  it('JRN-007 fills a market buy at once: fills, fee, balances and the mark on the chart agree', async () => {
    const usdtBefore = await balanceOf('USDT');
    const btcBefore = await balanceOf('BTC');
    await page().getByRole('tab', { name: 'Market', exact: true }).click();
    await buyForm().getByRole('combobox').selectOption('total');
    await buyForm().getByLabel('Total', { exact: true }).fill(SPENT.toString());
    await buy();
    await waitForText(page(), /^Bought [\d.]+ BTC at an average of [\d,.]+ USDT\.$/);

    await showOrders('Trade history');
    await table('Trade history').waitFor();
    const fills = await rowsOf(table('Trade history'));
    expect(fills.length).toBeGreaterThan(0);
    const sum = (title: string) =>
      fills
        .map((fill) => numberIn(fill[title] ?? ''))
        .reduce((total, next) => total.plus(next), Decimal.zero);
    for (const fill of fills) {
      expect(fill).toMatchObject({ Pair: 'BTC/USDT', Side: 'Buy', Role: 'Taker' });
      expect(fill['Fee']).toMatch(/BTC$/);
      expect(numberIn(fill['Fee'] ?? '').isPositive()).toBe(true);
    }

    const usdtAfter = await balanceOf('USDT');
    const btcAfter = await balanceOf('BTC');
    expect(usdtBefore.available.minus(usdtAfter.available)).toEqual(sum('Total'));
    expect(btcAfter.available.minus(btcBefore.available)).toEqual(sum('Amount').minus(sum('Fee')));

    const marks = page().getByRole('list', { name: 'Your trades on the chart' }).getByRole('listitem');
    await marks.first().waitFor();
    expect(await marks.count()).toBe(fills.length);
    expect(await marks.first().innerText()).toContain(`Bought at ${fills[0]?.['Price']}`);
  });

  it('JRN-200 adds a chart to the desk, links pairs, saves the layout and finds it again, and moves a panel to a window', async () => {
    await page().getByRole('link', { name: 'Pro desk' }).click();
    const tab = (name: string) => page().getByRole('tab', { name, exact: true });
    const button = (name: string) => page().getByRole('button', { name, exact: true });
    await tab('Chart BTC/USDT').waitFor();
    await button('Add panel').click();
    await button('Chart').click();
    await expect.poll(() => tab('Chart BTC/USDT').count()).toBe(2);
    const added = page().getByRole('tabpanel', { name: 'Chart BTC/USDT' }).last();
    await added.getByLabel('Link group').selectOption({ label: 'B' });
    await added.getByLabel('Pair').selectOption({ label: 'ETH/USDT' });
    await tab('Chart ETH/USDT').waitFor();
    // The order book is moved to the link group of the added chart and then shows its pair. The order form remains
    // linked to the first chart.
    const book = page().getByRole('tabpanel', { name: /^Order book/ });
    await book.getByLabel('Link group').selectOption({ label: 'B' });
    await tab('Order book ETH/USDT').waitFor();
    await tab('Order form BTC/USDT').waitFor();

    await button('Layout').click();
    await button('Save layout as…').click();
    await page().getByLabel('Layout name').fill('Morning');
    await page().getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await waitForText(page(), 'Layout saved: Morning');
    await page().reload();
    await button('Layout: Morning').waitFor();
    await tab('Chart ETH/USDT').waitFor();
    await tab('Order book ETH/USDT').waitFor();

    const [opened] = await Promise.all([
      vera.context.waitForEvent('page'),
      button('Open in new window: Order book ETH/USDT').click(),
    ]);
    const bid = opened.getByRole('button', { name: /^Bid / }).first();
    await bid.waitFor();
    expect(await opened.title()).toBe('Order book ETH/USDT | Amethyst');
    expect(await opened.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await tab('Order book ETH/USDT').count()).toBe(0);
    await opened.getByRole('button', { name: 'Return to desk: Order book ETH/USDT' }).click();
    await tab('Order book ETH/USDT').waitFor();
    await button('Open in new window: Orders BTC/USDT').click();
    await expect.poll(() => vera.context.pages().length).toBe(2);
    // Navigating from the desk to another screen closes the separate windows into which panels were moved.
    await navigate('Spot');
    await expect.poll(() => vera.context.pages().length).toBe(1);
    await showOrders('Trade history');
  });

  it('JRN-008 switches to Chinese and English without leaving the page, in every tab', async () => {
    const inbox = await vera.context.newPage();
    await open(inbox, DESKTOP, paths.messages);
    await inbox.getByText('Welcome to Amethyst').waitFor();
    await page().getByRole('button', { name: 'Language', exact: true }).click();
    await page().getByRole('button', { name: '简体中文' }).click();
    await page().getByRole('tab', { name: '成交记录' }).waitFor();
    expect(await page().locator('html').getAttribute('lang')).toBe('zh-CN');
    await inbox.getByText('欢迎来到 Amethyst').waitFor();
    const english = page().getByRole('button', { name: 'English (US)' });
    if (!(await english.isVisible())) await page().getByRole('button', { name: '语言', exact: true }).click();
    await english.click();
    await page().getByRole('tab', { name: 'Trade history' }).waitFor();
    await inbox.getByText('Welcome to Amethyst').waitFor();
    await inbox.close();
  });

  it('JRN-009 logs out with a notice and protects private pages', async () => {
    await page().getByRole('button', { name: 'Account', exact: true }).click();
    await page().getByRole('button', { name: 'Log out' }).click();
    await waitForText(page(), 'You have logged out.');
    await open(page(), DESKTOP, '/account/trade?type=4');
    await page().waitForURL('**/pc/login/login?from=*');
  });

  it('JRN-010 signs a visitor in as the demo trader with one click', async () => {
    const guest = await openPerson(browser, exchange.origin, DESKTOP);
    await open(guest.page, DESKTOP, '/login/login');
    await clickDemoLogin(guest.page);
    await open(guest.page, DESKTOP, paths.assets);
    await guest.page.getByRole('row', { name: /^BTC/ }).waitFor();
    expect(guest.complaints).toEqual([]);
    await guest.context.close();
  });

  it('JRN-011 logs in again with a mailed code and returns to the requested page', async () => {
    await logIn(vera, EMAIL, 2);
    await page().waitForURL('**/pc/account/trade?type=4');
    await page().getByRole('tab', { name: 'Trade history' }).click();
    await table('Trade history').getByRole('cell', { name: 'BTC/USDT' }).first().waitFor();
  });

  it('JRN-151 uses the language stored with the account on a phone without a chosen language', async () => {
    await page().getByRole('button', { name: 'Language', exact: true }).click();
    await page().getByRole('button', { name: '日本語' }).click();
    await page().locator('html[lang="ja-JP"]').waitFor();
    const phone = await openPerson(browser, exchange.origin, PHONE);
    await open(phone.page, PHONE, paths.about);
    // The test copies the session to the phone's browser, because a second login needs a mailed code, which the server
    // sends only a minute after the last one.
    const session = await page().evaluate(() =>
      Object.entries(localStorage).filter(([key]) => key.startsWith('User-') && key !== 'User-Lang'),
    );
    await phone.page.evaluate((kept) => {
      for (const [key, value] of kept) localStorage.setItem(key, value as string);
    }, session);
    await open(phone.page, PHONE, paths.about);
    await phone.page.locator('html[lang="ja-JP"]').waitFor();
    expect(phone.complaints).toEqual([]);
    await phone.context.close();
  });

  it('JRN-012 has logged no errors in the browser console', () => {
    expect(vera.complaints).toEqual([]);
  });
});
