import { systemRandom } from '../../platform/secrets/random.ts';
import { sameDigest, type ServerSecret } from '../../platform/secrets/server-secret.ts';
import { decryptHash } from '../../platform/secrets/slow-hash.ts';
import type { OperatorRow } from './repository.ts';

const PURPOSE = 'operator browser';
/**
 * The text that separates hashes of operators' passwords from other hashes of the server (domain separation).
 */
export const PASSWORD_PURPOSE = 'operator password';
const ID_BYTES = 16;
const KEY = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * Keys that identify browsers from which an operator has signed in before. A key grants no access: failed sign-in
 * attempts with a key are counted separately, so that failures of strangers do not block the operator. A new password
 * invalidates all keys of the operator.
 */
export class KnownBrowsers {
  private readonly secret: ServerSecret;

  constructor(secret: ServerSecret) {
    this.secret = secret;
  }

  /** Creates a key for a browser after a successful sign-in. */
  issue(operator: OperatorRow): string {
    const id = systemRandom.bytes(ID_BYTES).toString('base64url');
    return `${id}.${this.seal(operator, id).toString('base64url')}`;
  }

  /**
   * The id of the browser that a key identifies; undefined if `operator` is undefined, or the key is
   * malformed, was not issued to this operator, or was issued before a change of the operator's password.
   */
  idOf(operator: OperatorRow | undefined, key: string): string | undefined {
    const [, id, seal] = KEY.exec(key) ?? [];
    if (operator === undefined || id === undefined || seal === undefined) return undefined;
    return sameDigest(this.seal(operator, id), Buffer.from(seal, 'base64url')) ? id : undefined;
  }

  private seal({ name, password_hash: passwordHash }: OperatorRow, id: string): Buffer {
    const hash = passwordHash === null ? '' : decryptHash(this.secret, passwordHash);
    return this.secret.seal(PURPOSE, name, hash, id);
  }
}
