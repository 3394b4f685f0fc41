import type { Locator, Page } from 'playwright-core';
import { addressOf, type Person, type Seat } from '../stage/browser.ts';
import { readNotice } from '../stage/notices.ts';

/** One step of a journey that a programme can play under any condition of the network. */
export interface Step {
  readonly name: string;
  /** What is typed or chosen before, while the network is there. */
  readonly prepare?: (person: Person) => Promise<void>;
  /** What is pressed and needs the exchange. It is pressed again where the step did not come to its end. */
  readonly target: (person: Person) => Locator;
  /** Whether the page shows that the step is done. */
  readonly isDone: (person: Person) => Promise<boolean>;
  /** The exchange must do it once, however often it is sent: its answer may be lost although it was done. */
  readonly isKeyed?: boolean;
}

/** A list of the exchange, by its call and its filter. */
export interface Counted {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What a person does on one site, from an address on. */
export interface Journey {
  readonly name: string;
  /** Address of the screen that the journey begins on, opened while the network is there. */
  readonly start: string;
  /** Whether the demo trader does it; others begin as visitors. */
  readonly isMember: boolean;
  /** Lists of the exchange that the journey adds one record to in all, where it adds one. */
  readonly counted?: readonly Counted[];
  readonly steps: readonly Step[];
}

/** Follows a link of the open page to another address of its site. */
export function follow(site: Seat['site'], path: string, heading: string | RegExp): Step {
  return {
    name: `opens ${path}`,
    target: ({ page }) => page.locator(`a[href="${addressOf(site, path)}"]`),
    isDone: async ({ page }) =>
      new URL(page.url()).pathname === addressOf(site, path.split('?')[0]!) &&
      (await seen(page.getByRole('heading', { name: heading }))),
  };
}

/** Whether something of it is visible now. */
export async function seen(locator: Locator): Promise<boolean> {
  return (await locator.filter({ visible: true }).count()) > 0;
}

/** Whether a sentence stands on the page, or a notice that no step has read yet has said it. */
export async function says(page: Page, text: string | RegExp): Promise<boolean> {
  return readNotice(page, text) || (await seen(page.locator('main, [role="dialog"]').getByText(text)));
}
