import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { addressOf, type Seat } from './browser.ts';
import { SHOTS } from './steps.ts';
import { wrongWords, type Locale } from './words.ts';

/** Widths at which pictures are taken where E2E_SHOTS is set. */
const WIDTHS = { desktop: [1300, 1920], mobile: [390] } as const;
const TAKES_PICTURES = process.env['E2E_SHOTS'] !== undefined;

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

/** Everything wrong with the open screen, or with a part of it, in dark and in light, for eyes and for screen readers. */
export async function faultsOf(page: Page, seat: Seat, { name, part }: Inspected): Promise<string[]> {
  const faults = [...(await barriers(page, part)), ...(await wrongWords(page, 'en-US'))];
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    if (scheme === 'light') faults.push(...(await barriers(page, part, 'color-contrast')));
    if (TAKES_PICTURES)
      for (const width of WIDTHS[seat.site])
        await takePicture(page, width, `${seat.site}-${width}-${scheme}/${name}`);
    await page.setViewportSize(seat);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  return faults;
}

/** Chooses the language that screens speak from the next on. */
export async function speak(page: Page, locale: Locale): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('User-Lang', chosen), locale);
}

async function takePicture(page: Page, width: number, name: string): Promise<void> {
  await page.setViewportSize({ width, height: page.viewportSize()?.height ?? width });
  await page.screenshot({ path: `${SHOTS}${name}.png` });
}

/** The screen's title stands, nothing is loading any more, and the network has come to rest. */
async function settled(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2), header h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/** What would keep somebody from using the screen or a part of it, of all rules or of one. */
async function barriers(page: Page, part?: string, rule?: string): Promise<string[]> {
  // One frame is all there is, so the check needs no second page to put frames together.
  const check = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (part !== undefined) check.include(part);
  if (rule !== undefined) check.withRules(rule);
  const { violations } = await check.analyze();
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, any }) => `${id} (${impact}) at ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}
