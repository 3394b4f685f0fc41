import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { openBytes, sealBytes } from '../../platform/files/sealed-store.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { checkTotp, TOTP_STEP_MS, totpCode, totpStep } from '../../platform/secrets/totp.ts';
import { giveBackStep, useStep, type OperatorRow } from './repository.ts';

const PURPOSE = 'operator totp';

/** What a code turned out to be. Seconds are those until the authenticator shows the next one. */
export type CodeLook =
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
