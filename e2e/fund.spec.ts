import type { DataOf } from '@exchange/wire/endpoint.ts';
import { fundRecords } from '@exchange/wire/fund.ts';
import { messagePage } from '@exchange/wire/message.ts';
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
import { callerOf, demoToken, type Call } from './fixtures/calls.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { reportSteps } from './fixtures/steps.ts';

const TRADE_PASSWORD = '258036';

/**
 * Browser tests in which the demo trader buys and sells fund units on both sites, adds margin, and verifies
 * the unit value of a sale on the phone. They also check the record and the inbox messages of a liquidation.
 */
describe('a leveraged position from its purchase to the proof of its end', () => {
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

  it('FUND-201 FUND-202 shows the holdings of a fund and a purchase preview, and buys units', async () => {
    await open(page(), DESKTOP, paths.home);
    await page().getByRole('navigation', { name: 'Main navigation' }).getByText('Funds').click();
    await page().getByRole('article', { name: 'Payments' }).waitFor();
    await signInAsDemoTrader(page());
    await open(page(), DESKTOP, paths.fund);
    await page().getByRole('article', { name: 'Payments' }).getByRole('link', { name: 'View fund' }).click();
    await page()
      .getByRole('img', { name: /^Unit value over time/ })
      .waitFor();
    await waitForText(page(), 'Insurance fund');
    const ticket = page().getByRole('region', { name: 'Buy Payments' });
    await ticket.getByLabel('Margin', { exact: true }).fill('19.5');
    await ticket.getByRole('button', { name: 'Buy', exact: true }).click();
    await waitForText(page(), /You entered 19\.5/);
    await ticket.getByLabel('Margin', { exact: true }).fill('150');
    await ticket.getByText('3×', { exact: true }).click();
    await ticket.getByText(/^\(−3[12]\.\d+%\)$/).waitFor();
    await ticket.getByLabel('Trade password', { exact: true }).fill(TRADE_PASSWORD);
    await ticket.getByRole('button', { name: 'Buy', exact: true }).click();
    const held = page().getByRole('article', { name: 'Payments' });
    await held.getByText(/^Margin ratio/).waitFor();
    const profit = page().getByText('Unrealized profit', { exact: true }).locator('+ dd');
    const before = await profit.textContent();
    await expect.poll(() => profit.textContent()).not.toBe(before);
  });

  it('FUND-203 FUND-204 adds margin, sells everything at the next value and verifies it, on the phone', async () => {
    await signInAsDemoTrader(phone.page);
    await open(phone.page, PHONE, paths.fundRecord);
    const held = phone.page.getByRole('article', { name: 'Payments' });
    await held.getByRole('button', { name: 'Add margin' }).tap();
    const sheet = phone.page.getByRole('dialog');
    await sheet.getByLabel('Amount', { exact: true }).fill('50');
    await sheet.getByLabel('Trade password', { exact: true }).fill(TRADE_PASSWORD);
    await sheet.getByRole('button', { name: 'Add margin' }).tap();
    await waitForText(phone.page, 'Margin added.');
    await sheet.waitFor({ state: 'hidden' });
    await held.getByRole('button', { name: 'Sell' }).tap();
    await sheet.getByText('100%', { exact: true }).tap();
    await sheet.getByRole('button', { name: 'Sell', exact: true }).tap();
    await held.waitFor({ state: 'detached' });
    await open(phone.page, PHONE, `${paths.fundRecord}?tab=sold`);
    await held.getByRole('button', { name: 'Check this value' }).tap();
    await waitForText(phone.page, /^Recomputed on your device from the public price record/);
    const { sum } = (await call(fundRecords.path, { status: '2' }, token)) as { sum: number };
    expect(sum).toBe(2);
  });

  it('FUND-206 buys on the phone, and sells on the desktop', async () => {
    await open(phone.page, PHONE, paths.fund);
    await phone.page
      .getByRole('article', { name: 'Payments' })
      .getByRole('link', { name: 'View fund' })
      .tap();
    await phone.page.getByRole('button', { name: 'Buy', exact: true }).tap();
    const ticket = phone.page.getByRole('dialog');
    await ticket.getByLabel('Margin', { exact: true }).fill('120');
    await ticket.getByLabel('Trade password', { exact: true }).fill(TRADE_PASSWORD);
    await ticket.getByRole('button', { name: 'Buy', exact: true }).tap();
    await phone.page
      .getByRole('article', { name: 'Payments' })
      .getByText(/^Margin/)
      .first()
      .waitFor();
    await open(page(), DESKTOP, paths.fundRecord);
    const held = page().getByRole('article', { name: 'Payments' });
    await held.getByRole('button', { name: 'Sell' }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByText('100%', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Sell', exact: true }).click();
    await held.waitFor({ state: 'detached' });
    await open(page(), DESKTOP, `${paths.fundRecord}?tab=sold`);
    await page().getByRole('article', { name: 'Payments' }).first().waitFor();
  });

  it('FUND-205 the records contain the liquidation, and the inbox both warnings before it', async () => {
    await open(page(), DESKTOP, `${paths.fundRecord}?tab=liquidated`);
    const ended = page().getByRole('article', { name: 'Meme coins' });
    await ended.getByText('Liquidated at', { exact: true }).waitFor();
    await ended.getByRole('button', { name: 'Check this liquidation' }).waitFor();
    const { list } = (await call(messagePage.path, { pageSize: '50' }, token)) as DataOf<typeof messagePage>;
    const warnings = list.filter(({ title }) => /^Meme coins: (margin|position)/.test(title));
    // The list of inbox messages begins with the newest one.
    expect(warnings.map(({ title }) => title)).toEqual([
      'Meme coins: position liquidated',
      'Meme coins: margin ratio below 1.2',
      'Meme coins: margin ratio below 1.5',
    ]);
    await open(page(), DESKTOP, `${paths.message}?id=${warnings[1]!.id}`);
    await waitForText(page(), 'Meme coins: margin ratio below 1.2');
    await open(phone.page, PHONE, `${paths.fundRecord}?tab=liquidated`);
    await phone.page.getByRole('article', { name: 'Meme coins' }).waitFor();
    expect([...person.complaints, ...phone.complaints]).toEqual([]);
  });
});
