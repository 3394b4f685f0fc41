import { submitProof } from '@exchange/wire/deposit.ts';
import { FILE_PART } from '@exchange/wire/endpoint.ts';
import { uploadFile } from '@exchange/wire/file.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { addressList, sendWithdrawalCode, submitWithdrawal } from '@exchange/wire/withdrawal.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForText, signInAsDemoTrader } from './fixtures/actions.ts';
import { closeProfiles, DESKTOP, open, PHONE, openPerson, sharedBrowser } from './fixtures/browser.ts';
import { callerOf, demoToken, type Call } from './fixtures/calls.ts';
import { STILL } from './fixtures/controlled-market.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';
import { commitSeed, isLongForm } from '../tools/test-form.ts';
import {
  areasOf,
  openConsole,
  codeAt,
  confirmByKeyboard,
  confirmWith,
  signInAs,
  faultsOfArea,
  faultsOfPage,
  faultsOfScene,
  goToArea,
  openAction,
  signIn,
  twoOperators,
} from './fixtures/console.ts';
import { SCENES } from './fixtures/console-flows.ts';
import { accessibilityViolations } from './fixtures/inspection.ts';
import { reportSteps } from './fixtures/steps.ts';

/**
 * The short form of the tests checks only every n-th area of the console, where n is this number. The current commit
 * determines the first of them.
 */
const SHARES = 6;
const WALK_MS = 15 * 60_000;
const TRADE_PASSWORD = '258036';
const TRANSACTION = `0x${'5c'.repeat(30)}a1b2`;
const RETYPED = 'The amount again (for a payment also: the last four characters of its destination)';

let exchange: Exchange;
let browser: Browser;

// All tests of this file share an exchange, because a start takes as long as several tests. Its market makers are off,
// because operators need no market.
beforeAll(async () => {
  [exchange, browser] = await Promise.all([startExchange(STILL), sharedBrowser()]);
});
afterAll(() => exchange.stop());

/**
 * Returns whether an element is completely within the browser window and its middle is not covered by another element.
 */
const isInView = (locator: Locator) =>
  locator.evaluate((element) => {
    const { top, left, bottom, right, width, height } = element.getBoundingClientRect();
    if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth) return false;
    const topmost = document.elementFromPoint(left + width / 2, top + height / 2);
    return topmost !== null && (element.contains(topmost) || topmost.contains(element));
  });

