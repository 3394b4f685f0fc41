import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { systemRandom } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { checkTotp, TOTP_STEP_MS, totpCode, totpStep } from '../../platform/secrets/totp.ts';
import { restoreStep, storeUsedStep, type OperatorRow } from './repository.ts';
import { countRecoveryCodes, replaceRecoveryCodes, useRecoveryCode } from './sign-in-repository.ts';

const PURPOSE = 'operator totp';

/**
 * Result of checking an authenticator code. For a used code, `seconds` is the time until the authenticator shows a code
 * that is not used yet.
 */
type CodeLook =
  | { readonly is: 'right'; readonly step: number; readonly before: number | undefined }
  | { readonly is: 'used'; readonly seconds: number }
  | { readonly is: 'wrong' };

/**
 * Operator authenticators. Keys are stored encrypted. Each code can be used once, unless `restoreStep` makes
 * it valid again.
 */
export class Authenticators {
  private readonly parts: {
    readonly clock: Clock;
    readonly database: Database;
    readonly secret: ServerSecret;
  };

  constructor(parts: Authenticators['parts']) {
    this.parts = parts;
  }

  /** Encrypts an authenticator key for storage. */
  seal(name: string, key: string): Buffer {
    return this.parts.secret.encrypt(PURPOSE, Buffer.from(key), name);
  }

  /** Decrypts a stored authenticator key. */
  open(name: string, sealed: Buffer): string {
    return this.parts.secret.decrypt(PURPOSE, sealed, name).toString();
  }

  /**
   * Checks an authenticator code, with or without spaces, and marks it as used if it is correct. Returns
   * whether it was right, wrong, or right but used before.
   */
  async use({ name, totp, totp_step: used }: OperatorRow, typed: string): Promise<CodeLook> {
    if (totp === null) return { is: 'wrong' };
    const { clock, database } = this.parts;
    const now = clock.now();
    const code = bareCode(typed);
    const key = this.open(name, totp);
    const before = used === null ? undefined : Number(used);
    const step = checkTotp(key, code, now, before);
    if (step !== undefined && (await storeUsedStep(database.store, name, step)))
      return { is: 'right', step, before };
    const validStep = step ?? checkTotp(key, code, now, undefined);
    if (validStep === undefined) return { is: 'wrong' };
    return { is: 'used', seconds: secondsUntilNext(Math.max(validStep, before ?? validStep), now) };
  }

  /** Makes the last used authenticator code valid again, unless a later code was used since. */
  async restoreStep(
    name: string,
    { step, before }: { step: number; before: number | undefined },
  ): Promise<void> {
    await restoreStep(this.parts.database.store, name, { step, before });
  }

  /**
   * Current and next code of an authenticator key, whether each was used, and the seconds until the current
   * code is replaced.
   */
  codesOf({ totp_step: used }: Pick<OperatorRow, 'totp_step'>, key: string) {
    const now = this.parts.clock.now();
    const step = totpStep(now);
    const codeAt = (step: number) => ({
      code: totpCode(key, instant(step * TOTP_STEP_MS)),
      isUsed: used !== null && step <= Number(used),
    });
    return { now: codeAt(step), next: codeAt(step + 1), seconds: secondsUntilNext(step, now) };
  }
}

/** Removes the spaces that authenticator apps display within codes. */
export function bareCode(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}

/**
 * Seconds, rounded up, until the authenticator stops showing the code of the time step `step`; if that step is over,
 * until it stops showing the current code.
 */
function secondsUntilNext(step: number, now: Instant): number {
  return Math.ceil(((Math.max(step, totpStep(now)) + 1) * TOTP_STEP_MS - now) / SECOND_MS);
}

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 5;
const HALF = 5;
const RECOVERY_CODE = /^[0-9a-f]{5}-?[0-9a-f]{5}$/;

/**
 * Recovery codes of operators: each can be used once, in place of an authenticator code at a sign-in or to replace a
 * lost authenticator. Only keyed hashes of the codes are stored.
 */
export class RecoveryCodes {
  private readonly parts: { readonly database: Database; readonly secret: ServerSecret };

  constructor(parts: { readonly database: Database; readonly secret: ServerSecret }) {
    this.parts = parts;
  }

  /**
   * Creates ten new recovery codes of an operator and invalidates the previous ones. The codes cannot be read again
   * later.
   */
  async renew(operator: string): Promise<string[]> {
    const bare = Array.from({ length: RECOVERY_CODES }, () =>
      systemRandom.bytes(RECOVERY_BYTES).toString('hex'),
    );
    const hashes = bare.map((code) => this.hashOf(operator, code));
    await this.parts.database.transaction((tx) => replaceRecoveryCodes(tx, operator, hashes));
    return bare.map((code) => `${code.slice(0, HALF)}-${code.slice(HALF)}`);
  }

  /** Marks a recovery code as used. Returns false if it is unknown or used. */
  async use(operator: string, typed: string, now: Instant): Promise<boolean> {
    const code = typed.trim().toLowerCase();
    if (!RECOVERY_CODE.test(code)) return false;
    return useRecoveryCode(
      this.parts.database.store,
      operator,
      this.hashOf(operator, code.replace('-', '')),
      now,
    );
  }

  /** Number of unused recovery codes per operator. */
  left(): Promise<ReadonlyMap<string, number>> {
    return countRecoveryCodes(this.parts.database.reader);
  }

  private hashOf(operator: string, code: string): Buffer {
    return this.parts.secret.seal('operator recovery code', operator, code);
  }
}
