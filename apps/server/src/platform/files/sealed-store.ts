import { hkdfSync } from 'node:crypto';
import type { ServerSecret } from '../secrets/server-secret.ts';
import type { FileStore } from './file-store.ts';

const PURPOSE = 'files';

/** Stores files encrypted, each with its own key derived from the server's secret and the file's name. */
export class SealedStore {
  private readonly store: FileStore;
  private readonly secret: Pick<ServerSecret, 'encrypt' | 'decrypt' | 'ciphertextHead'>;

  constructor(store: FileStore, secret: Pick<ServerSecret, 'encrypt' | 'decrypt' | 'ciphertextHead'>) {
    this.store = store;
    this.secret = secret;
  }

  async put(name: string, content: Buffer, about: string): Promise<void> {
    const sealed = this.secret.encrypt(PURPOSE, content, `${name} ${about}`, subkeyOf(name));
    await this.store.put(name, sealed);
  }

  async get(name: string, about: string): Promise<Buffer | undefined> {
    const sealed = await this.store.get(name);
    return sealed && this.secret.decrypt(PURPOSE, sealed, `${name} ${about}`, subkeyOf(name));
  }

  async delete(name: string): Promise<void> {
    await this.store.delete(name);
  }

  /**
   * Encrypts a stored file with the current server secret instead of the retiring one. Returns false if the file does
   * not exist or is already encrypted with the current secret.
   */
  async reencrypt(name: string, about: string): Promise<boolean> {
    const sealed = await this.store.get(name);
    const { ciphertextHead } = this.secret;
    if (sealed === undefined || sealed.subarray(0, ciphertextHead.length).equals(ciphertextHead))
      return false;
    await this.put(name, this.secret.decrypt(PURPOSE, sealed, `${name} ${about}`, subkeyOf(name)), about);
    return true;
  }
}

function subkeyOf(name: string): (key: Buffer) => Buffer {
  return (key) => Buffer.from(hkdfSync('sha256', key, '', name, 32));
}
