import { readFileSync } from 'node:fs';
import { Decimal } from '@exchange/core/decimal.ts';
import { depositRecords } from '@exchange/wire/deposit.ts';
import { proofKeys } from '@exchange/wire/proof.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { withdrawalRecords } from '@exchange/wire/withdrawal.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVerifier } from '../apps/server/testing/verifier.ts';
import {
  chooseCoin,
  fillIn,
  waitForText,
  signInAsDemoTrader,
  selectSavedAddress,
  waitInterval,
} from './fixtures/actions.ts';
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
import { mailedCode } from './fixtures/mailbox.ts';
import { rejectWithdrawal } from './fixtures/operator.ts';
import { reportSteps } from './fixtures/steps.ts';

const TRADE_PASSWORD = '258036';
const SENT = Decimal.parse('0.0123');
const WITHDRAWN = Decimal.parse('0.0045');
/** Amount in BTC of a deposit in the demo data that may be credited only some time after the start. */
const DEMO_DEPOSIT = '0.05';

/**
 * Deposits and withdrawals on the demo's simulated networks. On the simulated Bitcoin network a transfer needs two
 * blocks.
 */
describe('deposits and withdrawals', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let phone: Person;
  let call: Call;
  let token: string;
  /** The demo trader's Bitcoin balances right after the withdrawal was requested. */
  let held: Awaited<ReturnType<typeof bitcoin>>;
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

  /** Returns the demo trader's Bitcoin balances from the API. */
  async function bitcoin(): Promise<{ readonly available: Decimal; readonly frozen: Decimal }> {
    const { list } = (await call(spotAssets.path, { currency: 'BTC' }, token)) as {
      list: readonly { availableCurrency: string; frozenCurrency: string }[];
    };
    const [{ availableCurrency, frozenCurrency }] = list as [(typeof list)[number]];
    return { available: Decimal.parse(availableCurrency), frozen: Decimal.parse(frozenCurrency) };
  }
  /**
   * Returns the amounts of the newest credited Bitcoin deposits. The absence of a transfer from the list of pending
   * deposits would not show that it was credited, because a transfer that the exchange has not detected on the network
   * yet is in neither list.
   */
  async function creditedDeposits(): Promise<readonly string[]> {
    const { list } = (await call(depositRecords.path, { currency: 'BTC', status: '1' }, token)) as {
      list: readonly { amount: string }[];
    };
    return list.map(({ amount }) => amount);
  }
  const chooseBitcoin = async (page: Page) => {
    await chooseCoin(page, 'Coin', 'BTC');
    await page.getByRole('button', { name: /^BTC\s*Bitcoin/, pressed: true }).waitFor();
  };
  /** Returns the record of a deposit or withdrawal with an amount such as `0.01 BTC`. */
  const record = (page: Page, amount: string) => {
    const text = amount.replace('.', String.raw`\.`).replace(' ', String.raw`\s*`);
    return page.getByRole('article').filter({ hasText: new RegExp(String.raw`(?<![\d.])${text}`) });
  };
  const sendTest = async (page: Page, amount: string) => {
    await page.getByLabel('Amount', { exact: true }).fill(amount);
    await page.getByRole('button', { name: 'Send a test deposit' }).click();
  };

  it('JRN-124 the phone withdraws to a saved address; the amount of a withdrawal that an operator refuses comes back while the page is open', async () => {
    const { page, context } = phone;
    await signInAsDemoTrader(page);
    await open(page, PHONE, paths.withdraw);
    await chooseBitcoin(page);
    // The demo data contain a deposit that may be credited only some time after the start, so the test waits for it.
    await expect.poll(creditedDeposits).toContain(DEMO_DEPOSIT);
    const before = await bitcoin();
    await selectSavedAddress(page, 'Cold wallet');
    await waitForText(page, 'From your address book: Cold wallet');
    await page.getByLabel('Amount', { exact: true }).fill(WITHDRAWN.toString());
    await page.getByRole('button', { name: 'Continue' }).tap();
    const review = page.getByRole('dialog', { name: 'Review withdrawal' });
    await review.getByText(/^0\.0044\s*BTC$/).waitFor();
    await review.getByRole('button', { name: 'Send code' }).tap();
    const { email } = (await call(userInfo.path, {}, token)) as { email: string };
    const code = await mailedCode(context, email, 1);
    // After a wrong trade password the form shows an error, and the other fields keep their values.
    await fillIn(review, { 'Email code': code, 'Trade password': '741852' });
    await review.getByRole('button', { name: 'Confirm withdrawal' }).tap();
    await review.getByRole('alert').waitFor();
    expect(await review.getByLabel('Email code', { exact: true }).inputValue()).toBe(code);
    await review.getByLabel('Trade password', { exact: true }).fill(TRADE_PASSWORD);
    // The server requires five seconds between two withdrawal requests. The request that it refused counts as the
    // first.
    await waitInterval(5_000);
    await review.getByRole('button', { name: 'Confirm withdrawal' }).tap();
    const requested = page.getByRole('heading', { name: 'Withdrawal requested' });
    await requested.waitFor();
    // The confirmation replaces the form. Its heading must be inside the window, even if the form was scrolled.
    await expect.poll(async () => (await requested.boundingBox())!.y).toBeGreaterThan(0);
    const stage = page.getByRole('list', { name: 'Progress' }).locator('[aria-current="step"]');
    await stage.filter({ hasText: /Checking|Sending|Waiting for confirmations/ }).waitFor();
    held = await bitcoin();
    expect(held.available.toString()).toBe(before.available.minus(WITHDRAWN).toString());
    expect(held.frozen.toString()).toBe(before.frozen.plus(WITHDRAWN).toString());

    // The demo data contain another withdrawal, which waits for an operator and is rejected here.
    const { list } = (await call(withdrawalRecords.path, { currency: 'BTC', status: '0' }, token)) as {
      list: readonly { id: string; amount: string }[];
    };
    const waiting = list.find(({ amount }) => amount === '0.02')!;
    await rejectWithdrawal(exchange, waiting.id, 'duplicate');
    const refused = record(page, '0.02 BTC').filter({ hasText: 'Rejected' });
    await refused.getByText('Duplicate request').waitFor();
    const back = await bitcoin();
    expect(back.available.toString()).toBe(held.available.plus(Decimal.parse('0.02')).toString());
  });

  it('JRN-125 a deposit is shown with its confirmations on the desktop, and credited when it has them all', async () => {
    const { page } = person;
    await signInAsDemoTrader(page);
    await open(page, DESKTOP, paths.deposit);
    await chooseBitcoin(page);
    await page.getByRole('img', { name: 'QR code of your BTC address on Bitcoin' }).waitFor();
    const before = await bitcoin();
    await sendTest(page, SENT.toString());
    await waitForText(page, 'Test deposit sent. It is confirming now.');
    // A deposit on Tron needs twenty confirmations, so when the test reads the record, the deposit is still being
    // confirmed.
    await chooseCoin(page, 'Coin', 'USDT');
    await page.getByRole('img', { name: 'QR code of your USDT address on Tron (TRC20)' }).waitFor();
    await sendTest(page, '12.34');
    await record(page, '12.34 USDT')
      .getByText(/^1?\d\/20 confirmations$/)
      .waitFor();
    await record(page, `${SENT.toString()} BTC`).getByText('Completed').waitFor();
    expect((await bitcoin()).available.toString()).toBe(before.available.plus(SENT).toString());
  });

  it('JRN-126 the withdrawal is sent automatically, confirms, and is deducted once', async () => {
    const { page } = person;
    await open(page, DESKTOP, paths.withdraw);
    const row = record(page, `${WITHDRAWN.toString()} BTC`);
    await row.getByText('Completed').waitFor();
    await row.getByTitle(/^[0-9a-f]{64}$/).waitFor();
    const after = await bitcoin();
    expect(after.frozen.toString()).toBe(
      held.frozen.minus(WITHDRAWN).minus(Decimal.parse('0.02')).toString(),
    );
    await page.getByRole('link', { name: 'How long withdrawals really take' }).click();
    await page.getByRole('heading', { name: 'Withdrawal times', level: 1 }).waitFor();
    await page.getByRole('table', { name: 'Withdrawal times' }).getByRole('row', { name: /^BTC/ }).waitFor();
    expect([...person.complaints, ...phone.complaints]).toEqual([]);
  });

  it('JRN-143 the member’s balance is verified in the proof of liabilities, in the browser and by the file; visitors see the totals', async () => {
    const { page } = person;
    await page.getByRole('contentinfo').getByRole('link', { name: 'Proof of liabilities' }).click();
    await page
      .getByRole('table', { name: 'What we owe, by coin' })
      .getByRole('row', { name: /^USDT/ })
      .waitFor();
    const own = page.getByRole('region', { name: 'Check my balance' });
    await own.getByRole('button', { name: 'Check my balance' }).click();
    await own.getByText('Your balance is included.', { exact: false }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      own.getByRole('button', { name: 'Download my proof' }).click(),
    ]);
    const leaf = readFileSync(await download.path(), 'utf8');
    const keys = await (await fetch(`${exchange.origin}/bb/app${proofKeys.path}`)).text();
    expect(runVerifier('proofs', { 'leaf.json': leaf, 'keys.json': keys })).toMatchObject({ isValid: true });
    const visitor = await openPerson(browser, exchange.origin, PHONE);
    await open(visitor.page, PHONE, paths.proofs);
    await visitor.page.getByRole('table', { name: 'What we owe, by coin' }).waitFor();
    await visitor.page.getByRole('link', { name: 'Log in' }).waitFor();
    expect([...person.complaints, ...visitor.complaints]).toEqual([]);
  });
});
