import axe, { type RunOptions } from 'axe-core';
import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { isLongForm } from '../../tools/test-form.ts';
import { addressOf, TIMEOUT_MS, type Seat } from './browser.ts';
import { SHOTS } from './steps.ts';
import { touchFaults } from './targets.ts';
import { wrongWords, type Locale } from './words.ts';

/** The widths of windows that a site is made for; all of them are looked at in the long form, or where E2E_SHOTS is set. */
const WIDTHS = { desktop: [1300, 1920], mobile: [390] } as const;
/** The narrowest of them, which every screen is looked at in: 1280 pixels less a scroll bar, and a small phone. */
const NARROWEST = { desktop: 1263, mobile: 360 } as const;
/** The layout shift that a screen may come to. */
const MOST_SHIFT = 0.05;
/** A skeleton comes after a moment, so that what is quick does not flicker. */
const HELD_MS = 700;
const TAKES_PICTURES = process.env['E2E_SHOTS'] !== undefined;
const SEES_ALL_WIDTHS = TAKES_PICTURES || isLongForm;

/** What is looked at: the name of its picture, and a selector where it is not the whole screen. */
export interface Inspected {
  readonly name: string;
  readonly part?: string | undefined;
}

/** Opens a screen and waits until it has stopped loading. */
export async function openScreen(page: Page, { site }: Seat, path: string): Promise<void> {
  await page.goto(addressOf(site, path));
  await settled(page);
}

/** Opens a screen whose calls are not answered, and waits until it is drawn and has had the time to show that it loads. */
export async function openHeld(page: Page, { site }: Seat, path: string): Promise<void> {
  await page.goto(addressOf(site, path));
  await drawn(page);
  await pause(HELD_MS);
}

/** Opens a screen that may not be drawn for what its calls come to, and waits until nothing loads any more. */
export async function openAnswered(page: Page, { site }: Seat, path: string): Promise<void> {
  await page.goto(addressOf(site, path));
  await drawn(page);
  await stillness(page);
}

/**
 * What is wrong with the open screen, or with a part of it: its words in the language that it speaks, and
 * once, where that is English, all else in dark and in light, for eyes and for screen readers.
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

/** What lies outside the windows that the site is made for; takes their pictures on the way. */
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

/** What moved by itself on the open screen since it was opened, where that can be seen. */
export async function movements(page: Page): Promise<string[]> {
  const { shift, moved } = await page.evaluate(() => (globalThis as unknown as Movements).movements);
  return shift < MOST_SHIFT ? [] : [`the layout shifts by ${shift.toFixed(3)}: ${moved.join('; ')}`];
}

interface Movements {
  readonly movements: { readonly shift: number; readonly moved: readonly string[] };
}

/** A tab of the same profile whose page has the storage of the site and runs nothing. */
export async function tabBeside(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto('/favicon.svg');
  return tab;
}

/** Chooses a language in a tab beside the screen, which the open screen and every one opened later then speak. */
export async function chooseLanguage(tab: Page, locale: Locale): Promise<void> {
  await tab.evaluate(([key, chosen]) => localStorage.setItem(key, chosen), [
    SESSION_KEYS.locale,
    locale,
  ] as const);
}

/** Waits until the open screen speaks a language. */
export async function speaks(page: Page, locale: Locale): Promise<void> {
  await page.locator(`html[lang="${locale}"]`).waitFor({ state: 'attached' });
}

/** Gives the open screen another language from a tab beside it, and waits until it speaks it. */
export async function speak(page: Page, tab: Page, locale: Locale): Promise<void> {
  await chooseLanguage(tab, locale);
  await speaks(page, locale);
}

/**
 * Runs inside the page. What is only read out and is not laid out in its parent: in a list that scrolls it would make the
 * page itself as long as the list.
 */
function hiddenElsewhere(): string[] {
  return [...document.querySelectorAll<HTMLElement>('.visually-hidden')]
    .filter((element) => element.offsetParent !== null && element.offsetParent !== element.parentElement)
    .map(({ outerHTML }) => `hidden outside of its parent: ${outerHTML.slice(0, 120)}`);
}

/** Runs inside the page. Text that no window of this width shows, and that nothing scrolls or cuts: a longer language broke the layout. */
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
 * Runs inside the page. Texts that are cut where nothing scrolls to the rest and no title says them in full, and texts that
 * lie over each other: the boxes around them did not grow with the size of the text.
 */
// oxlint-disable-next-line max-statements -- it is sent into the page as a text, so it can call nothing outside itself
export function textCut(): string[] {
  interface Placed {
    readonly text: string;
    readonly box: DOMRect;
    /** The nearest element around the text that is placed on its own, over what else there is. */
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
      // Line boxes of the same text overlap by design; letters are about two thirds as high as their box.
      if (next.layer !== layer || across < 3 || along < Math.min(box.height, next.box.height) / 2) continue;
      faults.push(`over each other: ${text.slice(0, 40)} and ${next.text.slice(0, 40)}`);
    }
  return [...new Set(faults)];
}

const TITLE = 'main :is(h1, h2), header h1';

/** The frame stands, and the title where there is one: one that is missing is a fault for whoever looks. */
async function drawn(page: Page): Promise<void> {
  await page.locator('main').first().waitFor();
  const title = page.locator(TITLE).first();
  await title.waitFor({ state: 'attached', timeout: TIMEOUT_MS }).catch(() => undefined);
}

/** The screen's title stands, nothing is loading any more, and the network has come to rest. */
async function settled(page: Page): Promise<void> {
  await page.locator(TITLE).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await stillness(page);
}

/** Waits until nothing says that it loads. */
export async function stillness(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/** What would keep somebody from using the screen or a part of it, of all rules or of one. */
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
