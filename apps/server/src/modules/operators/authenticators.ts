import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { openBytes, sealBytes } from '../../platform/files/sealed-store.ts';
import { systemRandom } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { checkTotp, TOTP_STEP_MS, totpCode, totpStep } from '../../platform/secrets/totp.ts';
import { giveBackStep, useStep, type OperatorRow } from './repository.ts';
import { countRecoveryCodes, replaceRecoveryCodes, useRecoveryCode } from './sign-in-repository.ts';

const PURPOSE = 'operator totp';

/** What a code turned out to be. Seconds are those until the authenticator shows the next one. */
type CodeLook =
  | { readonly is: 'right'; readonly step: number; readonly before: number | undefined }
  | { readonly is: 'used'; readonly seconds: number }
  | { readonly is: 'wrong' };

/** Authenticators of operators: their keys stand in the database encrypted, and each code is right once. */
export class Authenticators {
  private readonly parts: {
    readonly clock: Clock;
    readonly database: Database;
    readonly secret: ServerSecret;
  };

  constructor(parts: Authenticators['parts']) {
    this.parts = parts;
  }

  /** A key as it is stored. */
  seal(name: string, key: string): Buffer {
    return sealBytes(this.parts.secret.key(PURPOSE), Buffer.from(key), name);
  }

  /** The key behind what is stored. */
  open(name: string, sealed: Buffer): string {
    return openBytes(this.parts.secret.key(PURPOSE), sealed, name).toString();
  }

  /** Looks at a code, written with or without spaces, and uses it up where it is right. */
  async use({ name, totp, totp_step: used }: OperatorRow, typed: string): Promise<CodeLook> {
    if (totp === null) return { is: 'wrong' };
    const { clock, database } = this.parts;
    const now = clock.now();
    const code = bareCode(typed);
    const key = this.open(name, totp);
    const before = used === null ? undefined : Number(used);
    const step = checkTotp(key, code, now, before);
    if (step !== undefined && (await useStep(database.store, name, step)))
      return { is: 'right', step, before };
    const known = step ?? checkTotp(key, code, now, undefined);
    if (known === undefined) return { is: 'wrong' };
    return { is: 'used', seconds: secondsUntilNext(Math.max(known, before ?? known), now) };
  }

  /** Makes a code that was used right again, unless a later one was used since. */
  async giveBack(
    name: string,
    { step, before }: { step: number; before: number | undefined },
  ): Promise<void> {
    await giveBackStep(this.parts.database.store, name, { step, before });
  }

  /** What an authenticator with this key shows now and next, and which of the two were used. */
  codesOf({ totp_step: used }: Pick<OperatorRow, 'totp_step'>, key: string) {
    const now = this.parts.clock.now();
    const step = totpStep(now);
    const of = (at: number) => ({
      code: totpCode(key, instant(at * TOTP_STEP_MS)),
      isUsed: used !== null && at <= Number(used),
    });
    return { now: of(step), next: of(step + 1), seconds: secondsUntilNext(step, now) };
  }
}

/** A code without the spaces that apps show it with. */
export function bareCode(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}

/** For how long an authenticator goes on to show a code of this step, or the present one; whole seconds, rounded up. */
function secondsUntilNext(step: number, now: Instant): number {
  return Math.ceil(((Math.max(step, totpStep(now)) + 1) * TOTP_STEP_MS - now) / SECOND_MS);
}

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 5;
const HALF = 5;
const RECOVERY_CODE = /^[0-9a-f]{5}-?[0-9a-f]{5}$/;

/** Codes that stand for a lost authenticator, each once. Only digests under the server's secret are kept. */
export class RecoveryCodes {
  private readonly parts: { readonly database: Database; readonly secret: ServerSecret };

  constructor(parts: { readonly database: Database; readonly secret: ServerSecret }) {
    this.parts = parts;
  }

  /** Makes ten new ones, which are given once; all that were before are void. */
  async renew(operator: string): Promise<string[]> {
    const bare = Array.from({ length: RECOVERY_CODES }, () =>
      systemRandom.bytes(RECOVERY_BYTES).toString('hex'),
    );
    const hashes = bare.map((code) => this.hashOf(operator, code));
    await this.parts.database.transaction((tx) => replaceRecoveryCodes(tx, operator, hashes));
    return bare.map((code) => `${code.slice(0, HALF)}-${code.slice(HALF)}`);
  }

  /** Whether what was typed is one of an operator's codes, which then is no more. */
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

  /** How many are left, by operator. */
  left(): Promise<ReadonlyMap<string, number>> {
    return countRecoveryCodes(this.parts.database.reader);
  }

  private hashOf(operator: string, code: string): Buffer {
    return this.parts.secret.seal('operator recovery code', operator, code);
  }
}