/** Two operators change the terms of a product, preview them as users see them, and restore the earlier terms. */
describe('terms on the operators’ console', () => {
  let owner: Page;
  let approver: Page;
  reportSteps();

  beforeAll(async () => {
    [owner, approver] = await twoOperators(browser, exchange);
  });
  afterAll(() => closeProfiles(browser));

  const asUsersSee = (page: Page) => page.getByRole('region', { name: 'As users would see it' });
  const decide = async (reason: string) => {
    await goToArea(approver, 'Approvals');
    await approver.getByRole('button', { name: 'Reload' }).click();
    await approver.getByRole('row').filter({ hasText: reason }).click();
    await asUsersSee(approver).getByRole('article').waitFor();
  };
  const approve = async () => {
    await confirmWith(await openAction(approver, 'Approve'), 'looked at it');
    await waitForText(approver, 'Done.');
  };

  it('OPS-073 OPS-074 OPS-077 proposer and approver see the product card of users in each language', async () => {
    await goToArea(owner, 'Earn');
    const form = await openAction(owner, 'Publish a product');
    await form.getByLabel('Daily rate').fill('0.0345');
    await form.getByLabel(/^Name \(Korean\)/).fill('');
    await form.getByLabel('Reason (kept permanently)').fill('the journey raises it');
    await form.getByRole('button', { name: 'Preview' }).click();
    const card = asUsersSee(owner).getByRole('article');
    await card.getByText('0.0345%').waitFor();
    await asUsersSee(owner).getByText('Total interest').waitFor();
    expect(await isInView(form.getByRole('button', { name: 'Confirm' }))).toBe(true);
    expect(await isInView(form.getByText('What changes'))).toBe(true);
    await asUsersSee(owner).getByRole('button', { name: '日本語' }).click();
    await asUsersSee(owner)
      .getByText('利回りの源泉')
      .or(asUsersSee(owner).locator('[lang="ja-JP"]'))
      .first()
      .waitFor();
    await asUsersSee(owner)
      .getByRole('button', { name: /^한국어/ })
      .click();
    await asUsersSee(owner).getByText('users read English: Name').waitFor();
    await asUsersSee(owner).locator('[lang="ko-KR"]').getByRole('article').waitFor();
    expect(await owner.locator('html').getAttribute('lang')).toBe('en-US');
    expect(await faultsOfPage(owner, 'terms')).toEqual([]);
    await form.getByLabel('Authenticator code').fill(await codeAt(owner));
    await form.getByRole('button', { name: 'Confirm' }).click();
    await waitForText(owner, 'Proposed.');
    await decide('the journey raises it');
    await asUsersSee(approver).getByText('0.0345%').waitFor();
    expect(await faultsOfPage(approver, 'terms')).toEqual([]);
    await approve();
  });

  it('OPS-071 OPS-072 an earlier version is proposed again and becomes the next one', async () => {
    await goToArea(owner, 'Overview');
    await goToArea(owner, 'Earn');
    await owner.getByRole('button', { name: 'Versions' }).click();
    const versions = owner.getByRole('list', { name: 'Versions' });
    const newest = versions.getByRole('listitem', { name: 'Version 2' });
    await newest.getByText('Published now').waitFor();
    await newest.getByText('the journey raises it').waitFor();
    await newest.getByRole('button', { name: /^What changed/ }).click();
    await newest.getByRole('row').filter({ hasText: '0.0345 %' }).waitFor();
    expect(await faultsOfPage(owner, 'terms')).toEqual([]);
    await versions.getByRole('button', { name: 'Propose again: Version 1' }).click();
    const form = owner.getByRole('region', { name: 'Publish a product' });
    await form.getByText('Filled in from version 1.').waitFor();
    expect(await form.getByLabel('Daily rate').inputValue()).not.toBe('0.0345');
    expect(await faultsOfPage(owner, 'terms')).toEqual([]);
    await confirmWith(form, 'the journey takes it back');
    await waitForText(owner, 'Proposed.');
    await decide('the journey takes it back');
    await approve();
    await owner.getByRole('button', { name: 'Reload' }).click();
    // The approved change reloads the rows of the page. The test waits for the row with the new version number, because
    // a list of versions that is opened before would belong to the old row.
    await owner.getByRole('row').nth(1).getByRole('cell', { name: '3', exact: true }).waitFor();
    await owner.getByRole('button', { name: 'Versions' }).click();
    await versions.getByRole('listitem', { name: 'Version 3' }).getByText('Published now').waitFor();
    expect(await versions.getByRole('listitem').count()).toBe(3);
  });

  it('EDGE-200 EDGE-201 EDGE-202 the overview shows disk space, mail and reserves, each with its runbook entry', async () => {
    for (const [part, entry] of [
      ['Disk', 'less than 1 GiB free'],
      ['Mail', 'for five minutes without any success'],
      ['Reserves', 'covers less than 14 days'],
    ] as const) {
      await goToArea(owner, 'Overview');
      await owner.getByRole('link', { name: `Runbook: ${part}` }).waitFor();
      expect(await faultsOfPage(owner, 'terms')).toEqual([]);
      await owner.getByRole('link', { name: `Runbook: ${part}` }).click();
      await owner.getByRole('row').filter({ hasText: entry }).waitFor();
    }
  });
});

/**
 * Browser tests in which one operator proposes to approve a withdrawal, to credit a deposit and to publish a rate. The
 * second operator sees the evidence and approves. In the last test a single operator decides on an identity.
 */
