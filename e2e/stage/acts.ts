import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { demoLogin } from '@exchange/wire/user.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { TIMEOUT_MS, type Person } from './browser.ts';
import { mailedCode } from './mailbox.ts';
import { OUTSIDE_NOTICES, readNotice, unreadNotices } from './notices.ts';

export const PASSWORD = 'Orchid2garden';
/**
 * Most results appear at once. Slower ones are polled less often, because each poll costs the page processor time.
 */
const READ_FIRST_MS = 30;
const READ_EVERY_MS = 250;
const SHOWN_LENGTH = 300;

/**
 * Waits until a sentence is on the page, or in a notice that no step has read yet. Notices disappear after two
 * seconds, so they are read from a recording.
 */
export async function reads(page: Page, text: string | RegExp): Promise<void> {
  await readsIn(page.locator('body'), text);
}

/** Like `reads`, for a part of a page, or a notice of the page. */
export async function readsIn(part: Locator, text: string | RegExp): Promise<void> {
  const page = part.page();
  const standing = part.getByText(text).and(page.locator(OUTSIDE_NOTICES)).first();
  const deadline = Date.now() + TIMEOUT_MS;
  let waitMs = READ_FIRST_MS;
  while (!readNotice(page, text) && !(await standing.isVisible())) {
    if (Date.now() > deadline) throw new Error(`Nothing says ${String(text)}. ${await seenOn(page)}`);
    await pause(waitMs);
    waitMs = Math.min(READ_EVERY_MS, waitMs * 1.5);
  }
}

/** Returns the visible text of a page, shortened, for the message of a failing step. */
async function seenOn(page: Page): Promise<string> {
  const shown = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
  return `${page.url()} shows: ${shown.slice(0, SHOWN_LENGTH)}. Notices: ${JSON.stringify(unreadNotices(page))}`;
}

/** Waits for an interval that the server requires between two actions. A longer wait does no harm. */
export function waitOut(ms: number): Promise<void> {
  return pause(ms);
}

/**
 * Converts at the quote that the page shows. If the quote has expired, converts at a new one: a quote is valid for
 * ten seconds, which a slow machine may need for one step.
 */
export async function acceptQuote(page: Page, press: (button: Locator) => Promise<void>): Promise<void> {
  const converted = page.getByRole('heading', { name: 'Conversion complete' });
  const button = page.getByRole('button', { name: /^(?:Convert|Refresh quote)$/ });
  while (!(await converted.isVisible())) {
    await press(button);
    await converted
      .or(button.and(page.locator(':enabled')))
      .first()
      .waitFor();
  }
}

/** Selects a coin in a coin picker by search and keyboard. */
export async function chooseCoin(page: Page, picker: string, coin: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${picker}: `) }).click();
  const list = page.getByRole('dialog');
  const search = list.getByRole('combobox', { name: 'Search coin' });
  await search.fill(coin);
  await list.getByRole('option', { name: new RegExp(`^${coin}\\b`) }).waitFor();
  await search.press('Enter');
  await page.getByRole('button', { name: new RegExp(`^${picker}: ${coin}\\b`) }).waitFor();
}

/** Selects an entry of the address book as the destination of a withdrawal. */
export async function takeKept(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Address book', exact: true }).click();
  await page.getByRole('option').filter({ hasText: label }).click();
}

/** Fills in fields by their labels. */
export async function fillIn(form: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await form.getByLabel(name, { exact: true }).fill(value);
}

/** An address gets at most one code per minute and purpose. */
const CODE_EVERY_MS = 61_000;
const lastCodeAt = new Map<string, number>();

/** Requests a code with the form's button, not before the address may get one, and reads it from the mail page. */
async function freshCode({ page, context }: Person, email: string, count: number): Promise<string> {
  const purpose = `${new URL(page.url()).origin} ${email} ${count === 1 ? 'register' : 'login'}`;
  const sinceLastMs = Date.now() - (lastCodeAt.get(purpose) ?? 0);
  if (sinceLastMs < CODE_EVERY_MS) await pause(CODE_EVERY_MS - sinceLastMs);
  lastCodeAt.set(purpose, Date.now());
  await page.getByRole('button', { name: 'Send code' }).click();
  return mailedCode(context, email, count);
}

/** All email addresses that tests of this worker have registered, with the exchange. */
const registered = new Set<string>();

/**
 * Fills in the registration form with the emailed code and sends it. An address can be registered only once, because
 * several test files share an exchange.
 */
export async function signUp(person: Person, email: string): Promise<void> {
  const { page } = person;
  const account = `${new URL(page.url()).origin} ${email}`;
  if (registered.has(account)) throw new Error(`Another journey has registered ${email}.`);
  registered.add(account);
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Email code', { exact: true }).fill(await freshCode(person, email, 1));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await reads(page, 'Your account is ready.');
}

/** Fills in the login form with the `count`th code sent to the address, and sends it. */
export async function logIn(
  person: Person,
  email: string,
  count: number,
  password = PASSWORD,
): Promise<void> {
  const { page } = person;
  await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Email code', { exact: true }).fill(await freshCode(person, email, count));
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await reads(page, 'Welcome back.');
}

/**
 * Signs in as the demo trader with an API request, because the login screen takes as long as three other screens. The
 * page is left on an address of the same site without scripts.
 */
export async function signInAsDemoTrader(page: Page): Promise<void> {
  const response = await page.context().request.post(`/bb/app${demoLogin.path}`);
  const { data } = (await response.json()) as { data: DataOf<typeof demoLogin> };
  await page.goto('/favicon.svg');
  await page.evaluate(
    (entries) => {
      for (const [key, value] of entries) localStorage.setItem(key, value);
    },
    [
      [SESSION_KEYS.userId, data.userId],
      [SESSION_KEYS.email, data.email],
      [SESSION_KEYS.login, '1'],
      [SESSION_KEYS.purchase, '1'],
      [SESSION_KEYS.token, data.token],
    ] as const,
  );
}

/** Signs in as the demo trader with the button of the login screen, for tests of the login itself. */
export async function enterAsDemoTrader(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await reads(page, 'Welcome back.');
}
