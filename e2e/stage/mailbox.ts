import type { BrowserContext } from 'playwright-core';
import { TIMEOUT_MS } from './browser.ts';

/** Reads the newest code mailed to an address off the demo's mail page, once `count` codes have arrived. */
export async function mailedCode(context: BrowserContext, email: string, count: number): Promise<string> {
  const page = await context.newPage();
  await page.goto('/dev/mail');
  await page.getByLabel('Address').fill(email);
  const show = page.getByRole('button', { name: 'Show' });
  const codes = page.getByRole('article').filter({ hasText: email }).locator('code');
  await show.click();
  await page.waitForURL(/to=/);
  const deadline = Date.now() + TIMEOUT_MS;
  while ((await codes.count()) < count) {
    if (Date.now() > deadline) throw new Error(`No code number ${count} for ${email}.`);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForLoadState();
  }
  const code = await codes.first().innerText();
  await page.close();
  return code;
}
