import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { fillIn, logIn, waitForText, signUp } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  type Person,
  PHONE,
  openPerson,
  sharedBrowser,
} from './fixtures/browser.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { mailedCode } from './fixtures/mailbox.ts';
import { reportSteps } from './fixtures/steps.ts';

const EMAIL = 'hedy@example.com';
const NEW_PASSWORD = 'Jasmine7river';
/** The first eight bytes of every PNG file, in hexadecimal digits. */
const PNG = '89504e470d0a1a0a';

/** Browser tests of a user's account, such as messages, the invitation poster and a forgotten password. */
describe('a user account', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let phone: Person;
  const page = () => person.page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    person = await openPerson(browser, exchange.origin, DESKTOP);
    phone = await openPerson(browser, exchange.origin, PHONE);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
  });

  it('JRN-127 moves money from the coin account to the seconds account on the desktop', async () => {
    await open(page(), DESKTOP, paths.register);
    await signUp(person, EMAIL);
    await page().getByRole('button', { name: 'Get demo funds' }).click();
    await waitForText(page(), /^Demo funds added: 10,000 USDT/);
    await open(page(), DESKTOP, paths.assets);
    await page().getByRole('button', { name: 'Transfer' }).first().click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Amount', { exact: true }).fill('10000.5');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await dialog
      .getByText(/10,000/)
      .first()
      .waitFor();
    await dialog.getByLabel('Amount', { exact: true }).fill('25.5');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await waitForText(page(), 'Transfer completed');
    await page().getByRole('tab', { name: 'Seconds' }).click();
    await page().getByRole('row', { name: /^USDT/ }).getByText('25.50').first().waitFor();
  });

  it('JRN-129 the poster with the invitation code is drawn and saved as a picture', async () => {
    await open(page(), DESKTOP, paths.invite);
    await page()
      .getByRole('img', { name: /^Poster with the invitation code [A-Z0-9]{8} / })
      .waitFor();
    const [download] = await Promise.all([
      page().waitForEvent('download'),
      page().getByRole('button', { name: 'Save poster' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^amethyst-[A-Z0-9]{8}\.png$/);
    const picture = readFileSync(await download.path());
    expect(picture.subarray(0, 8).toString('hex')).toBe(PNG);
    // An empty canvas would result in a smaller file, so this checks that the poster was drawn.
    expect(picture.length).toBeGreaterThan(20_000);
  });

  it('JRN-130 a forgotten password is reset by email: every device is logged out, and withdrawals are held', async () => {
    await open(phone.page, PHONE, paths.forget);
    await phone.page.getByLabel('Email', { exact: true }).fill(EMAIL);
    await phone.page.getByRole('button', { name: 'Send code' }).click();
    await fillIn(phone.page.locator('main'), {
      'Email code': await mailedCode(phone.context, EMAIL, 2),
      'New password': NEW_PASSWORD,
      'Confirm new password': NEW_PASSWORD,
    });
    await phone.page.getByRole('button', { name: 'Set new password' }).click();
    await waitForText(phone.page, /^Password changed\. Please log in again\./);
    await waitForText(page(), 'Your session has ended. Please log in again.');
    await logIn(person, EMAIL, 3, NEW_PASSWORD);
    await open(page(), DESKTOP, paths.security);
    await waitForText(page(), /Withdrawals are on hold until .*, because your login password was reset\./);
    await page()
      .getByRole('note')
      .getByText(/^23 hr 59 min$/)
      .waitFor();
  });

  it('JRN-128 the bell shows the number of unread messages in every tab; a message is read and deleted', async () => {
    const other = await person.context.newPage();
    await other.goto(`/pc${paths.market}`);
    const count = async () => {
      const bell = page().getByRole('link', { name: /^Unread messages: [1-9]/ });
      return Number((await bell.getAttribute('aria-label'))!.replaceAll(/\D/g, ''));
    };
    const before = await count();
    const shows = (unread: number, where = page()) =>
      where.getByRole('link', { name: `Unread messages: ${unread}`, exact: true });
    await shows(before, other).waitFor();
    await shows(before).click();
    await page()
      .getByRole('link', { name: /^Password reset/ })
      .click();
    await page().getByRole('heading', { name: 'Password reset' }).waitFor();
    await shows(before - 1).waitFor();
    await shows(before - 1, other).waitFor();
    await page().goBack();
    const row = page().getByRole('listitem').filter({ hasText: 'Password reset' });
    await row.getByRole('button', { name: 'Delete message' }).click();
    await waitForText(page(), 'Message deleted.');
    await row.waitFor({ state: 'detached' });
    expect([...person.complaints, ...phone.complaints]).toEqual([]);
  });
});
