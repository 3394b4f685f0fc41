import type { Page } from 'playwright-core';

export type Complaints = readonly string[];

/** Leaving a page aborts its pending requests, which is no error. */
const CUT_OFF = 'net::ERR_ABORTED';

/** Playwright's message when a test blocks the service worker. */
const KEPT_OUT = 'Service Worker registration blocked by Playwright';

/**
 * Records every console error and warning (including violations of the content security policy), failed request and
 * crash.
 */
export function watchPage(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && message.text() !== KEPT_OUT)
      complaints.push(`${page.url()} console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()} threw ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== CUT_OFF) complaints.push(`${page.url()} could not load ${request.url()}: ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      complaints.push(`${page.url()} got ${response.status()} from ${response.url()}`);
  });
}
