import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Signature {
  readonly key: string;
  /** Base64. */
  readonly signature: string;
}

/** Signs what the exchange publishes, with Ed25519; its public half is at `/proof/keys`. */
export class SigningKey {
  /** SubjectPublicKeyInfo, PEM. */
  readonly publicKey: string;
  /** The first digits of the public key's digest. */
  readonly id: string;
  private readonly privateKey: KeyObject;

  /** `seed`: 32 bytes that sign and do nothing else. */
  constructor(seed: Buffer) {
    this.privateKey = createPrivateKey({
      key: Buffer.concat([PKCS8, seed]),
      format: 'der',
      type: 'pkcs8',
    });
    const publicKey = createPublicKey(this.privateKey);
    this.publicKey = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    this.id = createHash('sha256')
      .update(publicKey.export({ format: 'der', type: 'spki' }))
      .digest('hex')
      .slice(0, 16);
  }

  sign(text: string): Signature {
    return { key: this.id, signature: sign(null, Buffer.from(text), this.privateKey).toString('base64') };
  }
}

/** The key that signs tape, proofs and checkpoints. */
export function signingKeyOf(secret: { key(purpose: string): Buffer }): SigningKey {
  return new SigningKey(secret.key('tape checkpoints'));
}
