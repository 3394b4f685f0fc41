import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { openBytes, sealBytes } from '../../platform/files/sealed-store.ts';
import { documentText, nearTexts } from './domain/document-match.ts';
import type { Person } from './domain.ts';

const NEAR_KEY_BYTES = 16;

/** Name and number as they are stored: encrypted, bound to their submission and owner. */
export class PersonSeal {
  private readonly secret: ServerSecret;

  constructor(secret: ServerSecret) {
    this.secret = secret;
  }

  seal({ name, idCard }: Person, about: string): Buffer {
    return sealBytes(this.secret.key('kyc'), Buffer.from(JSON.stringify({ name, idCard })), about);
  }

  open(sealed: Buffer, about: string): Person {
    return JSON.parse(openBytes(this.secret.key('kyc'), sealed, about).toString()) as Person;
  }

  /** The same for the same document, however its number is spelled, and worth nothing without the secret. */
  fingerprint(country: string, idCard: string): Buffer {
    return this.secret.seal('kyc-document', country, documentText(idCard));
  }

  /** Keys of which documents that nearly match share at least one, whatever their country. */
  nearKeys(idCard: string): Buffer[] {
    return nearTexts(idCard).map((text) => this.secret.seal('kyc-near', text).subarray(0, NEAR_KEY_BYTES));
  }
}
