import type { Locator, Page } from 'playwright-core';
import { addressOf, type Person, type Viewport } from '../fixtures/browser.ts';
import { readNotice } from '../fixtures/notices.ts';

/** A step of a user's journey that the test can run under any condition of the network. */
export interface Step {
  readonly name: string;
  /** Prepares the step while the network works, e.g. fills in a form. */
  readonly prepare?: (person: Person) => Promise<void>;
  /**
   * Returns the element that the step presses: a link, or a button that opens something or sends a request.
   * It is pressed again if the step is not completed.
   */
  readonly target: (person: Person) => Locator;
  /** Returns whether the page shows that the step is complete. */
  readonly isDone: (person: Person) => Promise<boolean>;
  /**
   * True if the exchange must execute the step's request only once, even if the page sends it again because the
   * response was lost.
   */
  readonly isKeyed?: boolean;
}

/** A list of the exchange whose records are counted, with the path of its endpoint and the fields of its filter. */
export interface CountedList {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A sequence of steps of a user on one site. */
export interface Journey {
  readonly name: string;
  /** Path of the first screen, which is opened while the network works. */
  readonly start: string;
  /** True if the demo trader is signed in. Otherwise the journey starts as a visitor. */
  readonly isMember: boolean;
  /**
   * Lists of the exchange to which the journey adds records: exactly one record over all these lists
   * together.
   */
  readonly counted?: readonly CountedList[];
  readonly steps: readonly Step[];
}

/** Returns the step of following a link on the open page to another path of the site. */
export function follow(site: Viewport['site'], path: string, heading: string | RegExp): Step {
  return {
    name: `opens ${path}`,
    target: ({ page }) => page.locator(`a[href="${addressOf(site, path)}"]`),
    isDone: async ({ page }) =>
      new URL(page.url()).pathname === addressOf(site, path.split('?')[0]!) &&
      (await isVisible(page.getByRole('heading', { name: heading }))),
  };
}

/** Returns whether at least one element of the locator is visible now. */
export async function isVisible(locator: Locator): Promise<boolean> {
  return (await locator.filter({ visible: true }).count()) > 0;
}

/**
 * Returns whether a sentence is in the main part of the page, in a dialog, or in a notice that no step of the
 * test has read yet. Such a notice and all before it then count as read.
 */
export async function hasText(page: Page, text: string | RegExp): Promise<boolean> {
  return readNotice(page, text) || (await isVisible(page.locator('main, [role="dialog"]').getByText(text)));
}
