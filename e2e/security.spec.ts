import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { fillIn, PASSWORD, waitForText, signUp } from './fixtures/actions.ts';
import { AuthenticatorApp } from './fixtures/authenticator-app.ts';
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

const EMAIL = 'katherine@example.com';

/** A new user secures an account on the desktop, and needs the authenticator to log in on the phone. */
describe('a protected account', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let phone: Person;
  const app = new AuthenticatorApp();
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

  it('SEC-021 on the desktop an authenticator is set up in one dialog, and the level rises at once', async () => {
    await open(page(), DESKTOP, paths.register);
    await signUp(person, EMAIL);
    await open(page(), DESKTOP, paths.security);
    const level = page().getByRole('meter', { name: 'Security level' });
    await level.waitFor();
    expect(await level.getAttribute('aria-valuenow')).toBe('1');
    await page().getByRole('button', { name: 'Set up: Authenticator app' }).click();
    const dialog = page().getByRole('dialog');
    await app.turnOn(dialog, () => mailedCode(person.context, EMAIL, 2));
    const codes = dialog.getByRole('list', { name: 'Recovery codes' });
    await codes.waitFor();
    expect(await codes.getByRole('listitem').count()).toBe(10);
    const done = dialog.getByRole('button', { name: 'Done' });
    expect(await done.isDisabled()).toBe(true);
    await dialog.getByLabel('I have saved my recovery codes').check();
    await done.click();
    await waitForText(page(), '10 of 10 recovery codes left.');
    await page().locator('[role=meter][aria-valuenow="3"]').waitFor();
  });

  it('SEC-021 on the phone the login requires its code, and the desktop logs the phone out at once', async () => {
    await open(phone.page, PHONE, paths.login);
    await phone.page.getByLabel('Email', { exact: true }).fill(EMAIL);
    await phone.page.getByRole('button', { name: 'Send code' }).click();
    await phone.page
      .getByLabel('Email code', { exact: true })
      .fill(await mailedCode(phone.context, EMAIL, 3));
    await phone.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const enter = phone.page.getByRole('button', { name: 'Log in', exact: true });
    await enter.click();
    await waitForText(phone.page, 'Enter the code from your authenticator app.');
    await phone.page.getByLabel('Authenticator code', { exact: true }).fill(await app.nextCode());
    await enter.click();
    await waitForText(phone.page, 'Welcome back.');
    await open(phone.page, PHONE, paths.security);
    await waitForText(phone.page, '10 of 10 recovery codes left.');
    await page().reload();
    await page()
      .getByRole('button', { name: /^Log out: / })
      .click();
    await waitForText(phone.page, 'Your session has ended. Please log in again.');
  });

  it('SEC-021 changing the password requires email and authenticator, and shows the countdown of the withdrawal hold', async () => {
    await page().getByRole('link', { name: 'Change: Login password' }).click();
    await page().getByRole('heading', { name: 'Change your password' }).waitFor();
    await page().getByRole('button', { name: 'Send code' }).click();
    await fillIn(page().locator('main'), {
      'Current password': PASSWORD,
      'New password': 'Orchid3garden',
      'Confirm new password': 'Orchid3garden',
      'Email code': await mailedCode(person.context, EMAIL, 4),
      'Authenticator code': await app.nextCode(),
    });
    await page().getByRole('button', { name: 'Change password' }).click();
    await waitForText(page(), /Withdrawals are on hold until .*, because your login password was changed\./);
    await page()
      .getByRole('note')
      .getByText(/^23 hr 59 min$/)
      .waitFor();
    expect(person.complaints).toEqual([]);
  });
});
