import { Decimal } from '@exchange/core/decimal.ts';
import { LOCALES } from '@exchange/core/locale.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillIn, waitForText, signUp } from './fixtures/actions.ts';
import { closeProfiles, open, type Person, PHONE, openPerson, sharedBrowser } from './fixtures/browser.ts';
import { TIMEOUT } from './fixtures/trading-screen.ts';
import { switchLanguage } from './fixtures/inspection.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';
import { above, below, UNREACHABLE_DISTANCE, priceText } from './fixtures/prices.ts';
import { STILL, ControlledMarket } from './fixtures/controlled-market.ts';
import { reportSteps } from './fixtures/steps.ts';

const EMAIL = 'otis.vale@example.com';

/** Conditional orders on a phone with touch. */
describe('conditional orders on the mobile site', () => {
  let exchange: Exchange;
  let browser: Browser;
  let otis: Person;
  let market: ControlledMarket;
  const page = () => otis.page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([startExchange(STILL), sharedBrowser()]);
    otis = await openPerson(browser, exchange.origin, PHONE);
    market = await ControlledMarket.open(exchange.origin);
    await open(page(), PHONE, paths.register);
    await signUp(otis, EMAIL);
    await open(page(), PHONE, paths.assets);
    await tap('Get demo funds');
    await waitForText(page(), /^Demo funds added: 10,000 USDT/);
    await open(page(), PHONE, paths.trade);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    await exchange.stop();
  });

  const tap = (name: string | RegExp) => page().getByRole('button', { name }).tap();
  const sheet = (name: string) => page().getByRole('dialog', { name });
  const tab = (name: string) => page().getByRole('tab', { name });
  const cards = () => page().getByRole('region', { name: 'Orders' }).getByRole('listitem');

  /** Selects side and type, and fills in the order form. */
  async function fillTicket(side: 'Buy' | 'Sell', type: string, fields: Readonly<Record<string, string>>) {
    await page().getByRole('radiogroup', { name: 'Side' }).getByText(side, { exact: true }).tap();
    await tap(/^Order type: /);
    await sheet('Order type').getByText(type, { exact: true }).tap();
    await sheet('Order type').waitFor({ state: 'detached' });
    await fillIn(page().getByRole('main'), fields);
  }

  /** Opens the details of the first card of a list. Returns their text. */
  async function detailsOf(list: 'Open' | 'Conditional' | 'History'): Promise<string> {
    await tab(list).tap();
    await cards()
      .first()
      .getByRole('link', { name: /details$/ })
      .tap();
    await page().getByRole('heading', { name: 'Order details' }).waitFor();
    await page().getByText('Order ID').waitFor();
    return page().getByRole('main').innerText();
  }

  /** Returns from the details to the order form. */
  async function goBack(): Promise<void> {
    await tap('Back');
    await page().getByRole('region', { name: 'Order book' }).waitFor();
  }

  it('JRN-071 a stop-limit order waits with its condition and trades once the price has come', async () => {
    const stop = below((await market.bidAndAsk(page())).floor);
    const limit = below(stop, Decimal.parse('0.01'));
    await fillTicket('Sell', 'Stop-limit', {
      Trigger: stop.toString(),
      Price: limit.toString(),
      Amount: '0.002',
    });
    await page()
      .getByText(/^If the last price falls to .+ sell 0\.002\sBTC at .+ or higher\.$/)
      .waitFor();
    await tap('Sell BTC');
    await waitForText(
      page(),
      /^Conditional order placed: sell 0\.002 BTC at [\d,.]+ USDT when the price is ≤ [\d,.]+ USDT\.$/,
    );
    await tab('Conditional (1)').tap();
    await cards()
      .first()
      .getByText(`≤ ${priceText(stop)}`)
      .waitFor();
    await market.moveLast('sell', stop);
    await tab('Conditional (0)').waitFor();
    await tab('History').tap();
    await cards().first().getByText('Filled', { exact: true }).first().waitFor();
    expect(await cards().first().innerText()).toMatch(/Sell Stop-limit/);
  });

  it('JRN-072 the details of an order show its fills, its fee and the received amount', async () => {
    const text = await detailsOf('History');
    expect(text).toMatch(/Stop-limit/);
    expect(text).toMatch(/Fills of this order[\s\S]+Taker/);
    expect(text).toMatch(/Fee\s+[\d.]+\s*USDT/);
    expect(text).toMatch(/Received\s+[\d.,]+\s*USDT/);
    await goBack();
  });

  it('JRN-073 an OCO is one card, and the fill of its limit leg ends its stop leg', async () => {
    const { floor, ceiling } = await market.bidAndAsk(page());
    const [limit, stop] = [above(ceiling), below(floor)];
    await fillTicket('Sell', 'OCO', {
      Limit: limit.toString(),
      Trigger: stop.toString(),
      Amount: '0.002',
    });
    await tap('Sell BTC');
    await waitForText(
      page(),
      /^OCO placed: sell 0\.002 BTC at [\d,.]+ USDT, or sell 0\.002 BTC at market when the price is ≤ [\d,.]+ USDT\.$/,
    );
    await tab('Conditional (1)').tap();
    await cards().first().getByText(priceText(limit)).waitFor();
    await cards()
      .first()
      .getByText(`≤ ${priceText(stop)}`)
      .waitFor();
    await market.moveLast('buy', limit);
    await tab('Conditional (0)').waitFor();
    await tab('History').tap();
    const ended = async () => (await cards().allInnerTexts()).slice(0, 2).sort().join('\n');
    await expect.poll(ended, TIMEOUT).toMatch(/OCO · Limit\s+Filled[\s\S]+OCO · Stop-market\s+Canceled/);
  });

  it('JRN-074 an order is changed on its card and keeps its number', async () => {
    const { floor } = await market.bidAndAsk(page());
    const [before, after] = [
      below(floor, UNREACHABLE_DISTANCE),
      below(floor, UNREACHABLE_DISTANCE).minus(Decimal.parse('100')),
    ];
    await fillTicket('Buy', 'Limit', { Price: before.toString(), Amount: '0.001' });
    await tap('Buy BTC');
    await tab('Open (1)').waitFor();
    const number = /Order ID\s+(\S+)/;
    const [, id = ''] = number.exec(await detailsOf('Open')) ?? [];
    await goBack();
    await tap(/^Edit Buy order/);
    const loss = below(after, Decimal.parse('0.1'));
    const exits = { 'Stop loss': loss.toString() };
    await fillIn(sheet('Edit order'), { Price: after.toString(), Amount: '0.002', ...exits });
    await sheet('Edit order')
      .getByText(/^Stop loss ≈ −[\d.,]+\sUSDT$/)
      .waitFor();
    await sheet('Edit order').getByText('The order moves to the back of the queue.').waitFor();
    await sheet('Edit order').getByRole('button', { name: 'Edit order' }).tap();
    await waitForText(page(), 'Order updated.');
    await cards().first().getByText(priceText(after)).waitFor();
    expect(number.exec(await detailsOf('Open'))?.[1]).toBe(id);
    await waitForText(page(), `Price ${priceText(before)} → ${priceText(after)}`);
    await waitForText(page(), 'Amount 0.001 → 0.002');
    await waitForText(page(), `Stop loss none → ${priceText(loss)}`);
    await goBack();
  });

  it('JRN-075 a sheet cancels all open and conditional orders, and nothing stays frozen', async () => {
    const { floor } = await market.bidAndAsk(page());
    await fillTicket('Sell', 'Stop-market', {
      Trigger: below(floor, UNREACHABLE_DISTANCE).toString(),
      Amount: '0.001',
    });
    await tap('Sell BTC');
    await tab('Conditional (1)').waitFor();
    await tap('Cancel all');
    await tap('Cancel 2');
    await waitForText(page(), /^2 orders canceled: (?:BTC\/USDT|all pairs)\.$/);
    await tab('Open (0)').waitFor();
    await tab('Conditional (0)').waitFor();
    await open(page(), PHONE, paths.assets);
    await page().getByText('BTC').first().waitFor();
    expect(await page().getByText('On hold').count()).toBe(0);
  });

  it('JRN-076 a price alert is set by touch and arrives in the inbox', async () => {
    await open(page(), PHONE, paths.trade);
    await tap('Price alert for BTC/USDT');
    const alert = sheet('Price alert for BTC/USDT');
    const level = below((await market.bidAndAsk(page())).floor);
    await fillIn(alert, { Price: level.toString() });
    await alert.getByText(`Notify me when BTC/USDT trades at ${priceText(level)} USDT or lower.`).waitFor();
    await alert.getByRole('button', { name: 'Set alert' }).tap();
    await alert.getByText(`≤ ${priceText(level)} USDT`).waitFor();
    await market.moveLast('sell', level);
    await alert.getByText(`≤ ${priceText(level)} USDT`).waitFor({ state: 'detached' });
    await open(page(), PHONE, paths.messages);
    await page()
      .getByText(/BTC\/USDT/)
      .first()
      .waitFor();
  });

  it('MOB-119 does not move the layout while an amount is typed, in any language and on a narrow phone', async () => {
    const tab = await otis.context.newPage();
    await open(tab, PHONE);
    await open(page(), PHONE, paths.trade);
    const form = page().getByRole('main').locator('form').first();
    const lines = () =>
      form.evaluate((ticket) =>
        [...ticket.querySelectorAll('dl > div, [type="submit"]')].map(
          (one) => one.getBoundingClientRect().top - ticket.getBoundingClientRect().top,
        ),
      );
    for (const locale of [...LOCALES.slice(1), LOCALES[0]]) {
      await switchLanguage(page(), tab, locale);
      for (const width of [360, PHONE.width]) {
        // The window is so high that nothing scrolls and the button does not stick to the bottom edge.
        await page().setViewportSize({ width, height: 2 * PHONE.height });
        for (const side of ['buy', 'sell']) {
          await form.locator(`input[value="${side}"]`).check({ force: true });
          const amount = form.getByRole('textbox').nth(1);
          const before = await lines();
          for (const typed of ['0.001', '0.01234']) {
            await amount.fill(typed);
            expect([locale, width, side, typed, await lines()]).toEqual([locale, width, side, typed, before]);
          }
          await amount.fill('');
        }
      }
    }
    await form.locator('input[value="buy"]').check({ force: true });
    await page().setViewportSize({ width: PHONE.width, height: PHONE.height });
    await tab.close();
  });

  it('JRN-077 has logged no errors in the browser console', () => {
    expect(otis.complaints).toEqual([]);
  });
});
