import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { demoLogin } from '@exchange/wire/user.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { TIMEOUT_MS, type Person } from './browser.ts';
import { mailedCode } from './mailbox.ts';
import { OUTSIDE_NOTICES, readNotice, unreadNotices } from './notices.ts';

export const PASSWORD = 'Orchid2garden';
/** What has just been done is mostly said at once; what takes longer is looked for less often, for looking costs the page time. */
const READ_FIRST_MS = 30;
const READ_EVERY_MS = 250;
const SHOWN_LENGTH = 300;

/**
 * Waits until a sentence stands on the page, or a notice has said it that was not read before. Pages show notices for
 * two seconds only; they are read from a record, whatever time that takes.
 */
export async function reads(page: Page, text: string | RegExp): Promise<void> {
  await readsIn(page.locator('body'), text);
}

/** The same of a part of a page, or a notice of the page. */
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

/** What a page shows, in brief, for the message of a step that fails. */
async function seenOn(page: Page): Promise<string> {
  const shown = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
  return `${page.url()} shows: ${shown.slice(0, SHOWN_LENGTH)}. Notices: ${JSON.stringify(unreadNotices(page))}`;
}

/**
 * Lets the time pass that the server demands between two actions. It is a least time: a machine that takes longer changes
 * nothing.
 */
export function waitOut(ms: number): Promise<void> {
  return pause(ms);
}

/**
 * Converts at the quote that a page shows, and at a new one wherever the quote has expired meanwhile: it holds for ten
 * seconds, which a slow machine may need for a step.
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

/** Chooses a coin with a coin picker, by its search and the keyboard. */
export async function chooseCoin(page: Page, picker: string, coin: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${picker}: `) }).click();
  const list = page.getByRole('dialog');
  const search = list.getByRole('combobox', { name: 'Search coin' });
  await search.fill(coin);
  await list.getByRole('option', { name: new RegExp(`^${coin}\\b`) }).waitFor();
  await search.press('Enter');
  await page.getByRole('button', { name: new RegExp(`^${picker}: ${coin}\\b`) }).waitFor();
}

/** Takes an entry of the address book where coins are sent. */
export async function takeKept(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Address book', exact: true }).click();
  await page.getByRole('option').filter({ hasText: label }).click();
}

/** Fills in fields by their names. */
export async function fillIn(form: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await form.getByLabel(name, { exact: true }).fill(value);
}

/** An address gets one code a minute for each purpose. */
const CODE_EVERY_MS = 61_000;
const lastCodeAt = new Map<string, number>();

/** Asks for a code with the form's button, not before the address may have one, and takes it off the mail page. */
async function freshCode({ page, context }: Person, email: string, count: number): Promise<string> {
  const purpose = `${new URL(page.url()).origin} ${email} ${count === 1 ? 'register' : 'login'}`;
  const sinceLastMs = Date.now() - (lastCodeAt.get(purpose) ?? 0);
  if (sinceLastMs < CODE_EVERY_MS) await pause(CODE_EVERY_MS - sinceLastMs);
  lastCodeAt.set(purpose, Date.now());
  await page.getByRole('button', { name: 'Send code' }).click();
  return mailedCode(context, email, count);
}

/** Every address that a journey of this worker has registered, with the exchange where it was. */
const registered = new Set<string>();

/**
 * Fills in the sign-up screen with the code mailed to the address, and sends it. Each address is registered once: files
 * of journeys share an exchange, and a second one would be answered with the first one's code.
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

/** Fills in the login screen with the `count`th code mailed to the address, and sends it. */
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
 * Signs the profile of a page in as the demo trader, by a call: opening the login screen and what follows it costs as much
 * as a journey's next three screens. Whatever page shows, it is left for one of the same site without scripts.
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

/** Enters as the demo trader with the button of the login screen, where logging in belongs to the journey. */
export async function enterAsDemoTrader(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await reads(page, 'Welcome back.');
}
