import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';

/** PKCS #8 prefix of a 32-byte Ed25519 private key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Signature {
  readonly key: string;
  /** The signature in Base64. */
  readonly signature: string;
}

/** Signs published data with Ed25519; the public key is served at `/proof/keys`. */
export class SigningKey {
  /** SubjectPublicKeyInfo in PEM. */
  readonly publicKey: string;
  /** The first hex digits of the public key's SHA-256. */
  readonly id: string;
  private readonly privateKey: KeyObject;

  /** `seed`: a secret of 32 bytes that is used for nothing else. */
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

/** The key that signs price tape, proofs of liabilities and checkpoints. */
export function signingKeyOf(secret: { key(purpose: string): Buffer }): SigningKey {
  return new SigningKey(secret.key('tape checkpoints'));
}
