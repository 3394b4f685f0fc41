import { instant } from '@exchange/core/time.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { totpCode, totpStep } from '../../apps/server/src/platform/secrets/totp.ts';
import { fillIn } from './acts.ts';

const STEP_MS = 30_000;

/** An authenticator app with the codes of one key. */
export class AuthenticatorApp {
  private key = '';
  private lastStep = 0;

  /** Reads the key that a page shows, and enables the authenticator with a code of the app and an emailed code. */
  async turnOn(panel: Locator, mailed: () => Promise<string>): Promise<void> {
    this.key = (await panel.locator('code').innerText()).replaceAll(' ', '');
    await panel.getByRole('button', { name: 'Send code' }).click();
    await fillIn(panel, { 'Authenticator code': await this.nextCode(), 'Email code': await mailed() });
    await panel.getByRole('button', { name: 'Turn on authenticator' }).click();
  }

  /** Returns a code that was not used before. The server also accepts the code of the next time step. */
  async nextCode(): Promise<string> {
    const now = Date.now();
    const step = Math.max(this.lastStep + 1, totpStep(instant(now)));
    // At most one time step ahead of the clock.
    await pause(Math.max(0, (step - 1) * STEP_MS - now + 200));
    this.lastStep = step;
    return totpCode(this.key, instant(step * STEP_MS));
  }
}
