import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reads } from './stage/acts.ts';
import { launchBrowser, TIMEOUT_MS } from './stage/browser.ts';
import { startExchange, type Exchange } from './stage/exchange.ts';
import { reportSteps } from './stage/steps.ts';

/** Two operators before the console: one halts a pair and asks for its opening, the other lets it happen. */
describe('the operators’ console', () => {
  let exchange: Exchange;
  let browser: Browser;
  let owner: Page;
  let approver: Page;
  reportSteps(() => owner);

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([startExchange(), launchBrowser()]);
    [owner, approver] = [await atTheConsole(), await atTheConsole()];
  });
  afterAll(async () => {
    await browser.close();
    await exchange.stop();
  });

  async function atTheConsole(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, timezoneId: 'UTC' });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    await page.goto(`${exchange.operator.origin}/ops`);
    return page;
  }
  async function signIn(page: Page, name: string, password = exchange.operator.passwordOf(name)) {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  const area = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();
  /** Proposes or makes a change of the chosen pair, looking at what changes before. */
  async function setStatus(status: string, reason: string): Promise<void> {
    const form = owner.locator('details');
    if ((await form.getAttribute('open')) === null) await form.locator('summary').click();
    await form.getByLabel('Status').selectOption(status);
    await form.getByLabel('Reason, kept for ever').fill(reason);
    await form.getByRole('button', { name: 'Preview' }).click();
    await form.getByRole('button', { name: 'Confirm' }).click();
  }
  const statusOf = async (symbol: string) =>
    owner.getByRole('row').filter({ hasText: symbol }).first().innerText();

  it('OPS-001 OPS-004 lets in who knows the password, and shows how everything is', async () => {
    await signIn(owner, 'owner', 'not the password');
    await owner.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    await signIn(owner, 'owner');
    await reads(owner, 'Overview');
    await owner.getByRole('row').filter({ hasText: 'Reconciliation' }).getByText('up').waitFor();
    await signIn(approver, 'approver');
    await reads(approver, 'Overview');
  });

  it('OPS-010 OPS-012 halts a pair at once, and opens it with a second person only', async () => {
    await area(owner, 'Pairs');
    await owner.getByRole('cell', { name: 'btcusdt' }).waitFor();
    await setStatus('cancelOnly', 'the journey halts it');
    await reads(owner, 'Done.');
    await expect.poll(() => statusOf('btcusdt'), { timeout: TIMEOUT_MS }).toContain('cancelOnly');
    await setStatus('open', 'the journey opens it');
    await reads(owner, 'Proposed. Another operator has to approve it within 24 hours.');
    expect(await statusOf('btcusdt')).toContain('cancelOnly');
    await area(approver, 'Approvals');
    await reads(approver, 'the journey opens it');
    const approve = approver.locator('details').filter({ hasText: 'Approves a call' });
    await approve.locator('summary').click();
    await approve.getByLabel('Reason, kept for ever').fill('looked at it');
    await approve.getByRole('button', { name: 'Preview' }).click();
    await approve.getByRole('button', { name: 'Confirm' }).click();
    await reads(approver, 'Done.');
    await owner.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => statusOf('btcusdt'), { timeout: TIMEOUT_MS }).toContain('open');
  });

  it('OPS-020 OPS-023 keeps what was done, is used by keyboard, and bars nobody', async () => {
    await area(owner, 'Audit log');
    await reads(owner, 'the journey halts it');
    await area(owner, 'Identity');
    const chosen = () => owner.locator('tr[aria-current]').innerText();
    await owner.locator('tr[aria-current]').waitFor();
    const first = await chosen();
    await owner.keyboard.press('j');
    await expect.poll(chosen).not.toBe(first);
    await owner.keyboard.press('k');
    await expect.poll(chosen).toBe(first);
    await owner.evaluate(axe.source);
    const { violations } = await owner.evaluate(() =>
      (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
    );
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    await owner.getByRole('button', { name: 'Sign out' }).click();
    await owner.getByLabel('Password', { exact: true }).waitFor();
  });
});
