import type { Browser, Locator, Page } from 'playwright-core';
import { watchPage, type Complaints } from './complaints.ts';
import { openContext } from './contexts.ts';
import type { OpenExchange, OperatorDoor } from './exchange.ts';
import { barriers, textOutside } from './inspection.ts';
import { isLongForm } from '../../tools/test-form.ts';
import { SHOTS } from './steps.ts';

const WIDEST = { width: 1920, height: 1080 } as const;
const USUAL = { width: 1300, height: 900 } as const;
const PHONE_SIZE = { width: 390, height: 844 } as const;
const SIZES = [WIDEST, USUAL, PHONE_SIZE] as const;
const TAKES_PICTURES = process.env['E2E_SHOTS'] !== undefined;

const doors = new WeakMap<Page, OperatorDoor>();
const names = new WeakMap<Page, string>();

/** Opens the console for an operator who is not signed in yet. */
export async function atTheConsole(browser: Browser, { operator }: OpenExchange): Promise<Page> {
  const context = await openContext(browser, {
    viewport: { width: 1300, height: 900 },
    timezoneId: 'UTC',
    locale: 'ko-KR',
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`${operator.origin}/ops`);
  doors.set(page, operator);
  return page;
}

/** Returns the authenticator code of the operator who uses the page. */
export function codeAt(page: Page, name = names.get(page) ?? ''): Promise<string> {
  return doors.get(page)!.codeOf(name);
}

export async function signIn(
  page: Page,
  name: string,
  password = doors.get(page)!.passwordOf(name),
): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Authenticator or recovery code').fill(await codeAt(page, name));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  names.set(page, name);
}

/** Opens the console for the two operators of a new exchange and signs them in. */
export async function twoOperators(browser: Browser, exchange: OpenExchange): Promise<readonly [Page, Page]> {
  const [owner, approver] = [await atTheConsole(browser, exchange), await atTheConsole(browser, exchange)];
  await enterAs(owner, 'owner');
  await enterAs(approver, 'approver');
  return [owner, approver];
}

/** Signs in and waits for the console. */
export async function enterAs(page: Page, name: string): Promise<void> {
  await signIn(page, name);
  await page.getByText('Overview').first().waitFor();
}

/** Opens an area by its name in the navigation, which may be followed by a count of pending work. */
export async function goToArea(page: Page, name: string): Promise<void> {
  const link = page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(`^${name}(?: ?\\d+ (?:waiting|not up))?$`) });
  await link.click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

/** Opens the form of an action. */
export async function openDeed(page: Page, name: string): Promise<Locator> {
  await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name, expanded: false }).click();
  return page.getByRole('region', { name, exact: true });
}

/** Enters the reason, reviews the change and confirms it with a code. */
export async function confirmWith(form: Locator, reason: string): Promise<void> {
  await form.getByLabel('Reason (kept permanently)').fill(reason);
  await form.getByRole('button', { name: 'Preview' }).click();
  await form.getByLabel('Authenticator code').fill(await codeAt(form.page()));
  await form.getByRole('button', { name: 'Confirm' }).click();
}

/** Confirms the reviewed change by keyboard: the code field gets the focus itself, and Enter sends it. */
export async function confirmByKeyboard(page: Page): Promise<void> {
  const field = page.getByLabel('Authenticator code');
  await field.waitFor();
  await page.keyboard.type(await codeAt(page));
  await page.keyboard.press('Enter');
}

/** Returns the hashes of all areas that the operator can see. */
export async function areasOf(page: Page): Promise<string[]> {
  const links = await page.getByRole('navigation').getByRole('link').all();
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
}

/**
 * Returns the faults of an area: with its list and evidence, then with the form of its first action; for the layout
 * at three widths, for accessibility in both themes, and in the browser console.
 */
export async function faultsOfArea(page: Page, hash: string): Promise<string[]> {
  const complaints: string[] = [];
  const watched = watchOnce(page, complaints);
  await page.evaluate((to) => (location.hash = to), hash);
  await settled(page);
  const faults = await looked(page, hash.replaceAll(/\W+/g, '-'));
  const deeds = page.getByRole('group', { name: 'Actions' }).getByRole('button', { expanded: false });
  if ((await deeds.count()) > 0) {
    await deeds.first().click();
    faults.push(...(await looked(page, `${hash.replaceAll(/\W+/g, '-')}-form`)));
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  }
  return [...faults, ...watched()];
}

/** A dialog or an error state of the console. */
export interface Scene {
  readonly name: string;
  /** True if a request fails on purpose, which the browser logs. */
  readonly isComplained?: boolean;
  /** True if the loading state is checked. */
  readonly isLoading?: boolean;
  open(page: Page): Promise<void>;
  close?(page: Page): Promise<void>;
}

/** Returns the faults of a scene. The next scene may continue from its end. */
export async function faultsOfScene(page: Page, scene: Scene): Promise<string[]> {
  const watched = watchOnce(page, []);
  await scene.open(page);
  if (scene.isLoading !== true) await settled(page);
  const faults = await looked(page, scene.name);
  if (scene.isComplained !== true) faults.push(...watched());
  await scene.close?.(page);
  return faults;
}

/** Starts recording the complaints of a page. The returned function returns them. */
function watchOnce(page: Page, complaints: string[]): () => Complaints {
  if (!seen.has(page)) {
    const all: string[] = [];
    watchPage(page, all);
    seen.set(page, all);
  }
  const all = seen.get(page)!;
  const before = all.length;
  return () => [...complaints, ...all.slice(before)];
}

const seen = new WeakMap<Page, string[]>();

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/**
 * Returns the faults of the current page. Text positions do not depend on the theme and colours not on the width, so
 * the short form checks all widths in dark and the light theme at one width; the long form checks every combination.
 */
async function looked(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const size of sizesIn(scheme)) {
      await page.setViewportSize(size);
      const at = `${size.width} ${scheme}`;
      faults.push(...(await page.evaluate(textOutside)).map((fault) => `${at}: ${fault}`));
      const rule = scheme === 'light' ? 'color-contrast' : undefined;
      if (size !== WIDEST)
        faults.push(...(await barriers(page, undefined, rule)).map((fault) => `${at}: ${fault}`));
      if (TAKES_PICTURES)
        await page.screenshot({ path: `${SHOTS}console-${size.width}-${scheme}/${name}.png` });
    }
  }
  await page.setViewportSize(USUAL);
  return faults;
}

function sizesIn(scheme: 'light' | 'dark'): readonly (typeof SIZES)[number][] {
  return scheme === 'dark' || isLongForm || TAKES_PICTURES ? SIZES : [USUAL];
}
