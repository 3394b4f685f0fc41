import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { recordNotices } from './notices.ts';

/**
 * How long one thing on a page may take to come. Only what never comes waits as long; anything shorter judges
 * the machine, from which other guests of its host take most of the processor for minutes.
 */
export const TIMEOUT_MS = 60_000;

const pages = new Set<Page>();

/**
 * Opens a browser profile of its own. Every profile of a journey is opened here: its notices are recorded, and its pages
 * are pictured where the journey fails.
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

/** The pages that are open now, the oldest first. */
export function openPages(): readonly Page[] {
  return [...pages];
}
