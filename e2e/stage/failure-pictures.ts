/** Adds the visible text and a screenshot of the open pages to the message of every failing test. */
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { openPages } from './contexts.ts';
import { SHOTS } from './steps.ts';

/** Maximum number of pages that are recorded. */
const PAGES_MAX = 4;
const TEXT_LENGTH = 250;
const PICTURE_WITHIN_MS = 20_000;

afterEach(async ({ task }) => {
  const error = task.result?.errors?.[0];
  if (task.result?.state !== 'fail' || error === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  const name = `failed ${task.name}`
    .replaceAll(/[^\w-]+/g, ' ')
    .slice(0, 60)
    .trim();
  const pages = openPages().slice(-PAGES_MAX);
  const seen = await Promise.all(pages.map((page, at) => seenOn(page, `${SHOTS}${name} ${at + 1}.png`)));
  const lines = seen.length > 0 ? seen.flat() : ['Seen: no page was open.'];
  const message = [error.message, ...lines].join('\n');
  error.stack = error.stack?.replace(error.message, () => message) ?? message;
  error.message = message;
});

/** Returns two lines: the shortened text of a page and the path of its screenshot. */
async function seenOn(page: Page, path: string): Promise<string[]> {
  try {
    const text = (await page.locator('body').innerText({ timeout: PICTURE_WITHIN_MS })).replaceAll(
      /\s+/g,
      ' ',
    );
    await page.screenshot({ path, timeout: PICTURE_WITHIN_MS });
    return [`Seen: ${page.url()} ${text.slice(0, TEXT_LENGTH)}`, `Picture: ${path}`];
  } catch (cause) {
    // Reason: a page that has crashed or hangs cannot be recorded; the failure is still reported.
    return [`Seen: ${page.url()} could not be looked at: ${String(cause).split('\n')[0]}`];
  }
}
