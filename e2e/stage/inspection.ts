import axe, { type RunOptions } from 'axe-core';
import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { isLongForm } from '../../tools/test-form.ts';
import { addressOf, TIMEOUT_MS, type Seat } from './browser.ts';
import { SHOTS } from './steps.ts';
import { touchFaults } from './targets.ts';
import { wrongWords, type Locale } from './words.ts';

/** Supported window widths of the sites. All are checked in the long form or with E2E_SHOTS. */
const WIDTHS = { desktop: [1300, 1920], mobile: [390] } as const;
/**
 * The narrowest supported widths, which every screen is checked at: 1280 pixels without the scroll bar, and a small
 * phone.
 */
const NARROWEST = { desktop: 1263, mobile: 360 } as const;
/** The highest allowed layout shift of a screen. */
const MOST_SHIFT = 0.05;
/** Loading placeholders appear after a delay, so that fast screens do not flicker. */
const HELD_MS = 700;
const TAKES_PICTURES = process.env['E2E_SHOTS'] !== undefined;
const SEES_ALL_WIDTHS = TAKES_PICTURES || isLongForm;

/** The object of a check: the name of its screenshot, and a selector if it is not the whole screen. */
export interface Inspected {
  readonly name: string;
  readonly part?: string | undefined;
}

/** Opens a screen and waits until it has loaded. */
export async function openScreen(page: Page, { site }: Seat, path: string): Promise<void> {
  await page.goto(addressOf(site, path));
  await settled(page);
}

/** Opens a screen whose requests stay unanswered, and waits until it shows its loading state. */
export async function openHeld(page: Page, { site }: Seat, path: string): Promise<void> {
  await page.goto(addressOf(site, path));
  await drawn(page);
  await pause(HELD_MS);
}

/** Opens a screen whose requests may fail, and waits until nothing is loading. */
export async function openAnswered(page: Page, { site }: Seat, path: string): Promise<void> {
  await page.goto(addressOf(site, path));
  await drawn(page);
  await stillness(page);
}

/**
 * Returns the faults of the open screen or of a part of it: its words in the current language and, if that is
 * English, layout and accessibility in dark and in light.
 */
export async function faultsOf(
  page: Page,
  seat: Seat,
  { name, part }: Inspected,
  locale: Locale,
): Promise<string[]> {
  const faults = [...(await wrongWords(page, locale)), ...(await page.evaluate(hiddenElsewhere))];
  if (locale !== 'en-US') {
    faults.push(...(await outsideOf(page, seat, name, locale)));
    return faults;
  }
  faults.push(...(await barriers(page, part)));
  if (seat.site === 'mobile') faults.push(...(await touchFaults(page)));
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    if (scheme === 'light') faults.push(...(await barriers(page, part, 'color-contrast')));
    if (scheme === 'dark' || TAKES_PICTURES) faults.push(...(await outsideOf(page, seat, name, scheme)));
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  return faults;
}

/** Returns the elements outside of the supported windows and takes screenshots. */
async function outsideOf(page: Page, seat: Seat, name: string, variant: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [NARROWEST[seat.site], ...(SEES_ALL_WIDTHS ? WIDTHS[seat.site] : [seat.width])]) {
    if (width !== seat.width) await page.setViewportSize({ ...seat, width });
    faults.push(...(await page.evaluate(textOutside)));
    if (TAKES_PICTURES)
      await page.screenshot({ path: `${SHOTS}${seat.site}-${width}-${variant}/${name}.png` });
    if (width !== seat.width) await page.setViewportSize(seat);
  }
  return faults;
}

/** Returns the visible layout shifts of the open screen since it was opened. */
export async function movements(page: Page): Promise<string[]> {
  const { shift, moved } = await page.evaluate(() => (globalThis as unknown as Movements).movements);
  return shift < MOST_SHIFT ? [] : [`the layout shifts by ${shift.toFixed(3)}: ${moved.join('; ')}`];
}

interface Movements {
  readonly movements: { readonly shift: number; readonly moved: readonly string[] };
}

/** Opens a tab of the same profile that shares the storage of the site but runs no scripts. */
export async function tabBeside(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto('/favicon.svg');
  return tab;
}

/** Selects a language in another tab; the open screen and all later ones use it. */
export async function chooseLanguage(tab: Page, locale: Locale): Promise<void> {
  await tab.evaluate(([key, chosen]) => localStorage.setItem(key, chosen), [
    SESSION_KEYS.locale,
    locale,
  ] as const);
}

/** Waits until the open screen uses a language. */
export async function speaks(page: Page, locale: Locale): Promise<void> {
  await page.locator(`html[lang="${locale}"]`).waitFor({ state: 'attached' });
}

/** Changes the language of the open screen from another tab and waits for it. */
export async function speak(page: Page, tab: Page, locale: Locale): Promise<void> {
  await chooseLanguage(tab, locale);
  await speaks(page, locale);
}

/**
 * Runs inside the page. Returns visually hidden elements that are not positioned within their parent; in a scrolling
 * list they would make the page as long as the list.
 */
function hiddenElsewhere(): string[] {
  return [...document.querySelectorAll<HTMLElement>('.visually-hidden')]
    .filter((element) => element.offsetParent !== null && element.offsetParent !== element.parentElement)
    .map(({ outerHTML }) => `hidden outside of its parent: ${outerHTML.slice(0, 120)}`);
}

