import { Decimal } from '@exchange/core/decimal.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clickDemoLogin, waitForText, signUp } from './fixtures/actions.ts';
import { closeProfiles, open, type Person, PHONE, openPerson, sharedBrowser } from './fixtures/browser.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { numberIn, formatNumber } from './fixtures/text-reading.ts';
import { placesOfButton } from './fixtures/button-position.ts';
import { reportSteps } from './fixtures/steps.ts';
import { isSelectedByCommit } from '../tools/test-form.ts';

const EMAIL = 'milo.reed@example.com';
const AMOUNT = Decimal.parse('0.01');

/**
 * Browser tests of the first day of a new user on the mobile site, on a phone with touch. They are fewer than those of
 * the desktop site.
 */
describe('a first day on the mobile site', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let milo: Person;
  const page = () => milo.page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    milo = await openPerson(browser, exchange.origin, PHONE);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
  });

  const tabTo = (name: string) =>
    page()
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name, exact: true })
      .tap();
  const tap = (name: string | RegExp) => page().getByRole('button', { name }).tap();
  const orders = () => page().getByRole('region', { name: 'Orders' });
  const card = () => orders().getByRole('listitem').first();

  it('JRN-020 shows a visitor the home page and sends them to the login from a guarded one', async () => {
    await open(page(), PHONE, '/');
    await page()
      .getByRole('heading', { level: 1, name: 'Trade crypto where you can verify every number' })
      .waitFor();
    await tabTo('Assets');
    await page().waitForURL('**/login/login?from=*');
  });

  it('JRN-021 opens an account with a mailed code and gives demo funds', async () => {
    await page().getByRole('link', { name: 'Sign up' }).tap();
    await signUp(milo, EMAIL);
    await tap('Get demo funds');
    await waitForText(page(), /^Demo funds added: 10,000 USDT/);
    await page().getByText('1 of 4 done').waitFor();
    await page().getByRole('link', { name: 'Go to home' }).tap();
  });

  it('JRN-022 shows a resting limit order among the open ones and its hold in the assets, until it is cancelled', async () => {
    await tabTo('Trade');
    const bid = page()
      .getByRole('region', { name: 'Order book' })
      .getByRole('button', { name: /^Use price/ })
      .last();
    const lowest = numberIn(((await bid.getAttribute('aria-label')) ?? '').replace('Use price ', ''));
    const price = Decimal.parse(String(Math.floor(Number(lowest.toString()) * 0.95)));
    await page().getByLabel('Price', { exact: true }).fill(price.toString());
    await page().getByLabel('Amount', { exact: true }).fill(AMOUNT.toString());
    await tap('Buy BTC');
    await waitForText(page(), /^Order placed: buy /);
    await page().getByRole('tab', { name: 'Open (1)' }).waitFor();
    await card()
      .getByText(`${formatNumber(price)}.00`)
      .waitFor();

    await tabTo('Assets');
    await page().getByText('On hold').waitFor();
    await page()
      .getByText(formatNumber(price.timesExact(AMOUNT), 2), { exact: true })
      .waitFor();

    await tabTo('Trade');
    await tap(/^Cancel Buy order/);
    await waitForText(page(), /^Order canceled: buy /);
    await page().getByRole('tab', { name: 'Open (0)' }).waitFor();
  });

  it('JRN-023 fills a market buy at once and shows the fill, its fee and its mark on the chart', async () => {
    await tap('Order type: Limit');
    await page().getByRole('dialog').getByText('Market', { exact: true }).tap();
    await page().getByText('By total').tap();
    await page().getByLabel('Total', { exact: true }).fill('500');
    await tap('Buy BTC');
    await waitForText(page(), /^Bought [\d.]+ BTC at an average of [\d,.]+ USDT\.$/);

    await page().getByRole('tab', { name: 'Trades' }).tap();
    await card().getByText('Taker').waitFor();
    expect(await card().innerText()).toMatch(/Fee\s+0\.0{2,}\d+\s*BTC/);

    await tap('Open chart');
    const marks = page().getByRole('list', { name: 'Your trades on the chart' }).getByRole('listitem');
    await marks.first().waitFor();
    expect(await marks.first().innerText()).toMatch(/^Bought at [\d,.]+/);
    await tap('Close chart');
  });

  it('JRN-176 typing into an order form on a wide and a narrow phone does not move its button', async () => {
    // In the short form each commit checks one of the window widths. The long form checks both.
    const widths = [390, 360].filter((_, at, all) => isSelectedByCommit(at, all.length));
    for (const width of widths) {
      await page().setViewportSize({ width, height: 844 });
      for (const kind of ['Limit', 'Market', 'OCO', 'Trailing stop']) {
        await tap(/^Order type: /);
        await page().getByRole('dialog').getByText(kind, { exact: true }).tap();
        await page().getByRole('dialog').waitFor({ state: 'detached' });
        const ticket = page()
          .locator('form')
          .filter({ has: page().getByRole('button', { name: 'Buy BTC' }) });
        expect(await placesOfButton(ticket), `${kind} at ${width}`).toHaveLength(1);
      }
    }
    await page().setViewportSize(PHONE);
  });

  it('JRN-177 scrolls the information of a pair to its end and no further', async () => {
    await tap('Open chart');
    await page().getByRole('tab', { name: 'Info' }).tap();
    await page().getByRole('heading', { name: 'Fees' }).waitFor();
    const beyond = await page().evaluate(() => {
      const last = document.querySelector('main')!.getBoundingClientRect().bottom + window.scrollY;
      return document.documentElement.scrollHeight - last;
    });
    // Less than 80 pixels may follow the last row: they are the height of the tab bar at the bottom of the screen.
    expect(beyond).toBeLessThan(80);
    await page().getByRole('tab', { name: 'Chart' }).tap();
    await tap('Close chart');
  });

  it('JRN-181 opens a chart with the first tap in the markets, and a coin of the assets on its own page', async () => {
    await tabTo('Markets');
    await page()
      .getByRole('link', { name: /^BTC\/USDT/ })
      .tap();
    await page().waitForURL('**/trade?symbol=BTC_USDT&view=chart');
    await page().getByLabel('BTCUSDT candlestick chart').waitFor();
    await page().goBack();
    await page().waitForURL('**/market');

    await tabTo('Assets');
    await page().getByRole('link', { name: /^BTC/ }).tap();
    await page().waitForURL('**/account/coin?coin=BTC');
    await page().getByText('Avg. cost (USDT)').waitFor();
    await page().getByRole('heading', { name: 'BTC history' }).waitFor();
    await page().getByRole('link', { name: 'Trade', exact: true }).first().waitFor();
    await page().goBack();
    await page().waitForURL(`**${paths.assets}`);
  });

  it('JRN-024 switches to Chinese and English', async () => {
    await tabTo('My');
    await tap(/^Language/);
    await page().getByRole('radio', { name: '简体中文' }).tap();
    await page().getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '资产' }).waitFor();
    await page().getByRole('radio', { name: 'English (US)' }).tap();
    await tap('Close');
    await page().getByRole('link', { name: 'Assets', exact: true }).waitFor();
  });

  it('JRN-025 logs out with a notice, and as the demo trader returns to the requested page with one tap', async () => {
    await tap('Log out');
    await waitForText(page(), 'You have logged out.');
    await open(page(), PHONE, '/account/trade');
    await page().waitForURL('**/login/login?from=*');
    await clickDemoLogin(page());
    await page().waitForURL('**/account/trade');
  });

  it('JRN-026 has logged no errors in the browser console', () => {
    expect(milo.complaints).toEqual([]);
  });
});
