import type { Instant } from '@exchange/core/time.ts';
import type { Database } from '../../platform/database/database.ts';
import { systemRandom } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { countRecoveryCodes, replaceRecoveryCodes, useRecoveryCode } from './recovery-codes-repository.ts';

const CODES = 10;
const CODE_BYTES = 5;
const HALF = 5;
const CODE = /^[0-9a-f]{5}-?[0-9a-f]{5}$/;

/** Codes that stand for a lost authenticator, each once. Only digests under the server's secret are kept. */
export class RecoveryCodes {
  private readonly parts: { readonly database: Database; readonly secret: ServerSecret };

  constructor(parts: { readonly database: Database; readonly secret: ServerSecret }) {
    this.parts = parts;
  }

  /** Makes ten new ones, which are given once; all that were before are void. */
  async renew(operator: string): Promise<string[]> {
    const bare = Array.from({ length: CODES }, () => systemRandom.bytes(CODE_BYTES).toString('hex'));
    const hashes = bare.map((code) => this.hashOf(operator, code));
    await this.parts.database.transaction((tx) => replaceRecoveryCodes(tx, operator, hashes));
    return bare.map((code) => `${code.slice(0, HALF)}-${code.slice(HALF)}`);
  }

  /** Whether what was typed is one of an operator's codes, which then is no more. */
  async use(operator: string, typed: string, now: Instant): Promise<boolean> {
    const code = typed.trim().toLowerCase();
    if (!CODE.test(code)) return false;
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