/**
 * Runs inside the page. Returns texts outside of the window that cannot be scrolled to: a longer language broke the
 * layout.
 */
export function textOutside(): string[] {
  const { scrollWidth: wide, clientWidth: window } = document.documentElement;
  const faults = wide > window ? [`the page is ${wide} wide in a window of ${window}`] : [];
  const isCut = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).overflowX !== 'visible' || isCut(element.parentElement));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent?.trim() ?? '';
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const { left, right, width } = range.getBoundingClientRect();
    const isOutside = text !== '' && width > 1 && (right > window + 1 || left < -1);
    if (isOutside && !isCut(walker.currentNode.parentElement)) faults.push(`outside the window: ${text}`);
  }
  return faults;
}

/**
 * Runs inside the page. Returns texts that are cut off without scrolling or a title with the full text, and texts
 * that overlap: their boxes did not grow with the font size.
 */
// oxlint-disable-next-line max-statements -- it is sent into the page as a text, so it can call nothing outside itself
export function textCut(): string[] {
  interface Placed {
    readonly text: string;
    readonly box: DOMRect;
    /** The nearest ancestor with its own positioning. */
    readonly layer: Element | null;
  }
  const faults: string[] = [];
  const placed: Placed[] = [];
  const isLoose = (element: Element) => /absolute|fixed|sticky/.test(getComputedStyle(element).position);
  const cutBy = (element: Element | null, box: DOMRect): Element | undefined => {
    if (element === null || element === document.body) return undefined;
    const { overflowX, overflowY, position } = getComputedStyle(element);
    const around = element.getBoundingClientRect();
    if (/auto|scroll/.test(overflowX + overflowY)) return undefined;
    const isCutAcross =
      overflowX !== 'visible' && (box.right > around.right + 1.5 || box.left < around.left - 1.5);
    const isCutAlong =
      overflowY !== 'visible' && (box.bottom > around.bottom + 4 || box.top < around.top - 4);
    if (isCutAcross || isCutAlong) return element;
    return position === 'fixed' ? undefined : cutBy(element.parentElement, box);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent?.trim() ?? '';
    if (
      text === '' ||
      parent === null ||
      !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    )
      continue;
    if (parent.closest('.visually-hidden, svg, pre, option, noscript, #first-shape') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    const by = cutBy(parent, box);
    if (by === undefined) {
      let layer: Element | null = parent;
      while (layer !== null && !isLoose(layer)) layer = layer.parentElement;
      for (const line of range.getClientRects()) placed.push({ text, box: line, layer });
    } else if (by.closest('[title]') === null && parent.closest('[title], [aria-label]') === null) {
      const { lineClamp, textOverflow } = getComputedStyle(by) as CSSStyleDeclaration & { lineClamp: string };
      const isClamped = textOverflow === 'ellipsis' || (lineClamp !== '' && lineClamp !== 'none');
      faults.push(
        `cut${isClamped ? ' with dots' : ''}: ${text.slice(0, 60)} in ${by.localName}.${by.className}`,
      );
    }
  }
  for (const input of document.querySelectorAll<HTMLInputElement>('input[inputmode=decimal]'))
    if (input.value !== '' && input.checkVisibility() && input.scrollWidth > input.clientWidth + 1)
      faults.push(`cut in its field: ${input.value}`);
  const rows = placed.toSorted((one, other) => one.box.top - other.box.top);
  for (const [index, { text, box, layer }] of rows.entries())
    for (const next of rows.slice(index + 1)) {
      if (next.box.top > box.bottom - 3) break;
      const across = Math.min(box.right, next.box.right) - Math.max(box.left, next.box.left);
      const along = Math.min(box.bottom, next.box.bottom) - next.box.top;
      // Line boxes of the same text overlap by design; letters fill about two thirds of the height.
      if (next.layer !== layer || across < 3 || along < Math.min(box.height, next.box.height) / 2) continue;
      faults.push(`over each other: ${text.slice(0, 40)} and ${next.text.slice(0, 40)}`);
    }
  return [...new Set(faults)];
}

const TITLE = 'main :is(h1, h2), header h1';

/** Waits for the frame, and for the title if there is one; a missing title is reported as a fault. */
async function drawn(page: Page): Promise<void> {
  await page.locator('main').first().waitFor();
  const title = page.locator(TITLE).first();
  await title.waitFor({ state: 'attached', timeout: TIMEOUT_MS }).catch(() => undefined);
}

/** Waits for the title, for the end of loading and for an idle network. */
async function settled(page: Page): Promise<void> {
  await page.locator(TITLE).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await stillness(page);
}

/** Waits until nothing is marked as busy. */
export async function stillness(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/** Returns the accessibility violations of the screen or a part of it, by all rules or by one. */
export async function barriers(page: Page, part?: string, rule?: string): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(axe.source);
  return page.evaluate(checkedByAxe, {
    part,
    options: { resultTypes: ['violations' as const], ...(rule === undefined ? {} : { runOnly: rule }) },
  });
}

interface Check {
  readonly part: string | undefined;
  readonly options: RunOptions;
}

/** Runs inside the page. */
async function checkedByAxe({ part, options }: Check): Promise<string[]> {
  const check = (globalThis as unknown as { axe: typeof axe }).axe;
  const { violations } = await check.run(part ?? document, options);
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, any }) => `${id} (${impact}) at ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}
