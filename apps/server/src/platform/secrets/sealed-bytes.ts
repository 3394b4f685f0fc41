import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
/** First byte of a ciphertext of `sealBytes`, which identifies the format. */
export const SEALED_FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts `plain` with AES-256-GCM and a new nonce. `about` is the additional authenticated data, such as the id of
 * the owner. Returns format, nonce, tag and ciphertext, in this order.
 */
export function sealBytes(key: Buffer, plain: Buffer, about: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(SEALED_FORMAT), nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts the result of `sealBytes`. Throws if the key, `about` or any byte differs. */
export function openBytes(key: Buffer, sealed: Buffer, about: string): Buffer {
  if (sealed.length < HEAD_BYTES || sealed[0] !== SEALED_FORMAT)
    throw new Error('sealed bytes of an unknown format');
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
}
