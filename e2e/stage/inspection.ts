import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { addressOf, type Seat } from './browser.ts';
import { SHOTS } from './steps.ts';
import { wrongWords } from './words.ts';

/** Widths at which pictures are taken where E2E_SHOTS is set. */
const WIDTHS = { desktop: [1300, 1920], mobile: [390] } as const;
const TAKES_PICTURES = process.env['E2E_SHOTS'] !== undefined;

/** Opens a screen and waits until it has stopped loading. */
export async function openScreen(page: Page, { site }: Seat, path: string): Promise<void> {
  await page.goto(addressOf(site, path));
  await settled(page);
}

/** Everything wrong with the open screen in dark and in light, for eyes and for screen readers. */
export async function faultsOf(page: Page, seat: Seat, name: string): Promise<string[]> {
  const faults = [...(await barriers(page)), ...(await wrongWords(page, 'en-US'))];
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    if (scheme === 'light') faults.push(...(await barriers(page, 'color-contrast')));
    if (TAKES_PICTURES)
      for (const width of WIDTHS[seat.site])
        await takePicture(page, width, `${seat.site}-${width}-${scheme}/${name}`);
    await page.setViewportSize(seat);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  return faults;
}

/** What is not said in Chinese on the open screen once that language is chosen. */
export async function chineseFaultsOf(page: Page): Promise<string[]> {
  await page.evaluate(() => localStorage.setItem('User-Lang', 'zh-CN'));
  await page.reload();
  await settled(page);
  const faults = await wrongWords(page, 'zh-CN');
  await page.evaluate(() => localStorage.setItem('User-Lang', 'en-US'));
  return faults;
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

/** What would keep somebody from using the screen, of all rules or of one. */
async function barriers(page: Page, rule?: string): Promise<string[]> {
  // One frame is all there is, so the check needs no second page to put frames together.
  const check = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rule === undefined ? check : check.withRules(rule)).analyze();
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, any }) => `${id} (${impact}) at ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}
