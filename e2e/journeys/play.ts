import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Locator, Page, Route } from 'playwright-core';
import { open, TIMEOUT_MS, type Person, type Viewport } from '../fixtures/browser.ts';
import { unreadNotices } from '../fixtures/notices.ts';
import type { Journey, Step } from './journey.ts';

/**
 * Simulated trouble of the network during a journey:
 *
 * - `offline`: there is no network.
 * - `answerLost`: the exchange executes API requests, but their responses are lost.
 * - `partMissing`: the first request for each script and style sheet that the HTML document does not name is answered
 *   with 404.
 */
export type Trouble = 'offline' | 'answerLost' | 'partMissing';

const CALLS = '**/bb/app/**';
const PARTS = /\/assets\/[^/]+\.(?:js|css)$/;
/** Milliseconds within which a page must show that something went wrong. A lost connection is shown after 2.5 s. */
const SIGN_MS = 20_000;
/**
 * Milliseconds after which the element of an incomplete step is pressed again. Also the time limit of a
 * press, and of reading the text of the page.
 */
const DONE_MS = 5_000;
const ROUNDS = 10;
const LOOK_EVERY_MS = 200;
/** Matches labels of buttons that let users continue after an error. */
const AGAIN = /^(?:Send again|Try again|Reload|Refresh quote|Later)\b/;
const WORDS_OF_TROUBLE =
  /connection|offline|network|response|try again|could not|went wrong|not loaded|out of date|reload/i;
/**
 * Minimum number of characters on a screen with content. Together with its navigation, each screen has more characters.
 */
const LEAST_TEXT = 60;

/**
 * Plays a user's journey under simulated trouble of the network, up to the first step with a fault. Returns
 * the description of this fault, if there is one, followed by the exceptions that the pages threw; an empty
 * list if the journey succeeds.
 */
export async function faultsUnder(
  trouble: Trouble,
  person: Person,
  site: Viewport,
  journey: Journey,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const { page, context, complaints } = person;
  const errorsBefore = complaints.length;
  if (trouble === 'partMissing') await missOnce(context);
  await open(page, site, journey.start);
  for (const step of journey.steps) {
    const fault = await playStep(trouble, person, step).catch(
      (error: unknown) => String(error).split('\n')[0]!,
    );
    if (fault === undefined) continue;
    faults.push(`${step.name}: ${fault}`);
    // The following steps depend on this one, so the journey ends at the first fault.
    break;
  }
  const thrown = complaints.slice(errorsBefore).filter((complaint) => / threw /.test(complaint));
  return [...faults, ...thrown];
}

/** Plays a step of a journey. Returns the description of a fault, or undefined if there is none. */
async function playStep(trouble: Trouble, person: Person, step: Step): Promise<string | undefined> {
  const { page, context } = person;
  await until(() => hasContent(page), TIMEOUT_MS);
  if (trouble === 'partMissing') await recover(page);
  await step.prepare?.(person);
  // Waits only until the element exists. Whether it is visible at this time depends on the speed of the machine.
  await step.target(person).first().waitFor({ state: 'attached' });
  if (trouble !== 'partMissing') {
    const restore = trouble === 'offline' ? await goOffline(context) : await loseAnswers(context);
    await press(step.target(person));
    const isSaid = await until(async () => (await step.isDone(person)) || (await saysTrouble(page)), SIGN_MS);
    const isBlank = !(await hasContent(page));
    await restore();
    if (isBlank) return `the page is blank while the network is ${trouble}`;
    if (!isSaid) return `nothing says that the network is ${trouble}`;
  } else await press(step.target(person));
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await until(() => step.isDone(person), DONE_MS)) return undefined;
    if (!(await hasContent(page))) return 'the page is blank afterwards';
    if (!(await recover(page))) await press(step.target(person));
  }
  return `is not done afterwards; the page shows ${await shown(page)}`;
}

/**
 * Presses a visible element. Sends a click event to an invisible element, such as a link in a closed menu. Does nothing
 * if the element has disappeared.
 */
async function press(target: Locator): Promise<void> {
  const first = target.first();
  if ((await first.count()) === 0) return;
  const isVisible = await first.isVisible();
  // The element may disappear or be covered meanwhile. The caller's loop looks for it again.
  await (isVisible ? first.click({ timeout: DONE_MS }) : first.dispatchEvent('click')).catch(() => undefined);
}

/** Presses the button with which the user can continue after an error. Returns whether there is such a button. */
async function recover(page: Page): Promise<boolean> {
  // In the document, a dialog follows the rest of the page. The last matching button therefore belongs to the dialog,
  // if there is one.
  const again = page.getByRole('button', { name: AGAIN }).filter({ visible: true }).last();
  if ((await again.count()) === 0) return false;
  await again.click({ timeout: DONE_MS }).catch(() => undefined);
  return true;
}

/** Polls a condition. Returns whether it became true within the time limit. */
async function until(isTrue: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    if (await isTrue().catch(() => false)) return true;
    if (Date.now() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
}

/**
 * Returns whether the page shows more than its navigation. A screen with little text also has content if it shows its
 * title and its loading state.
 */
async function hasContent(page: Page): Promise<boolean> {
  if ((await shown(page)).length >= LEAST_TEXT) return true;
  const title = page.getByRole('heading', { level: 1 }).filter({ visible: true });
  const loading = page.locator('main [aria-busy="true"]').filter({ visible: true });
  return (await title.count()) > 0 && (await loading.count()) > 0;
}

async function shown(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: DONE_MS });
  return text.replaceAll(/\s+/g, ' ').slice(0, 400);
}

/**
 * Returns whether an unread notice or a visible live region reports that the network or a part of the page is missing.
 */
async function saysTrouble(page: Page): Promise<boolean> {
  if (unreadNotices(page).some((notice) => WORDS_OF_TROUBLE.test(notice))) return true;
  const texts = await page
    .locator('[role="alert"], [role="status"], [aria-live]')
    .filter({ visible: true })
    .allInnerTexts();
  return texts.some((text) => WORDS_OF_TROUBLE.test(text));
}

/** Disconnects the browser from the network. The returned function restores the connection. */
async function goOffline(context: BrowserContext): Promise<() => Promise<void>> {
  await context.setOffline(true);
  return () => context.setOffline(false);
}

/**
 * Forwards API requests to the exchange and drops the responses. After a call of the returned function, pages receive
 * responses again.
 */
async function loseAnswers(context: BrowserContext): Promise<() => Promise<void>> {
  const lose = async (route: Route): Promise<void> => {
    // `fetch` and `abort` throw for requests that the browser aborts when the page leaves a screen. These
    // errors are ignored.
    await route.fetch().catch(() => undefined);
    await route.abort('failed').catch(() => undefined);
  };
  await context.route(CALLS, lose);
  return () => context.unroute(CALLS, lose);
}

/**
 * Answers the first request for each script and style sheet with 404, except for files that the HTML document names.
 */
async function missOnce(context: BrowserContext): Promise<void> {
  const missed = new Set<string>();
  await context.route(PARTS, async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const page = request.frame().page();
    const isOfFirstPage = missed.has(pathname) || (await namedByPage(page, pathname));
    missed.add(pathname);
    await (isOfFirstPage ? route.continue() : route.fulfill({ status: 404, body: 'Not found.' }));
  });
}

/** Returns whether the HTML document names the script or style sheet. A page cannot start without such a file. */
async function namedByPage(page: Page, pathname: string): Promise<boolean> {
  const document = await page.context().request.get(page.url() === 'about:blank' ? '/' : page.url());
  return (await document.text()).includes(pathname.slice(pathname.lastIndexOf('/') + 1));
}
