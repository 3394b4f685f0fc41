import { submitProof } from '@exchange/wire/deposit.ts';
import { FILE_PART } from '@exchange/wire/endpoint.ts';
import { uploadFile } from '@exchange/wire/file.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { addressList, sendWithdrawalCode, submitWithdrawal } from '@exchange/wire/withdrawal.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForText } from './fixtures/actions.ts';
import { closeProfiles, sharedBrowser } from './fixtures/browser.ts';
import { callerOf, demoToken, type Call } from './fixtures/calls.ts';
import { confirmWith, faultsOfScene, goToArea, openAction, twoOperators } from './fixtures/console.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';
import { reportSteps } from './fixtures/steps.ts';

const TRADE_PASSWORD = '258036';
const TRANSACTION = `0x${'5c'.repeat(30)}a1b2`;
const RETYPED = 'The amount again, or the last four characters of the destination';

/** Two operators decide on money, a rate and an identity; the second operator sees the same evidence as the first. */
describe('evidence for the second operator', () => {
  let exchange: Exchange;
  let browser: Browser;
  let maker: Page;
  let approver: Page;
  let call: Call;
  let token: string;
  /** Destination of the withdrawal. */
  let address: string;
  let email: string;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([startExchange(), sharedBrowser()]);
    [maker, approver] = await twoOperators(browser, exchange);
    call = callerOf(exchange.origin);
    token = await demoToken(call);
    ({ email } = (await call(userInfo.path, {}, token)) as { email: string });
  });
  afterAll(async () => {
    await closeProfiles(browser);
    await exchange.stop();
  });

  /** Requests a withdrawal of 12,000 USDT as the demo trader to an address of the address book. */
  async function requestWithdrawal(): Promise<void> {
    const route = { currency: 'USDT', network: 'TRC20' };
    const { list } = (await call(addressList.path, route, token)) as {
      list: readonly { id: string; address: string }[];
    };
    const [kept] = list;
    address = kept!.address;
    const fields = { ...route, amount: '12000', addressId: kept!.id };
    await call(sendWithdrawalCode.path, fields, token);
    const mails = await fetch(`${exchange.origin}/dev/mail.json?to=${encodeURIComponent(email)}`);
    const { list: codes } = (await mails.json()) as { list: readonly { code?: string }[] };
    const mailCode = codes[0]!.code!;
    await call(submitWithdrawal.path, { ...fields, assetsPwd: TRADE_PASSWORD, code: mailCode }, token);
  }

  /** Reports a deposit of 15,000 USDT as the demo trader, with a picture as proof. */
  async function reportDeposit(): Promise<void> {
    const picture = await maker.screenshot({ type: 'jpeg' });
    const upload = new FormData();
    upload.append('purpose', 'proof');
    upload.append(FILE_PART, new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'proof.jpg');
    const response = await fetch(`${exchange.origin}/bb/app${uploadFile.path}`, {
      method: 'POST',
      headers: { 'X-Access-Token': token },
      body: upload,
    });
    const { data } = (await response.json()) as { data: { id: string } };
    await call(
      submitProof.path,
      {
        currency: 'USDT',
        network: 'BEP20',
        amount: '15000',
        proof: data.id,
        remark: 'From my other exchange',
      },
      token,
    );
  }

  /** Opens the proposal with a reason as the approver. */
  async function openProposal(reason: string): Promise<void> {
    await goToArea(approver, 'Overview');
    await goToArea(approver, 'Approvals');
    await approver.getByRole('row').filter({ hasText: reason }).click();
    await evidence().waitFor();
  }
  const evidence = () => approver.getByRole('region', { name: 'What you decide on' });
  /** Returns the faults of the current page at every width and in both themes. */
  const faultsOf = (page: Page, name: string) =>
    faultsOfScene(page, { name: `evidence-${name}`, isComplained: true, open: () => Promise.resolve() });
  /** Returns whether an element is visible without scrolling and not covered. */
  const isInView = (locator: Locator) =>
    locator.evaluate((element) => {
      const { top, left, bottom, right, width, height } = element.getBoundingClientRect();
      if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth) return false;
      const topmost = document.elementFromPoint(left + width / 2, top + height / 2);
      return topmost !== null && (element.contains(topmost) || topmost.contains(element));
    });
  const propose = async (deed: string, reason: string, fields: Readonly<Record<string, string>> = {}) => {
    const form = await openAction(maker, deed);
    for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value);
    await confirmWith(form, reason);
    await waitForText(maker, 'Proposed.');
  };

  it('OPS-660 OPS-662 OPS-663 a withdrawal shows amount, address and customer, and is approved by entering them again', async () => {
    await requestWithdrawal();
    await goToArea(maker, 'Withdrawals');
    await maker.getByRole('row').filter({ hasText: '12,000' }).click();
    await propose('Approve with a second person', 'the owner was called back');
    await openProposal('the owner was called back');
    await evidence().getByText('12,000 USDT').first().waitFor();
    await evidence().getByText(address).first().waitFor();
    await evidence().getByText(email).first().waitFor();
    await evidence().getByRole('link', { name: 'Open their page' }).waitFor();
    expect(await faultsOf(approver, 'withdrawal')).toEqual([]);
    const form = await openAction(approver, 'Approve');
    await form.getByLabel(RETYPED).fill('1200');
    await form.getByLabel('Reason (kept permanently)').fill('looked at it');
    await form.getByRole('button', { name: 'Preview' }).click();
    await form.getByRole('alert').first().waitFor();
    expect(await form.getByLabel('Authenticator code').count()).toBe(0);
    expect(await faultsOf(approver, 'withdrawal-slip')).toEqual([]);
    await form.getByLabel(RETYPED).fill(address.slice(-4));
    await confirmWith(form, 'looked at it');
    await waitForText(approver, 'Done.');
  });

  it('OPS-660 OPS-663 a deposit credit shows the report, the matching transaction and the proof', async () => {
    await reportDeposit();
    await goToArea(maker, 'Deposits');
    await maker.getByRole('row').filter({ hasText: '15,000' }).click();
    await propose('Credit', 'found on the chain', {
      'Amount that came': '15000',
      'Transaction ID on the network': TRANSACTION,
    });
    await openProposal('found on the chain');
    await evidence().getByText('15,000 USDT').first().waitFor();
    await evidence().getByText(TRANSACTION).first().waitFor();
    await evidence().getByText(email).first().waitFor();
    await evidence().getByRole('button', { name: 'Show the proof' }).click();
    await evidence().getByRole('img').first().waitFor();
    expect(await faultsOf(approver, 'deposit')).toEqual([]);
    const form = await openAction(approver, 'Approve');
    await form.getByLabel(RETYPED).fill('15,000');
    await confirmWith(form, 'looked at it');
    await waitForText(approver, 'Done.');
  });

  it('OPS-664 OPS-665 OPS-666 OPS-667 a rate is entered in per cent, refused above its maximum, and shows a warning when it doubles', async () => {
    await goToArea(maker, 'Earn');
    const form = await openAction(maker, 'Publish a product');
    await form.getByLabel('Reason (kept permanently)').fill('a higher rate');
    await form.getByLabel('Daily rate').fill('2.5');
    await form.getByRole('button', { name: 'Preview' }).click();
    await form.getByRole('alert').filter({ hasText: '%' }).first().waitFor();
    expect(await form.getByLabel('Authenticator code').count()).toBe(0);
    expect(await faultsOf(maker, 'rate-refused')).toEqual([]);
    await form.getByLabel('Daily rate').fill('0.09');
    await form.getByRole('button', { name: 'Preview' }).click();
    const warning = form.getByRole('region', { name: 'Look twice' }).getByText('0.09 %');
    await warning.waitFor();
    // The warning must be visible without scrolling.
    expect(await isInView(warning)).toBe(true);
    expect(await faultsOf(maker, 'rate-warned')).toEqual([]);
    await form.getByRole('button', { name: 'Change', exact: true }).click();
    await confirmWith(form, 'a higher rate');
    await waitForText(maker, 'Proposed.');
    await openProposal('a higher rate');
    await evidence().getByRole('region', { name: 'Look twice' }).getByText('0.09 %').waitFor();
    expect(await faultsOf(approver, 'rate')).toEqual([]);
    await confirmWith(await openAction(approver, 'Approve'), 'looked at it');
    await waitForText(approver, 'Done.');
  });

  it('KYC-660 KYC-680 only the operator who opened an identity can decide on it, and a sanctions match is rejected without a note to the user', async () => {
    await goToArea(maker, 'Identity');
    const blind = await openAction(maker, 'Approve');
    await blind.getByLabel('Reason (kept permanently)').fill('unseen');
    await blind.getByRole('button', { name: 'Preview' }).click();
    await blind.getByRole('alert').filter({ hasText: 'Not opened: data, front, back' }).waitFor();
    expect(await faultsOf(maker, 'identity-unopened')).toEqual([]);
    await blind.getByRole('button', { name: 'Cancel' }).click();
    await maker.getByRole('button', { name: 'Show documents' }).click();
    await maker.getByRole('img').nth(1).waitFor();
    const form = await openAction(maker, 'Reject');
    await form.getByLabel(/^Why/).selectOption('sanctions');
    await form.getByLabel('Note that the owner reads').fill('You are on a list');
    await form.getByLabel('Reason (kept permanently)').fill('a match, checked by hand');
    await form.getByRole('button', { name: 'Preview' }).click();
    await form.getByRole('alert').filter({ hasText: 'without a note' }).waitFor();
    expect(await faultsOf(maker, 'identity-note')).toEqual([]);
    await form.getByLabel('Note that the owner reads').fill('');
    await confirmWith(form, 'a match, checked by hand');
    await waitForText(maker, 'Done.');
  });
});
