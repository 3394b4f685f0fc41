import { instant } from '@exchange/core/time.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { totpCode, totpStep } from '../../apps/server/src/platform/secrets/totp.ts';
import { fillIn } from './acts.ts';

const STEP_MS = 30_000;

/** An app on somebody's phone that shows codes for one key. */
export class AuthenticatorApp {
  private key = '';
  private lastStep = 0;

  /** Takes the key that a page shows, and turns the authenticator on with a code of it and a mailed one. */
  async turnOn(panel: Locator, mailed: () => Promise<string>): Promise<void> {
    this.key = (await panel.locator('code').innerText()).replaceAll(' ', '');
    await panel.getByRole('button', { name: 'Send code' }).click();
    await fillIn(panel, { 'Authenticator code': await this.nextCode(), 'Email code': await mailed() });
    await panel.getByRole('button', { name: 'Turn on authenticator' }).click();
  }

  /** A code that was not given before; one that is a step ahead of the clock is right as well. */
  async nextCode(): Promise<string> {
    const now = Date.now();
    const step = Math.max(this.lastStep + 1, totpStep(instant(now)));
    // No more than a step ahead of the clock.
    await pause(Math.max(0, (step - 1) * STEP_MS - now + 200));
    this.lastStep = step;
    return totpCode(this.key, instant(step * STEP_MS));
  }
}
