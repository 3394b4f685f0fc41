import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForText } from './fixtures/actions.ts';
import { closeProfiles, sharedBrowser } from './fixtures/browser.ts';
import { codeAt, confirmWith, goToArea, openAction, twoOperators } from './fixtures/console.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';
import { accessibilityViolations, textOutside } from './fixtures/inspection.ts';
import { reportSteps } from './fixtures/steps.ts';

const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1300, height: 900 },
  { width: 390, height: 844 },
] as const;

/** Two operators change the terms of a product, preview them as users see them, and restore the earlier terms. */
describe('terms on the operators’ console', () => {
  let exchange: Exchange;
  let browser: Browser;
  let owner: Page;
  let approver: Page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([startExchange(), sharedBrowser()]);
    [owner, approver] = await twoOperators(browser, exchange);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    await exchange.stop();
  });

  /** Returns the faults of the current page at every width and in both themes. */
  async function faultsOf(page: Page): Promise<string[]> {
    const faults: string[] = [];
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const size of SIZES) {
        await page.setViewportSize(size);
        faults.push(...(await page.evaluate(textOutside)));
      }
      faults.push(...(await accessibilityViolations(page)));
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(SIZES[1]);
    return faults;
  }

  /** Returns whether an element is completely visible without scrolling. */
  const isInView = (of: Locator) =>
    of.evaluate((element) => {
      const { top, left, bottom, right, width, height } = element.getBoundingClientRect();
      if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth) return false;
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      return there !== null && (element.contains(there) || there.contains(element));
    });
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
    expect(await faultsOf(owner)).toEqual([]);
    await form.getByLabel('Authenticator code').fill(await codeAt(owner));
    await form.getByRole('button', { name: 'Confirm' }).click();
    await waitForText(owner, 'Proposed.');
    await decide('the journey raises it');
    await asUsersSee(approver).getByText('0.0345%').waitFor();
    expect(await faultsOf(approver)).toEqual([]);
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
    expect(await faultsOf(owner)).toEqual([]);
    await versions.getByRole('button', { name: 'Propose again: Version 1' }).click();
    const form = owner.getByRole('region', { name: 'Publish a product' });
    await form.getByText('Filled in from version 1.').waitFor();
    expect(await form.getByLabel('Daily rate').inputValue()).not.toBe('0.0345');
    expect(await faultsOf(owner)).toEqual([]);
    await confirmWith(form, 'the journey takes it back');
    await waitForText(owner, 'Proposed.');
    await decide('the journey takes it back');
    await approve();
    await owner.getByRole('button', { name: 'Reload' }).click();
    // The open list of versions belongs to the row before the change.
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
      expect(await faultsOf(owner)).toEqual([]);
      await owner.getByRole('link', { name: `Runbook: ${part}` }).click();
      await owner.getByRole('row').filter({ hasText: entry }).waitFor();
    }
  });
});
