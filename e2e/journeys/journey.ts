import type { Locator, Page } from 'playwright-core';
import { addressOf, type Person, type Viewport } from '../fixtures/browser.ts';
import { readNotice } from '../fixtures/notices.ts';

/** A step of a journey that the test can run under any condition of the network. */
export interface Step {
  readonly name: string;
  /** Prepares the step, for example fills in a form, while the network works. */
  readonly prepare?: (person: Person) => Promise<void>;
  /**
   * The element that is pressed and needs the exchange. It is pressed again if the step did not
   * complete.
   */
  readonly target: (person: Person) => Locator;
  /** Returns whether the page shows that the step is complete. */
  readonly isDone: (person: Person) => Promise<boolean>;
  /**
   * True if the exchange must execute the step once, even if it is sent again after its response
   * was lost.
   */
  readonly isKeyed?: boolean;
}

/** A list of the exchange whose records are counted, by its endpoint and filter. */
export interface CountedList {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A sequence of steps of a user on one site. */
export interface Journey {
  readonly name: string;
  /** Path of the first screen, opened while the network works. */
  readonly start: string;
  /** True if the demo trader is signed in; otherwise the journey starts as a visitor. */
  readonly isMember: boolean;
  /** Lists to which the journey adds exactly one record, all lists together. */
  readonly counted?: readonly CountedList[];
  readonly steps: readonly Step[];
}

/** Follows a link of the open page to another address of its site. */
export function follow(site: Viewport['site'], path: string, heading: string | RegExp): Step {
  return {
    name: `opens ${path}`,
    target: ({ page }) => page.locator(`a[href="${addressOf(site, path)}"]`),
    isDone: async ({ page }) =>
      new URL(page.url()).pathname === addressOf(site, path.split('?')[0]!) &&
      (await isVisible(page.getByRole('heading', { name: heading }))),
  };
}

/** Returns whether an element is visible now. */
export async function isVisible(locator: Locator): Promise<boolean> {
  return (await locator.filter({ visible: true }).count()) > 0;
}

/** Returns whether a sentence is on the page or in a notice that no step has read yet. */
export async function hasText(page: Page, text: string | RegExp): Promise<boolean> {
  return readNotice(page, text) || (await isVisible(page.locator('main, [role="dialog"]').getByText(text)));
}
