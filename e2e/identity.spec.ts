import { getVerify } from '@exchange/wire/kyc.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillIn, waitForText, signUp, selectSavedAddress, waitInterval } from './fixtures/actions.ts';
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
import { callerOf, type Call } from './fixtures/calls.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { mailedCode } from './fixtures/mailbox.ts';
import { repeatAnswer } from './fixtures/repeated-response.ts';
import { reportSteps } from './fixtures/steps.ts';
import { IDENTITY } from '../apps/desktop/src/paths.ts';

const NAME = 'Ada Lovelace';
const GRACE = 'grace@example.com';
const TRADE_PASSWORD = '418273';
const TRON_ADDRESS = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
const NUMBER = 'LOVE-1815-12';
const REVIEWING = 1;

/** Returns whether the data of a response say that the identity verification is under review. */
function isReviewed(data: unknown): boolean {
  return (data as { status?: number } | undefined)?.status === REVIEWING;
}

/**
 * Two new users submit their identity documents. The first is rejected on the desktop for uploading the same picture
 * twice. The second is verified on the phone.
 */
describe('an identity from the form to the verification', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let phone: Person;
  let call: Call;
  const page = () => person.page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    person = await openPerson(browser, exchange.origin, DESKTOP);
    phone = await openPerson(browser, exchange.origin, PHONE);
    call = callerOf(exchange.origin);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
  });

  /** Draws a picture in the browser and returns it as a file to upload. */
  async function picture(on: Page, width: number, height: number, colour: string) {
    const bytes = await on.evaluate(
      async ([w, h, c]) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
        const pen = canvas.getContext('2d')!;
        pen.fillStyle = c;
        pen.fillRect(0, 0, w, h);
        const blob = await new Promise<Blob>((resolve) =>
          canvas.toBlob((made) => resolve(made!), 'image/png'),
        );
        return [...new Uint8Array(await blob.arrayBuffer())];
      },
      [width, height, colour] as const,
    );
    return { name: 'passport.png', mimeType: 'image/png', buffer: Buffer.from(bytes) };
  }

  /** Waits until an element has the focus and does not begin above the window. */
  async function isWhereReadingGoesOn(place: Locator) {
    const seen = () =>
      place.evaluate(
        (element) => element === document.activeElement && element.getBoundingClientRect().top >= 0,
      );
    await expect.poll(seen).toBe(true);
  }

  const stored = (on: Page) =>
    on.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]));

  it('JRN-140 KYC-201 KYC-202 KYC-204 WEB-333 guides a new user through the form and shows errors at once', async () => {
    await open(page(), DESKTOP, paths.register);
    await signUp(person, 'ada@example.com');
    await open(page(), DESKTOP, IDENTITY);
    await waitForText(page(), 'Do not upload real documents here.');
    await page().getByRole('button', { name: 'Continue' }).click();
    await waitForText(page(), 'Choose the country that issued the document.');
    await page().getByLabel('Country or region of issue').selectOption('CN');
    await page().getByLabel('Full name').fill(NAME);
    await page().getByLabel('Document number').fill('110105194912310021');
    await page().getByRole('button', { name: 'Continue' }).click();
    await waitForText(page(), 'The last character does not match the other digits.');
    await page().getByLabel('Country or region of issue').selectOption('GB');
    await page().getByLabel('Document number').fill(NUMBER);
    await waitForText(page(), 'The format is valid.');
    await page().getByRole('button', { name: 'Continue' }).click();
    const front = page().getByLabel('Front side', { exact: true });
    await front.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await waitForText(page(), 'Only JPEG, PNG, and WebP pictures are accepted.');
    await front.setInputFiles(await picture(page(), 300, 200, '#123456'));
    await waitForText(page(), 'its shorter side must be at least 400 pixels, and it is 200');
    await front.setInputFiles(await picture(page(), 900, 600, '#123456'));
    await waitForText(page(), 'Uploaded · 900 × 600 pixels');
    await page().getByRole('button', { name: 'Continue' }).click();
    await waitForText(page(), 'Upload the back of the document.');
    expect(await page().locator(':focus').getAttribute('aria-invalid')).toBe('true');
  });

  it('JRN-141 KYC-205 is rejected for using the same picture twice, and keeps the correct fields', async () => {
    await page()
      .getByLabel('Back side', { exact: true })
      .setInputFiles(await picture(page(), 900, 600, '#123456'));
    await page().getByText('Uploaded · 900 × 600 pixels').nth(1).waitFor();
    await page().getByRole('button', { name: 'Continue' }).click();
    // The demo's reviewer decides after ten seconds. Until the test has read that the documents are under review, all
    // requests for the state of the verification receive the first response that says so.
    const release = await repeatAnswer(page(), getVerify.path, isReviewed);
    await page().getByRole('button', { name: 'Submit for review' }).click();
    await waitForText(page(), 'Your documents are under review');
    await release();
    await waitForText(page(), 'Your documents could not be accepted');
    await waitForText(page(), 'Both photos show the same side. Upload the back of the document.');
    await waitForText(page(), 'You can submit again in');
    const token = await page().evaluate(() => localStorage.getItem('User-Token') ?? '');
    const standing = (await call(getVerify.path, {}, token)) as { fields: string[]; status: number };
    expect(standing).toMatchObject({ status: 3, fields: ['idCardPhotoReverseSide'] });
  });

  it('JRN-142 KYC-206 KYC-207 KYC-208 verifies another user on the phone with the sample, and the browser stores nothing of it', async () => {
    await open(phone.page, PHONE, paths.register);
    await signUp(phone, GRACE);
    await open(phone.page, PHONE, paths.my);
    await phone.page.getByRole('link', { name: /Identity.*Not verified/ }).tap();
    await phone.page.getByRole('button', { name: 'Use a sample document' }).tap();
    await phone.page.getByRole('button', { name: 'Continue' }).tap();
    await phone.page
      .getByText(/^Uploaded · /)
      .nth(1)
      .waitFor();
    await phone.page.getByRole('button', { name: 'Continue' }).tap();
    await waitForText(phone.page, 'Alex Sample');
    await isWhereReadingGoesOn(phone.page.locator('[aria-current=step]', { hasText: 'Check' }));
    const release = await repeatAnswer(phone.page, getVerify.path, isReviewed);
    await phone.page.getByRole('button', { name: 'Submit for review' }).tap();
    await isWhereReadingGoesOn(phone.page.getByRole('heading', { name: 'Your documents are under review' }));
    await waitForText(phone.page, 'In this demo, a simulated reviewer decides in about 10 seconds.');
    await release();
    await waitForText(phone.page, 'Your identity is verified');
    await open(phone.page, PHONE, paths.my);
    await phone.page.getByRole('link', { name: /Identity.*Verified/ }).waitFor();
    for (const on of [page(), phone.page])
      expect(await stored(on)).not.toMatch(/sample|lovelace|LOVE|blob:/i);
  });

  it('JRN-132 with an authenticator, coins can be sent to a new address after a day', async () => {
    const { page: on, context } = phone;
    const app = new AuthenticatorApp();
    await open(on, PHONE, paths.assets);
    await on.getByRole('button', { name: 'Get demo funds' }).tap();
    await waitForText(on, /^Demo funds added/);
    await open(on, PHONE, paths.security);
    await on.getByRole('button', { name: /: Trade password$/ }).tap();
    const sheet = on.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Send code' }).tap();
    await fillIn(sheet, {
      'New trade password (6 digits)': TRADE_PASSWORD,
      'Confirm trade password': TRADE_PASSWORD,
      'Email code': await mailedCode(context, GRACE, 2),
    });
    await sheet.getByRole('button', { name: 'Save' }).tap();
    await waitForText(on, 'Trade password saved.');
    await on.getByRole('button', { name: 'Set up: Authenticator app' }).tap();
    await app.turnOn(sheet, () => mailedCode(context, GRACE, 3));
    await sheet.getByLabel('I have saved my recovery codes').check();
    await sheet.getByRole('button', { name: 'Done' }).tap();

    await open(on, PHONE, paths.address);
    await on.getByRole('button', { name: 'Add address' }).tap();
    // The server binds the mailed code to this withdrawal address, so the form is filled in before the code
    // is requested.
    await fillIn(sheet, { Address: TRON_ADDRESS, 'Remark (optional)': 'TRC20 desk drawer' });
    await sheet.getByRole('button', { name: 'Send code' }).tap();
    await fillIn(sheet, {
      'Trade password': TRADE_PASSWORD,
      'Email code': await mailedCode(context, GRACE, 4),
    });
    await sheet.getByRole('button', { name: 'Add address' }).tap();
    await waitForText(on, 'Enter the code from your authenticator app.');
    await sheet.getByLabel('Authenticator code', { exact: true }).fill(await app.nextCode());
    await sheet.getByRole('button', { name: 'Add address' }).tap();
    const kept = on.getByRole('article').filter({ hasText: 'desk drawer' });
    await kept.getByText(/^Usable in\s*23 hr 59 min$/).waitFor();

    await exchange.endAddressWaits();
    await on.reload();
    await kept.waitFor();
    expect(await kept.getByText('Usable in').count()).toBe(0);
    await open(on, PHONE, paths.withdraw);
    await selectSavedAddress(on, 'desk drawer');
    await on.getByLabel('Amount', { exact: true }).fill('25');
    await on.getByRole('button', { name: 'Continue' }).tap();
    await sheet.getByRole('button', { name: 'Send code' }).tap();
    await fillIn(sheet, {
      'Email code': await mailedCode(context, GRACE, 5),
      'Trade password': TRADE_PASSWORD,
    });
    const withdraw = sheet.getByRole('button', { name: 'Confirm withdrawal' });
    await withdraw.tap();
    await waitForText(on, 'Enter the code from your authenticator app.');
    // The server requires five seconds between two withdrawal requests of a user. The request without the code counts
    // as the first.
    await waitInterval(5_000);
    await sheet.getByLabel('Authenticator code', { exact: true }).fill(await app.nextCode());
    await withdraw.tap();
    await waitForText(on, 'Withdrawal requested');
    const row = on.getByRole('article').filter({ has: on.getByTitle(TRON_ADDRESS) });
    // The network needs a minute to confirm, so the test only checks the transaction id, which shows that the
    // withdrawal was sent.
    await row.getByTitle(/^[0-9a-f]{64}$/).waitFor();
    expect([...person.complaints, ...phone.complaints]).toEqual([]);
  });
});
