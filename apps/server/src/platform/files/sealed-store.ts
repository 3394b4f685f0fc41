import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { FileStore } from './file-store.ts';

const ALGORITHM = 'aes-256-gcm';
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts `plain` with AES-256-GCM and a new nonce. `about` is the additional authenticated data: purpose and
 * owner. Returns format, nonce, tag and ciphertext, in this order.
 */
export function sealBytes(key: Buffer, plain: Buffer, about: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts the result of `sealBytes`. Throws when the key, `about` or any byte differs. */
export function openBytes(key: Buffer, sealed: Buffer, about: string): Buffer {
  if (sealed.length < HEAD_BYTES || sealed[0] !== FORMAT)
    throw new Error('sealed bytes of an unknown format');
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
}

/** Stores files encrypted, each with its own key derived from the store's key and the file's name. */
export class SealedStore {
  private readonly store: FileStore;
  private readonly key: Buffer;

  constructor(store: FileStore, key: Buffer) {
    this.store = store;
    this.key = key;
  }

  async put(name: string, content: Buffer, about: string): Promise<void> {
    await this.store.put(name, sealBytes(this.keyOf(name), content, `${name} ${about}`));
  }

  async get(name: string, about: string): Promise<Buffer | undefined> {
    const sealed = await this.store.get(name);
    return sealed && openBytes(this.keyOf(name), sealed, `${name} ${about}`);
  }

  async delete(name: string): Promise<void> {
    await this.store.delete(name);
  }

  private keyOf(name: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.key, '', name, 32));
  }
}
