import { Decimal } from '@exchange/core/decimal.ts';
import { financeOrders } from '@exchange/wire/finance.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptQuote, chooseCoin, waitForText, signInAsDemoTrader } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  type Person,
  PHONE,
  openPerson,
  sharedBrowser,
} from './fixtures/browser.ts';
import { callerOf, demoToken, ownBalance, type Call } from './fixtures/calls.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { rowsOf } from './fixtures/text-reading.ts';
import { reportSteps } from './fixtures/steps.ts';

const TRADE_PASSWORD = '258036';

/** The demo trader buys an earn product and looks at the progress of earn orders of different ages. */
describe('a product from the purchase to the payment', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let phone: Person;
  let call: Call;
  let token: string;
  const page = () => person.page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    person = await openPerson(browser, exchange.origin, DESKTOP);
    phone = await openPerson(browser, exchange.origin, PHONE);
    call = callerOf(exchange.origin);
    token = await demoToken(call);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
  });

  const available = (coin: string) => ownBalance(call, token, coin);

  it('JRN-120 shows the products to a visitor, and sells one to a signed-in user', async () => {
    await open(page(), DESKTOP, paths.finance);
    await page().getByRole('button', { name: 'Buy USDT 30 days' }).waitFor();
    await waitForText(page(), 'Log in to see your Earn holdings.');
    await page().getByRole('region', { name: 'Products' }).waitFor();
    await signInAsDemoTrader(page());
    await open(page(), DESKTOP, paths.finance);
    const before = await available('USDT');
    await page().getByRole('button', { name: 'Buy USDT 30 days' }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Amount', { exact: true }).fill('1000');
    await waitForText(page(), '30 daily payments of 0.22 USDT');
    await dialog.getByRole('checkbox').check();
    await dialog.getByLabel('Trade password', { exact: true }).fill(TRADE_PASSWORD);
    await dialog.getByRole('button', { name: 'Buy', exact: true }).click();
    await waitForText(page(), 'You subscribed 1,000 USDT to USDT 30 days.');
    expect((await available('USDT')).toString()).toBe(before.minus(Decimal.ofWhole(1_000)).toString());
    await dialog.getByRole('link', { name: 'See my order' }).click();
    await page()
      .getByRole('dialog', { name: 'Order details' })
      .getByText(/^Interest starts .+ listed here\.$/)
      .waitFor();
  });

  it('JRN-121 shows the progress of each order, and pays a matured order that is redeemed', async () => {
    await open(page(), DESKTOP, paths.financeRecord);
    const table = page().getByRole('table', { name: 'Active' });
    await table.waitFor();
    const rows = await rowsOf(table);
    expect(rows[0]?.['Days left']).toMatch(/^Starts /);
    expect(rows.some((row) => /\d+ of 30 days left/.test(row['Days left'] ?? ''))).toBe(true);
    const before = await available('USDT');
    await page().getByRole('button', { name: 'Move USDT 14 days to spot account' }).click();
    await page().getByRole('button', { name: 'Move to spot account' }).click();
    await waitForText(page(), '1,503.78 USDT are in your spot account.');
    // The interest on 1,500 USDT is 0.018 % a day for 14 days, which is 3.78 USDT.
    expect((await available('USDT')).toString()).toBe(before.plus(Decimal.parse('1503.78')).toString());
    await open(page(), DESKTOP, `${paths.financeRecord}?tab=completed`);
    await page()
      .getByRole('row', { name: /USDT 14 days/ })
      .waitFor();
  });

  it('JRN-122 shows the same on the phone, with the income day by day', async () => {
    await signInAsDemoTrader(phone.page);
    await open(phone.page, PHONE, paths.financeRecord);
    const card = phone.page.getByRole('article', { name: 'ETH 60 days' });
    await card.getByText(/of 60 days left/).waitFor();
    await card.getByRole('button').tap();
    const sheet = phone.page.getByRole('dialog', { name: 'Order details' });
    await sheet
      .getByRole('row', { name: /0\.00018/ })
      .first()
      .waitFor();
    const { list } = (await call(financeOrders.path, { status: '1', pageSize: '100' }, token)) as {
      list: readonly { name: string; profit: string }[];
    };
    const earned = list.find(({ name }) => name === 'ETH 60 days')?.profit ?? '';
    expect(await sheet.innerText()).toContain(Decimal.parse(earned).toString());
    expect([...person.complaints, ...phone.complaints]).toEqual([]);
  });

  it('JRN-123 CONV-010 converts at a quote that counts down, on both sites', async () => {
    for (const [site, where, path] of [
      [DESKTOP, page(), paths.convert],
      [PHONE, phone.page, paths.convert],
    ] as const) {
      await open(where, site, path);
      const before = [await available('USDT'), await available('ETH')] as const;
      await chooseCoin(where, 'Coin you receive', 'ETH');
      await where.getByLabel('From', { exact: true }).fill('90');
      await where.getByRole('button', { name: 'Get quote' }).click();
      await waitForText(where, /^Quote valid for \d+ s$/);
      await acceptQuote(where, (button) => button.click());
      const match = /You converted 90 USDT to ([\d.]+) ETH\./.exec(
        (await where.getByRole('status').allTextContents()).join(' '),
      );
      const received = Decimal.parse(match?.[1] ?? '0');
      expect(received.isPositive()).toBe(true);
      expect((await available('USDT')).toString()).toBe(before[0].minus(Decimal.ofWhole(90)).toString());
      expect((await available('ETH')).toString()).toBe(before[1].plus(received).toString());
      await where.getByRole('listitem').filter({ hasText: match![1]! }).first().waitFor();
    }
  });
});
