import type { BrowserContext, Page } from 'playwright-core';

/** The element in which the sites and the console show notices, which disappear after two seconds. */
const STACK = '[data-notices]';

/** Selects elements of a page that are not notices. */
export const OUTSIDE_NOTICES = `:not(${STACK} *)`;

const BINDING = 'reportNotice';

/** Unread notices of each page, in the order in which they were shown. */
const unread = new WeakMap<Page, string[]>();

/**
 * Records the text of every notice on the pages of a context, so that tests can read notices after they have
 * disappeared.
 */
export async function recordNotices(context: BrowserContext): Promise<void> {
  await context.exposeBinding(BINDING, ({ page }, text: string) => {
    noticesOf(page).push(text);
  });
  await context.addInitScript(watchNotices, { stack: STACK, binding: BINDING });
}

/** Returns whether an unread notice contains the text. The found notice and all notices before it count as read. */
export function readNotice(page: Page, text: string | RegExp): boolean {
  const notices = noticesOf(page);
  const at = notices.findIndex((notice) => matches(notice, text));
  notices.splice(0, at + 1);
  return at >= 0;
}

/** Returns the unread notices, for the message of a failing step. */
export function unreadNotices(page: Page): readonly string[] {
  return noticesOf(page);
}

function noticesOf(page: Page): string[] {
  const known = unread.get(page);
  if (known !== undefined) return known;
  const notices: string[] = [];
  unread.set(page, notices);
  return notices;
}

/** Matches like `getByText`: strings by substring without case, patterns as they are. */
function matches(notice: string, text: string | RegExp): boolean {
  return typeof text === 'string' ? notice.toLowerCase().includes(text.toLowerCase()) : text.test(notice);
}

/** Runs inside the page before its own scripts: reports each text of a notice once. */
function watchNotices({ stack, binding }: { readonly stack: string; readonly binding: string }): void {
  const report = (window as unknown as Record<string, (text: string) => Promise<void>>)[binding]!;
  const reported = new WeakMap<Element, string>();
  // The element is cached because the observer runs at every change of the page.
  let shown: Element | null = null;
  new MutationObserver(() => {
    if (shown?.isConnected !== true) shown = document.querySelector(stack);
    if (shown !== null)
      for (const notice of shown.querySelectorAll('[role="status"], [role="alert"]')) {
        const text = notice.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
        if (text === '' || reported.get(notice) === text) continue;
        reported.set(notice, text);
        void report(text);
      }
  }).observe(document, { childList: true, subtree: true });
}
