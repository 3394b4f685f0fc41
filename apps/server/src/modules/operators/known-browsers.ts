import { systemRandom } from '../../platform/secrets/random.ts';
import { sameDigest, type ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { OperatorRow } from './repository.ts';

const PURPOSE = 'operator browser';
const ID_BYTES = 16;
const KEY = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * Keys by which a browser shows that an operator has signed in from it before. A key permits nothing: tries with it have a
 * count of wrong ones of their own, so that strangers' tries never use up those of the operator. A new password voids it.
 */
export class KnownBrowsers {
  private readonly secret: ServerSecret;

  constructor(secret: ServerSecret) {
    this.secret = secret;
  }

  /** A key for the browser from which an operator has just signed in. */
  issue(operator: OperatorRow): string {
    const id = systemRandom.bytes(ID_BYTES).toString('base64url');
    return `${id}.${this.seal(operator, id).toString('base64url')}`;
  }

  /** The id of the browser that a key belongs to; undefined where the key is not one of this operator's. */
  idOf(operator: OperatorRow | undefined, key: string): string | undefined {
    const [, id, seal] = KEY.exec(key) ?? [];
    if (operator === undefined || id === undefined || seal === undefined) return undefined;
    return sameDigest(this.seal(operator, id), Buffer.from(seal, 'base64url')) ? id : undefined;
  }

  private seal({ name, password_hash: passwordHash }: OperatorRow, id: string): Buffer {
    return this.secret.seal(PURPOSE, name, passwordHash ?? '', id);
  }
}
