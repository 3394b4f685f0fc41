import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach } from 'vitest';

/** Where pictures are kept; not part of the repository. */
export const SHOTS = fileURLToPath(new URL('../shots/', import.meta.url));

/** Makes the tests of a suite steps of one story: after the first that fails, the rest is skipped; it leaves a picture. */
export function reportSteps(page: () => Page): void {
  let isBroken = false;
  beforeEach(({ skip }) => skip(isBroken, 'an earlier step failed'));
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    isBroken = true;
    await page().screenshot({ path: `${SHOTS}failed ${task.name.slice(0, 8)}.png` });
  });
}
