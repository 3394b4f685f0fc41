import { instant } from '@exchange/core/time.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { totpCode, totpStep } from '../../apps/server/src/platform/secrets/totp.ts';

const STEP_MS = 30_000;

/** An app on somebody's phone that shows codes for one key. */
export class AuthenticatorApp {
  key = '';
  private lastStep = 0;

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
