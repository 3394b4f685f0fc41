import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { TIMEOUT_MS } from './browser.ts';

const FETCH_EVERY_MS = 100;

/** Returns all codes that were sent to an address so far, the newest first. */
export async function codesFor(context: BrowserContext, email: string): Promise<readonly string[]> {
  const response = await context.request.get('/dev/mail.json', { params: { to: email } });
  const { list } = (await response.json()) as { list: readonly { code?: string }[] };
  return list.flatMap(({ code }) => code ?? []);
}

/** Returns the newest code of an address as soon as `count` codes have arrived. */
export async function mailedCode(context: BrowserContext, email: string, count: number): Promise<string> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const codes = await codesFor(context, email);
    if (codes.length >= count) return codes[0]!;
    if (Date.now() > deadline) throw new Error(`No code number ${count} for ${email}.`);
    await pause(FETCH_EVERY_MS);
  }
}

/** Reads the newest code of an address from the demo's mail page, like a user without a mailbox. */
export async function codeOnMailPage(context: BrowserContext, email: string): Promise<string> {
  const page = await context.newPage();
  await page.goto('/dev/mail');
  await page.getByLabel('Address').fill(email);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL(/to=/);
  const code = await page.getByRole('article').filter({ hasText: email }).locator('code').first().innerText();
  await page.close();
  return code;
}
