import type { Browser, CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { signUp, waitForText } from './fixtures/actions.ts';
import { closeProfiles, DESKTOP, open, openPerson, sharedBrowser, type Person } from './fixtures/browser.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { mailedCode } from './fixtures/mailbox.ts';
import { reportSteps } from './fixtures/steps.ts';

const EMAIL = 'margaret@example.com';
/**
 * Options of an authenticator that Chromium simulates: that of a phone or laptop with a fingerprint sensor.
 */
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/** A user adds a passkey, confirms an action with it and logs in with it. */
describe('an account with a passkey', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let device: CDPSession;
  let authenticatorId: string;
  const page = () => person.page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    // The site is opened at `localhost`, because browsers do not create passkeys for IP addresses.
    person = await openPerson(browser, exchange.origin.replace('127.0.0.1', 'localhost'), DESKTOP);
    device = await person.context.newCDPSession(page());
    await device.send('WebAuthn.enable');
    ({ authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE }));
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
  });

  it('PKY-001 PKY-013 is set up in the security centre', async () => {
    await open(page(), DESKTOP, paths.register);
    await signUp(person, EMAIL);
    await open(page(), DESKTOP, paths.security);
    await page().getByRole('button', { name: 'Set up: Passkeys' }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog.getByLabel('Name').fill('Laptop');
    await dialog.getByRole('button', { name: 'Send code' }).click();
    await dialog.getByLabel('Email code', { exact: true }).fill(await mailedCode(person.context, EMAIL, 2));
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await waitForText(page(), 'Passkey added. Withdrawals are on hold for 24 hours.');
    await dialog.getByText('Laptop').waitFor();
    await page().keyboard.press('Escape');
    await page().locator('[role=meter][aria-valuenow="3"]').waitFor();
  });

  it('PKY-006 PKY-013 confirms an action instead of codes', async () => {
    await page().getByRole('button', { name: 'Set: Anti-phishing phrase' }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Your phrase').fill('lilac garden');
    await dialog.getByRole('button', { name: 'Use a passkey instead of codes' }).click();
    await dialog.getByRole('button', { name: 'Save phrase' }).click();
    await waitForText(page(), 'Anti-phishing phrase saved.');
  });

  it('PKY-005 PKY-013 logs in without an address', async () => {
    await device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await page().evaluate(() => localStorage.clear());
    await open(page(), DESKTOP, paths.login);
    const enter = page().getByRole('button', { name: 'Log in with a passkey' });
    await enter.waitFor();
    await device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    await enter.click();
    await waitForText(page(), 'Welcome back.');
    await open(page(), DESKTOP, paths.security);
    await page().getByText('Passkey', { exact: true }).first().waitFor();
  });
});