describe('evidence for the second operator', () => {
  let maker: Page;
  let approver: Page;
  let call: Call;
  let token: string;
  /** Destination address of the withdrawal. */
  let address: string;
  let email: string;
  reportSteps();

  beforeAll(async () => {
    [maker, approver] = await twoOperators(browser, exchange);
    call = callerOf(exchange.origin);
    token = await demoToken(call);
    ({ email } = (await call(userInfo.path, {}, token)) as { email: string });
  });
  afterAll(() => closeProfiles(browser));

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

  /** Opens the proposal that has this reason, as the approver. */
  async function openProposal(reason: string): Promise<void> {
    await goToArea(approver, 'Overview');
    await goToArea(approver, 'Approvals');
    await approver.getByRole('row').filter({ hasText: reason }).click();
    await evidence().waitFor();
  }
  const evidence = () => approver.getByRole('region', { name: 'What you decide on' });
  /** Waits until the console's page has loaded. Returns the faults that `faultsOfPage` finds. */
  const faultsOf = (page: Page, name: string) =>
    faultsOfScene(page, { name: `evidence-${name}`, isComplained: true, open: () => Promise.resolve() });
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
    // The warning must be inside the window although the test does not scroll.
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

/**
 * Browser tests of the console with two operators. For example, the first operator halts a pair and proposes to open
 * it, and the second one approves.
 */
describe('the operators’ console', () => {
  let owner: Page;
  let approver: Page;
  reportSteps();

  beforeAll(async () => {
    [owner, approver] = [await openConsole(browser, exchange), await openConsole(browser, exchange)];
  });
  afterAll(() => closeProfiles(browser));

  /**
   * Changes the trading status of the selected pair after the preview. If the change needs two operators,
   * only proposes it.
   */
  async function setStatus(status: string, reason: string): Promise<void> {
    const form = await openAction(owner, 'Change status');
    await form.getByLabel('Status').selectOption(status);
    if (status !== 'open') await form.getByLabel('Public reason').selectOption('maintenance');
    await confirmWith(form, reason);
  }
  const statusOf = async (symbol: string) =>
    owner.getByRole('row').filter({ hasText: symbol }).first().innerText();

  it('OPS-001 OPS-004 OPS-039 accepts only the right password and shows the state of the exchange', async () => {
    await signIn(owner, 'owner', 'not the password');
    await owner.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    await signInAs(owner, 'owner');
    expect(await owner.locator('html').getAttribute('lang')).toBe('en-US');
    await owner.getByRole('listitem').filter({ hasText: 'Reconciliation' }).getByText('up').waitFor();
    await signInAs(approver, 'approver');
  });

  it('OPS-090 offers a way out of an unknown area', async () => {
    await owner.evaluate(() => (location.hash = 'treasure'));
    await owner.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    expect(await accessibilityViolations(owner)).toEqual([]);
    await owner.getByRole('button', { name: 'Go to the overview' }).click();
    await owner.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });

  it('OPS-010 OPS-012 halts a pair at once, and opens it only with a second operator', async () => {
    await goToArea(owner, 'Pairs');
    await owner.getByRole('cell', { name: 'BTC/USDT' }).waitFor();
    await setStatus('cancelOnly', 'the journey halts it');
    await waitForText(owner, 'Done.');
    await expect.poll(() => statusOf('BTC/USDT')).toContain('cancel only');
    await setStatus('open', 'the journey opens it');
    await waitForText(owner, 'Proposed. Another operator must approve it within 24 hours.');
    expect(await statusOf('BTC/USDT')).toContain('cancel only');
    await goToArea(approver, 'Approvals');
    await approver.getByRole('row').filter({ hasText: 'the journey opens it' }).click();
    await waitForText(approver, 'What changes');
    await confirmWith(await openAction(approver, 'Approve'), 'looked at it');
    await waitForText(approver, 'Done.');
    await owner.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => statusOf('BTC/USDT')).toContain('open');
  });

  it('HELP-002 HELP-003 HELP-010 HELP-013 a visitor reads the help and asks on the phone, and sees the answer on the desktop', async () => {
    const { page: phone } = await openPerson(browser, exchange.origin, PHONE);
    await open(phone, PHONE, paths.contact);
    await phone.getByRole('searchbox').fill('confirmations');
    await phone.getByRole('link', { name: /^Deposit coins/ }).click();
    await phone.getByRole('heading', { name: 'Deposit coins' }).waitFor();
    await phone.getByRole('button', { name: 'Customer service' }).click();
    const popup = phone.getByRole('dialog', { name: 'Customer service' });
    await popup.getByRole('button', { name: 'Send' }).click();
    await popup.getByRole('alert').first().waitFor();
    await popup.getByLabel('Topic').selectOption('deposit');
    await popup.getByLabel('Email for our reply').fill('visitor@example.com');
    await popup.getByLabel('Your message').fill('Which network is the cheapest?');
    await popup.getByRole('button', { name: 'Send' }).click();
    await waitForText(phone, 'We’ll reply to visitor@example.com.');
    await goToArea(owner, 'Customer service');
    await owner.getByRole('row').filter({ hasText: 'Which network is the cheapest?' }).waitFor();
    const { page: person } = await openPerson(browser, exchange.origin, DESKTOP);
    await signInAsDemoTrader(person);
    await open(person, DESKTOP, paths.contact);
    await person.getByRole('article').filter({ hasText: 'Answered' }).last().waitFor();
    await phone.close();
    await person.close();
  });

  it('DEP-020 DEP-024 WEB-333 a deposit is reported with its proof and waits for an operator', async () => {
    const { page: person } = await openPerson(browser, exchange.origin, DESKTOP);
    await signInAsDemoTrader(person);
    await open(person, DESKTOP, paths.deposit);
    await person.getByRole('button', { name: /BEP20/ }).click();
    await person.getByLabel('Amount sent').fill('75');
    await person.getByRole('button', { name: 'Report the deposit' }).click();
    await waitForText(person, 'Upload the proof of your transfer.');
    // After the form was sent with missing fields, the first missing field has the focus.
    await person.getByLabel('Where it comes from').and(person.locator(':focus')).fill('My other exchange');
    const proof = await person.screenshot({ type: 'jpeg' });
    await person
      .getByLabel('Proof of the transfer', { exact: true })
      .setInputFiles({ name: 'proof.jpg', mimeType: 'image/jpeg', buffer: proof });
    await waitForText(person, /^Uploaded/);
    await person.getByRole('button', { name: 'Report the deposit' }).click();
    await person.getByRole('button', { name: /TRC20/ }).click();
    await person.getByRole('article').filter({ hasText: 'Under review' }).waitFor();
    await goToArea(owner, 'Deposits');
    await owner.getByRole('row').filter({ hasText: 'My other exchange' }).waitFor();
    await person.close();
  });

  it('OPS-040 OPS-042 two operators publish a banner, the phone shows it, and a visitor who closes it does not see it again', async () => {
    await goToArea(owner, 'Announcements');
    await owner.getByRole('button', { name: 'Banners', exact: true }).click();
    await owner.getByRole('button', { name: 'New banner' }).click();
    const form = owner.getByRole('region', { name: 'New banner' });
    await form.getByLabel('Code').fill('journey');
    await form.getByLabel('Place in the order').fill('0');
    await form.getByLabel('Artwork').selectOption('spot');
    await form.getByLabel(/^Leads to/).fill('/market');
    for (const [language, words] of [
      ['English', 'Journeys are open'],
      ['Chinese', '旅程已上线'],
      ['Korean', '여정 오픈'],
      ['Japanese', '旅を公開'],
    ] as const) {
      await form.getByLabel(`Title (${language})`).fill(words);
      await form.getByLabel(`Text (${language})`).fill(words);
    }
    await form.getByLabel('Shown from (UTC)').fill('2026-01-01T00:00:00');
    await form.getByLabel('Shown until (UTC)').fill('');
    await form.getByLabel('Reason (kept permanently)').fill('the journey publishes it');
    await form.getByRole('button', { name: 'Preview' }).click();
    await confirmByKeyboard(owner);
    await waitForText(owner, 'Proposed. Another operator must approve it within 24 hours.');
    await goToArea(approver, 'Approvals');
    await approver.getByRole('button', { name: 'Reload' }).click();
    await approver.getByRole('row').filter({ hasText: 'the journey publishes it' }).click();
    await approver.getByRole('button', { name: 'Approve' }).waitFor();
    await approver.keyboard.press('a');
    await approver.keyboard.type('looked at it');
    await approver.keyboard.press('Enter');
    await confirmByKeyboard(approver);
    await waitForText(approver, 'Done.');
    const { page: phone } = await openPerson(browser, exchange.origin, PHONE);
    const highlights = phone.getByRole('list', { name: 'Highlights' });
    const banner = highlights.getByRole('listitem').filter({ hasText: 'Journeys are open' });
    const home = async () => {
      await open(phone, PHONE, paths.home);
      await highlights.waitFor();
      return banner.count();
    };
    // The site may show a banner only some seconds after it was published, so the test polls.
    await expect.poll(home).toBe(1);
    await banner.getByRole('button', { name: /^Close/ }).tap();
    await banner.waitFor({ state: 'detached' });
    expect(await home()).toBe(0);
    await phone.getByRole('link', { name: /Welcome to the Amethyst demo/ }).tap();
    await phone.getByRole('heading', { name: 'Announcements' }).waitFor();
    await phone.close();
  });

  it('OPS-020 OPS-023 logs every action, can be used by keyboard, and is accessible', async () => {
    await goToArea(owner, 'Audit log');
    await waitForText(owner, 'the journey halts it');
    await goToArea(owner, 'Identity');
    const chosen = () => owner.locator('tr[aria-current]').innerText();
    await owner.locator('tr[aria-current]').waitFor();
    const first = await chosen();
    await owner.keyboard.press('j');
    await expect.poll(chosen).not.toBe(first);
    await owner.keyboard.press('k');
    await expect.poll(chosen).toBe(first);
    expect(await accessibilityViolations(owner)).toEqual([]);
  });

  it(
    'OPS-023 OPS-037 WEB-1107 shows every area at every width and in both themes without a fault',
    { timeout: WALK_MS },
    async () => {
      const all = await areasOf(owner);
      expect(all.length).toBeGreaterThan(15);
      const found: Record<string, readonly string[]> = {};
      for (const hash of all.filter((_, index) => isLongForm || (index + commitSeed) % SHARES === 0)) {
        const faults = await faultsOfArea(owner, hash);
        if (faults.length > 0) found[hash] = faults;
      }
      expect(found).toEqual({});
    },
  );

  it('OPS-026 OPS-038 counts pending work, lists approvals first, and links each part to the runbook', async () => {
    await goToArea(owner, 'Pairs');
    await setStatus('closed', 'the journey closes it');
    await waitForText(owner, 'Done.');
    await setStatus('open', 'the journey asks for it');
    await waitForText(owner, 'Proposed.');
    const count = owner.getByRole('link', { name: /^Approvals ?1 waiting$/ });
    await count.waitFor();
    await goToArea(owner, 'Overview');
    await waitForText(owner, 'Yours: another operator decides');
    await goToArea(approver, 'Overview');
    const waiting = approver.getByRole('listitem').filter({ hasText: 'the journey asks for it' });
    await waiting.getByRole('link', { name: 'Decide' }).click();
    await approver.getByRole('heading', { name: 'Approvals' }).waitFor();
    await goToArea(owner, 'Approvals');
    await owner.getByText('You proposed this').waitFor();
    expect(await owner.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await goToArea(owner, 'Overview');
    await owner.getByRole('link', { name: 'Runbook: Ledger' }).click();
    await owner.getByRole('row').filter({ hasText: 'an asset is halted' }).waitFor();
  });

  it('OPS-034 shows that a list cannot be loaded, and loads it on retry', async () => {
    await owner.route('**/ops/sources', (route) => route.abort());
    await goToArea(owner, 'Price sources');
    await waitForText(owner, 'The server does not answer.');
    await owner.unroute('**/ops/sources');
    await owner.getByRole('button', { name: 'Try again' }).click();
    await owner.getByRole('cell', { name: 'aster' }).waitFor();
  });

  it('OPS-060 OPS-069 explains why a code is refused, keeps the entered fields, and accepts a code with spaces', async () => {
    await goToArea(owner, 'Pairs');
    const form = await openAction(owner, 'Change status');
    await form.getByLabel('Status').selectOption('cancelOnly');
    await form.getByLabel('Public reason').selectOption('prices');
    await form.getByLabel('Reason (kept permanently)').fill('typed once');
    await form.getByRole('button', { name: 'Preview' }).click();
    const code = form.getByLabel('Authenticator code');
    await code.and(owner.locator(':focus')).waitFor();
    const right = await codeAt(owner);
    await owner.keyboard.type(String((Number(right) + 1) % 1_000_000).padStart(6, '0'));
    await owner.keyboard.press('Enter');
    await form
      .getByRole('alert')
      .filter({ hasText: 'Incorrect authenticator code. 4 attempts left' })
      .waitFor();
    expect(await code.inputValue()).toBe('');
    await owner.keyboard.insertText(`${right.slice(0, 3)} ${right.slice(3)}`);
    expect(await code.inputValue()).toBe(right);
    await owner.keyboard.press('Enter');
    await waitForText(owner, 'Done.');
    const again = await openAction(owner, 'Change status');
    await again.getByLabel('Status').selectOption('closed');
    await again.getByLabel('Public reason').selectOption('other');
    await again.getByLabel('Reason (kept permanently)').fill('typed twice');
    await again.getByRole('button', { name: 'Preview' }).click();
    await again.getByLabel('Authenticator code').and(owner.locator(':focus')).waitFor();
    await owner.keyboard.type(right);
    await owner.keyboard.press('Enter');
    await again.getByRole('alert').filter({ hasText: 'already been used' }).waitFor();
    await again.getByText(/^Next code in \d+ s$/).waitFor();
    expect(await again.getByText('typed twice').isVisible()).toBe(true);
    expect(await accessibilityViolations(owner)).toEqual([]);
    await again.getByRole('button', { name: 'Cancel' }).click();
  });

  it('OPS-070 after an expired session the same operator continues with the entered fields, and another operator sees none of them', async () => {
    await goToArea(owner, 'Pairs');
    const form = await openAction(owner, 'Change status');
    await form.getByLabel('Status').selectOption('open');
    await form.getByLabel('Reason (kept permanently)').fill('half a thought');
    await form.getByRole('button', { name: 'Preview' }).click();
    await form.getByLabel('Authenticator code').fill(await codeAt(owner));
    await owner.context().clearCookies();
    await owner.keyboard.press('Enter');
    const door = owner.getByRole('dialog', { name: 'Sign in' });
    await door.getByText('Your session has ended.').waitFor();
    expect(await owner.getByText('half a thought').isVisible()).toBe(false);
    await owner.keyboard.press('Escape');
    await owner.keyboard.press('Escape');
    expect(await door.getByLabel('Name', { exact: true }).inputValue()).toBe('owner');
    expect(await accessibilityViolations(owner)).toEqual([]);
    await signIn(owner, 'owner');
    await door.waitFor({ state: 'detached' });
    expect(await owner.getByText('half a thought').isVisible()).toBe(true);
    const code = form.getByLabel('Authenticator code');
    expect(await code.inputValue()).toBe('');
    expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
    await code.fill(await codeAt(owner));
    await owner.context().clearCookies();
    await owner.keyboard.press('Enter');
    await door.waitFor();
    await signIn(owner, 'approver');
    await door.waitFor({ state: 'detached' });
    await owner.getByText('approver', { exact: true }).first().waitFor();
    expect(await owner.getByText('half a thought').count()).toBe(0);
    expect(await owner.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    await owner.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signInAs(owner, 'owner');
  });

  it('OPS-030 OPS-031 OPS-032 finds a user by keyboard, shows their balances, and holds their withdrawals', async () => {
    await owner.keyboard.press('Control+k');
    await owner.keyboard.type('demo.trader');
    await owner.keyboard.press('Enter');
    const found = owner
      .getByRole('listbox', { name: 'Found' })
      .getByRole('option', { name: /demo\.trader@/ });
    await found.waitFor();
    expect(await accessibilityViolations(owner)).toEqual([]);
    await owner.keyboard.press('Enter');
    await owner.getByRole('heading', { name: /demo\.trader@/ }).waitFor();
    await owner.getByRole('button', { name: 'Balances' }).click();
    await owner.getByRole('cell', { name: 'USDT' }).first().waitFor();
    const hold = await openAction(owner, 'Hold withdrawals');
    await hold.getByLabel('Hours').fill('2');
    await confirmWith(hold, 'the journey holds them');
    await waitForText(owner, 'Withdrawals held');
    await owner.getByRole('button', { name: 'Decisions' }).click();
    await waitForText(owner, 'the journey holds them');
    expect(await accessibilityViolations(owner)).toEqual([]);
    await owner.keyboard.press('?');
    await owner.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    await owner.keyboard.press('Escape');
    await owner.getByRole('button', { name: 'Sign out', exact: true }).click();
    await owner.getByLabel('Password', { exact: true }).waitFor();
  });

  it.runIf(isLongForm)(
    'OPS-023 OPS-034 OPS-037 OPS-076 shows dialogs and error states without a fault',
    { timeout: WALK_MS },
    async () => {
      const page = await openConsole(browser, exchange);
      await signIn(page, 'owner', exchange.operator.passwordOf('owner'));
      await waitForText(page, 'Overview');
      const found: Record<string, readonly string[]> = {};
      for (const scene of SCENES) {
        const faults = await faultsOfScene(page, scene);
        if (faults.length > 0) found[scene.name] = faults;
      }
      await page.close();
      expect(found).toEqual({});
    },
  );
});
