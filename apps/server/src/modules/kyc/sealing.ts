import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { documentText, nearTexts } from './domain/document-match.ts';
import type { Person } from './domain.ts';

/** Purpose of the key that encrypts names and document numbers. */
const PERSON = 'kyc';
const NEAR_KEY_BYTES = 16;

/** Encryption of name and number, bound to the submission and its owner. */
export class PersonSeal {
  private readonly secret: ServerSecret;

  constructor(secret: ServerSecret) {
    this.secret = secret;
  }

  seal({ name, idCard }: Person, about: string): Buffer {
    return this.secret.encrypt(PERSON, Buffer.from(JSON.stringify({ name, idCard })), about);
  }

  open(sealed: Buffer, about: string): Person {
    return JSON.parse(this.secret.decrypt(PERSON, sealed, about).toString()) as Person;
  }

  /** Keyed hash of a document. Spelling variants of the number give the same hash. */
  fingerprint(country: string, idCard: string): Buffer {
    return this.secret.seal('kyc-document', country, documentText(idCard));
  }

  /** Index keys of a document number, independent of the country. Similar numbers share at least one key. */
  nearKeys(idCard: string): Buffer[] {
    return nearTexts(idCard).map((text) => this.secret.seal('kyc-near', text).subarray(0, NEAR_KEY_BYTES));
  }
}
