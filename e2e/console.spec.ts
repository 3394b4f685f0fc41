import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { waitForText, signInAsDemoTrader } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  PHONE,
  openPerson,
  sharedBrowser,
  TIMEOUT_MS,
} from './fixtures/browser.ts';
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
  faultsOfScene,
  goToArea,
  openAction,
  signIn,
} from './fixtures/console.ts';
import { SCENES } from './fixtures/console-flows.ts';
import { accessibilityViolations } from './fixtures/inspection.ts';
import { reportSteps } from './fixtures/steps.ts';

/** The short form checks one of this number of areas. */
const SHARES = 6;
const WALK_MS = 15 * 60_000;

/** Two operators use the console: one halts a pair and proposes to open it, the other approves. */
describe('the operators’ console', () => {
  let exchange: Exchange;
  let browser: Browser;
  let owner: Page;
  let approver: Page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([startExchange(), sharedBrowser()]);
    [owner, approver] = [await openConsole(browser, exchange), await openConsole(browser, exchange)];
  });
  afterAll(async () => {
    await closeProfiles(browser);
    await exchange.stop();
  });

  /** Changes the status of the selected pair, or proposes the change, after reviewing its preview. */
  async function setStatus(status: string, reason: string): Promise<void> {
    const form = await openAction(owner, 'Change status');
    await form.getByLabel('Status').selectOption(status);
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
    await expect.poll(() => statusOf('BTC/USDT'), { timeout: TIMEOUT_MS }).toContain('cancel only');
    await setStatus('open', 'the journey opens it');
    await waitForText(owner, 'Proposed. Another operator must approve it within 24 hours.');
    expect(await statusOf('BTC/USDT')).toContain('cancel only');
    await goToArea(approver, 'Approvals');
    await waitForText(approver, 'the journey opens it');
    await waitForText(approver, 'What changes');
    await confirmWith(await openAction(approver, 'Approve'), 'looked at it');
    await waitForText(approver, 'Done.');
    await owner.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => statusOf('BTC/USDT'), { timeout: TIMEOUT_MS }).toContain('open');
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
    // The first missing field gets the focus.
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
    // A published banner may appear some seconds later.
    await expect.poll(home, { timeout: TIMEOUT_MS }).toBe(1);
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
    'OPS-023 OPS-037 shows every area at every width and in both themes without a fault',
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
