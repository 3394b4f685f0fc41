import type { BrowserContext, Page } from 'playwright-core';

/** Where the sites and the console put notices that go away by themselves, after two seconds. */
const STACK = '[data-notices]';

/** Selects what stands on a page and does not go away by itself. */
export const OUTSIDE_NOTICES = `:not(${STACK} *)`;

const BINDING = 'reportNotice';

/** Notices of each page that no step has read yet, in the order in which they were shown. */
const unread = new WeakMap<Page, string[]>();

/**
 * Records the text of every notice on the pages of a context, in the process of the test. A notice can then be read
 * however long ago it went away, so that no step depends on how soon it looks.
 */
export async function recordNotices(context: BrowserContext): Promise<void> {
  await context.exposeBinding(BINDING, ({ page }, text: string) => {
    noticesOf(page).push(text);
  });
  await context.addInitScript(watchNotices, { stack: STACK, binding: BINDING });
}

/**
 * Whether a notice has said this that no step has read yet. Notices are read in their order: the one that is found and
 * those before it are read then, and do not answer for a later one.
 */
export function readNotice(page: Page, text: string | RegExp): boolean {
  const notices = noticesOf(page);
  const at = notices.findIndex((notice) => matches(notice, text));
  notices.splice(0, at + 1);
  return at >= 0;
}

/** The notices that no step has read yet, for the message of a step that fails. */
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

/** As `getByText` matches: a string anywhere and in any case, a pattern as it is. */
function matches(notice: string, text: string | RegExp): boolean {
  return typeof text === 'string' ? notice.toLowerCase().includes(text.toLowerCase()) : text.test(notice);
}

/** Runs inside the page, before its own scripts: reports each text that a notice shows, once. */
function watchNotices({ stack, binding }: { readonly stack: string; readonly binding: string }): void {
  const report = (window as unknown as Record<string, (text: string) => Promise<void>>)[binding]!;
  const reported = new WeakMap<Element, string>();
  // Found once and kept: the page changes all the time, and each change asks for it.
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
