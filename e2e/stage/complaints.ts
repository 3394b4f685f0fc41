import type { Page } from 'playwright-core';

export type Complaints = readonly string[];

/** A page that is left while a call is under way cuts that call off; nothing is wrong then. */
const CUT_OFF = 'net::ERR_ABORTED';

/** What Playwright itself says where a journey keeps the service worker out. */
const KEPT_OUT = 'Service Worker registration blocked by Playwright';

/** Notes every console error and warning (violations of the content policy are such), failed call and crash. */
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
