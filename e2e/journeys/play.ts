import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Locator, Page, Route } from 'playwright-core';
import { open, TIMEOUT_MS, type Person, type Seat } from '../stage/browser.ts';
import { unreadNotices } from '../stage/notices.ts';
import type { Journey, Step } from './journey.ts';

/**
 * What happens to the network at each step of a journey: it is gone (`offline`), the exchange does what it was asked for
 * but its answers are lost (`answerLost`), or each script and style sheet beyond those of the first page is answered by
 * 404 once (`partMissing`).
 */
export type Trouble = 'offline' | 'answerLost' | 'partMissing';

const CALLS = '**/bb/app/**';
const PARTS = /\/assets\/[^/]+\.(?:js|css)$/;
/** How long a page may take to say that something went wrong; a lost connection is said after 2.5 s. */
const SIGN_MS = 20_000;
/** How long a step is waited for before its press is repeated. */
const DONE_MS = 5_000;
const ROUNDS = 10;
const LOOK_EVERY_MS = 200;
/** Buttons with which a page lets people go on after something went wrong. */
const AGAIN = /^(?:Send again|Try again|Reload|Refresh quote|Later)\b/;
const WORDS_OF_TROUBLE =
  /connection|offline|network|response|try again|could not|went wrong|not loaded|out of date|reload/i;
/** Fewer letters than any screen, with its frame, has. */
const LEAST_TEXT = 60;

/** Plays a journey under a trouble and returns what was wrong, in words; nothing where all was well. */
export async function faultsUnder(
  trouble: Trouble,
  person: Person,
  site: Seat,
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
    // What follows stands on this step.
    break;
  }
  const thrown = complaints.slice(errorsBefore).filter((complaint) => / threw /.test(complaint));
  return [...faults, ...thrown];
}

/** Plays one step; returns what was wrong with it. */
async function playStep(trouble: Trouble, person: Person, step: Step): Promise<string | undefined> {
  const { page, context } = person;
  await until(() => hasContent(page), TIMEOUT_MS);
  if (trouble === 'partMissing') await recover(page);
  await step.prepare?.(person);
  // Whether it can be seen yet depends on the machine; that it can be pressed without a network is the page's part.
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

/** Presses what is visible, or else what a menu hides (a link works either way); nothing where it is gone. */
async function press(target: Locator): Promise<void> {
  const first = target.first();
  if ((await first.count()) === 0) return;
  const isVisible = await first.isVisible();
  // Reason: it may go away or be covered meanwhile; the next round looks anew.
  await (isVisible ? first.click({ timeout: DONE_MS }) : first.dispatchEvent('click')).catch(() => undefined);
}

/** Presses what the page offers to go on with; returns whether it offers anything. */
async function recover(page: Page): Promise<boolean> {
  // A dialog lies over the page and stands after it in the document.
  const again = page.getByRole('button', { name: AGAIN }).filter({ visible: true }).last();
  if ((await again.count()) === 0) return false;
  await again.click({ timeout: DONE_MS }).catch(() => undefined);
  return true;
}

/** Polls until something is true; returns whether it became true in time. */
async function until(isTrue: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    if (await isTrue().catch(() => false)) return true;
    if (Date.now() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
}

/** Whether the page shows more than an empty frame: a screen of few words may still show that it loads below its title. */
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

/** Whether something visible, or a notice, says that the network or a part is missing. */
async function saysTrouble(page: Page): Promise<boolean> {
  if (unreadNotices(page).some((notice) => WORDS_OF_TROUBLE.test(notice))) return true;
  const texts = await page
    .locator('[role="alert"], [role="status"], [aria-live]')
    .filter({ visible: true })
    .allInnerTexts();
  return texts.some((text) => WORDS_OF_TROUBLE.test(text));
}

/** Cuts the network off; the returned function restores it. */
async function goOffline(context: BrowserContext): Promise<() => Promise<void>> {
  await context.setOffline(true);
  return () => context.setOffline(false);
}

/** Lets calls reach the exchange and drops their answers; the returned function restores them. */
async function loseAnswers(context: BrowserContext): Promise<() => Promise<void>> {
  const lose = async (route: Route): Promise<void> => {
    // Reason: who leaves a screen takes its calls along.
    await route.fetch().catch(() => undefined);
    await route.abort('failed').catch(() => undefined);
  };
  await context.route(CALLS, lose);
  return () => context.unroute(CALLS, lose);
}

/** Answers each script and style sheet by 404 when it is first fetched, except those that the page itself names. */
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

/** Whether the document that the server sent names the file; without it no page starts at all. */
async function namedByPage(page: Page, pathname: string): Promise<boolean> {
  const document = await page.context().request.get(page.url() === 'about:blank' ? '/' : page.url());
  return (await document.text()).includes(pathname.slice(pathname.lastIndexOf('/') + 1));
}
