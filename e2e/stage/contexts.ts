import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { recordNotices } from './notices.ts';

/**
 * Time limit for an element to appear. Only a missing element waits this long; a shorter limit would fail on a
 * machine that is slow for minutes because other guests use its processors.
 */
export const TIMEOUT_MS = 60_000;

const pages = new Set<Page>();

/**
 * Opens a browser profile. All profiles of tests must be opened here, so that their notices are recorded and a
 * failure takes screenshots of their pages.
 */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT_MS);
  context.on('page', (page) => {
    pages.add(page);
    page.once('close', () => pages.delete(page));
  });
  await recordNotices(context);
  return context;
}

/** Returns the open pages, the oldest first. */
export function openPages(): readonly Page[] {
  return [...pages];
}
