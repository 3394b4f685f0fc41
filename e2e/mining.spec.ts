import { Decimal } from '@exchange/core/decimal.ts';
import { miningOrders } from '@exchange/wire/mining.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForText, signInAsDemoTrader } from './fixtures/actions.ts';
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
import { reportSteps } from './fixtures/steps.ts';

const TRADE_PASSWORD = '258036';

/** The demo trader buys mining products and redeems older orders, each on both sites. */
describe('a mining order from the purchase to redeeming', () => {
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

  it('MIN-201 MIN-202 MIN-204 shows the products to a visitor, and sells one to a signed-in user', async () => {
    await open(page(), DESKTOP, paths.home);
    await page().getByRole('navigation', { name: 'Main navigation' }).getByText('Mining').click();
    await page().getByRole('button', { name: 'Buy BTC mining 30 days' }).waitFor();
    await waitForText(page(), 'Fixed rate set by the operator');
    await signInAsDemoTrader(page());
    await open(page(), DESKTOP, paths.mining);
    const before = await available('BTC');
    await page().getByRole('button', { name: 'Buy BTC mining 30 days' }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Amount', { exact: true }).fill('0.01');
    await waitForText(page(), '30 daily credits of 0.0000008 BTC');
    await dialog.getByRole('checkbox').check();
    await dialog.getByLabel('Trade password', { exact: true }).fill(TRADE_PASSWORD);
    await dialog.getByRole('button', { name: 'Buy', exact: true }).click();
    await waitForText(page(), 'You subscribed 0.01 BTC to BTC mining 30 days.');
    expect((await available('BTC')).toString()).toBe(before.minus(Decimal.parse('0.01')).toString());
    await dialog.getByRole('link', { name: 'See my order' }).click();
    await page()
      .getByRole('dialog', { name: 'Order details' })
      .getByText(/^Income starts/)
      .waitFor();
  });

  it('MIN-203 shows redeemable orders on the phone, and redeems one with one tap', async () => {
    await signInAsDemoTrader(phone.page);
    await open(phone.page, PHONE, `${paths.miningRecord}?tab=redeemable`);
    const before = await available('LTC');
    await phone.page.getByRole('article', { name: 'LTC mining 7 days' }).last().getByRole('button').tap();
    const sheet = phone.page.getByRole('dialog', { name: 'Order details' });
    await sheet.getByRole('img', { name: '7 of 7 days credited' }).waitFor();
    await sheet.getByRole('button', { name: 'Redeem' }).tap();
    await waitForText(phone.page, '6 LTC are in your spot account.');
    expect((await available('LTC')).toString()).toBe(before.plus(Decimal.ofWhole(6)).toString());
    const { sum } = (await call(miningOrders.path, { status: '3' }, token)) as { sum: number };
    expect(sum).toBe(2);
  });

  it('MIN-205 buys on the phone, and redeems on the desktop', async () => {
    await open(phone.page, PHONE, paths.mining);
    await phone.page.getByRole('button', { name: 'Buy BTC mining 30 days' }).tap();
    const sheet = phone.page.getByRole('dialog');
    await sheet.getByLabel('Amount', { exact: true }).fill('0.02');
    await sheet.getByRole('checkbox').check();
    await sheet.getByLabel('Trade password', { exact: true }).fill(TRADE_PASSWORD);
    await sheet.getByRole('button', { name: 'Buy', exact: true }).tap();
    await waitForText(phone.page, 'You subscribed 0.02 BTC to BTC mining 30 days.');
    const before = await available('LTC');
    await open(page(), DESKTOP, `${paths.miningRecord}?tab=redeemable`);
    await page().getByRole('button', { name: 'Redeem' }).first().click();
    const dialog = page().getByRole('dialog', { name: 'Order details' });
    await dialog.getByRole('button', { name: 'Redeem' }).click();
    await waitForText(page(), '9 LTC are in your spot account.');
    expect((await available('LTC')).toString()).toBe(before.plus(Decimal.ofWhole(9)).toString());
    expect([...person.complaints, ...phone.complaints]).toEqual([]);
  });
});
