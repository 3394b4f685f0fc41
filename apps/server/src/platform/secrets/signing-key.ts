import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** PKCS #8 prefix of a 32-byte Ed25519 private key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Signature {
  readonly key: string;
  /** The signature of the signed data, in Base64. */
  readonly signature: string;
}

/** Signs published data and statements with Ed25519. The public key is served at `/proof/keys`. */
export class SigningKey {
  /** The public key as SubjectPublicKeyInfo in PEM. */
  readonly publicKey: string;
  /** Id of the key: the first 16 hex digits of the SHA-256 of the public key in DER. */
  readonly id: string;
  private readonly privateKey: KeyObject;

  /** `seed` is a secret of 32 bytes that must be used for nothing else. */
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

/**
 * Returns the key with which the exchange signs its data, such as the index tape, recorded order books,
 * proofs of liabilities, checkpoints, the archived journal and tax reports. It is derived from the server's
 * secret.
 */
export function signingKeyOf(secret: { key(purpose: string): Buffer }): SigningKey {
  return new SigningKey(secret.key('tape checkpoints'));
}

/** A published signing key, with the handover from its predecessor. The first key has no handover. */
export interface PublishedKey {
  readonly id: string;
  /** The public key as SubjectPublicKeyInfo in PEM. */
  readonly publicKey: string;
  readonly handover: Handover | undefined;
}

/**
 * The handover from a signing key to its successor. The predecessor has signed it, and the successor has countersigned
 * it, both in Base64.
 */
export interface Handover {
  /** Id of the predecessor key. */
  readonly from: string;
  /** Time of the handover to the successor key, in milliseconds UTC. */
  readonly at: number;
  readonly signature: string;
  readonly countersignature: string;
}

/**
 * Creates the handover from the signing key `previous` to `next`, a statement that both keys sign. `at` is in
 * milliseconds UTC.
 */
export function handOver(previous: SigningKey, next: SigningKey, at: number): Handover {
  const text = handoverText(previous.id, next.id, at);
  return {
    from: previous.id,
    at,
    signature: previous.sign(text).signature,
    countersignature: next.sign(text).signature,
  };
}

/**
 * Returns the public keys in PEM whose signatures are trusted, by id: the current key and its predecessors. A
 * predecessor is trusted only if both it and its successor have signed the handover. Keys from before an
 * invalid or missing handover are left out.
 */
export function trustedKeys(current: SigningKey, published: readonly PublishedKey[]): Map<string, string> {
  const byId = new Map(published.map((key) => [key.id, key]));
  const trusted = new Map([[current.id, current.publicKey]]);
  for (let key = byId.get(current.id); key?.handover !== undefined;) {
    const previous = byId.get(key.handover.from);
    if (previous === undefined || trusted.has(previous.id) || !isHandover(previous, key, key.handover)) break;
    trusted.set(previous.id, previous.publicKey);
    key = previous;
  }
  return trusted;
}

function isHandover(previous: PublishedKey, next: PublishedKey, handover: Handover): boolean {
  const text = Buffer.from(handoverText(previous.id, next.id, handover.at));
  const isSigned = (key: string, signature: string) =>
    verify(null, text, key, Buffer.from(signature, 'base64'));
  return (
    isSigned(previous.publicKey, handover.signature) && isSigned(next.publicKey, handover.countersignature)
  );
}

function handoverText(from: string, to: string, at: number): string {
  return `handover|${from}|${to}|${at}`;
}
