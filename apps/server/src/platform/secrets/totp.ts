import { Secret, TOTP } from 'otpauth';
import type { Instant } from '@exchange/core/time.ts';
import { sameDigest } from './server-secret.ts';
import { systemRandom, type Random } from './random.ts';

// Values that all usual authenticator apps support (RFC 6238): SHA-1, six digits, 30 seconds.
const RULES = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Milliseconds for which an authenticator app shows a code. */
export const TOTP_STEP_MS = RULES.period * 1_000;

/** Number of time steps by which a device's clock may differ from the server's. */
const DRIFT_STEPS = 1;

/** Generates an authenticator's key: 160 random bits in base32, as users type it into an app. */
export function newTotpSecret(random: Pick<Random, 'bytes'> = systemRandom): string {
  const bytes = random.bytes(SECRET_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/**
 * Returns the `otpauth://` URI for a QR code. Authenticator apps show `issuer` and `label` beside the code.
 */
export function totpUri(secret: string, issuer: string, label: string): string {
  return new TOTP({ ...RULES, issuer, label, secret }).toString();
}

/**
 * Returns the time step of an authenticator code, or undefined if the code is invalid. Codes of up to
 * `DRIFT_STEPS` steps before or after the current one are valid. `lastStep` is the step of the user's last
 * accepted code; the caller stores each returned step and passes it as `lastStep` next time. Codes of steps
 * up to `lastStep` are invalid. The digits of `lastStep` and of the step before are invalid too, because two
 * consecutive steps can have the same digits, and a code must not be used twice.
 */
export function checkTotp(
  secret: string,
  code: string,
  now: Instant,
  lastStep: number | undefined,
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = new TOTP({ ...RULES, secret });
  const submitted = Buffer.from(code);
  const isCodeOf = (step: number) =>
    sameDigest(Buffer.from(totp.generate({ timestamp: step * TOTP_STEP_MS })), submitted);
  const current = totpStep(now);
  const isSpent = [0, 1].some(
    (back) => lastStep !== undefined && lastStep >= back && isCodeOf(lastStep - back),
  );
  let validStep: number | undefined;
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step += 1) {
    const isOver = lastStep !== undefined && step <= lastStep;
    if (isCodeOf(step) && !isOver && !isSpent) validStep ??= step;
  }
  return validStep;
}

/** Returns the number of the authenticator's 30-second time step that contains `now`. */
export function totpStep(now: Instant): number {
  return Math.floor(now / TOTP_STEP_MS);
}

/** Returns the code that an authenticator app with this key shows at `now`. */
export function totpCode(secret: string, now: Instant): string {
  return new TOTP({ ...RULES, secret }).generate({ timestamp: now });
}
