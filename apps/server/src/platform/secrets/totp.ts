import { Secret, TOTP } from 'otpauth';
import type { Instant } from '@exchange/core/time.ts';
import { sameDigest } from './server-secret.ts';
import { systemRandom, type Random } from './random.ts';

// What every authenticator app assumes where nothing else is said (RFC 6238): SHA-1, six digits, 30 seconds.
const RULES = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** For how long an app shows a code. */
export const TOTP_STEP_MS = RULES.period * 1_000;

/** How many steps a phone's clock may be behind or ahead of ours. */
const DRIFT_STEPS = 1;

/** The key of a new authenticator: 160 random bits, in base32 as it is typed into an app. */
export function newTotpSecret(random: Pick<Random, 'bytes'> = systemRandom): string {
  const bytes = random.bytes(SECRET_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** The `otpauth://` address behind a QR code; `issuer` and `label` are what the app shows beside the code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  return new TOTP({ ...RULES, issuer, label, secret }).toString();
}

/**
 * The time step whose code this is, or undefined when it is wrong. Steps up to `lastStep`, the one of the last code
 * that was accepted, are over, and so are the digits of that step and of its neighbour before: two steps in a row have the
 * same digits once in a million times, and nobody who saw them typed may use them. Store the step and pass it next time.
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
  let found: number | undefined;
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step += 1) {
    const isOver = lastStep !== undefined && step <= lastStep;
    if (isCodeOf(step) && !isOver && !isSpent) found ??= step;
  }
  return found;
}

/** The number of the 30 seconds that contain a moment. */
export function totpStep(now: Instant): number {
  return Math.floor(now / TOTP_STEP_MS);
}

/** The code that an authenticator with this key shows at a moment. */
export function totpCode(secret: string, now: Instant): string {
  return new TOTP({ ...RULES, secret }).generate({ timestamp: now });
}
