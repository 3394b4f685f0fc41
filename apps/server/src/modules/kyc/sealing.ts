import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { documentText, nearTexts } from './domain/document-match.ts';
import { joinedName, nameTexts, nameWords } from './domain/name-match.ts';
import type { Person } from './domain.ts';
import type { IndexKeys, PersonKeys } from './repository.ts';

/** Purpose of the key that encrypts names and document numbers. */
const PERSON = 'kyc';
const NEAR_KEY_BYTES = 16;
/**
 * Least number of characters of a document number, and of a name, in a search; shorter texts would match too many
 * people.
 */
const NUMBER_LETTERS_MIN = 5;
const NAME_LETTERS_MIN = 2;

/**
 * Encrypts and decrypts the name and document number of a submission; a ciphertext is valid only for that submission
 * and its owner. Also computes the keyed hashes through which a submission is found.
 */
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

  /** Keyed hash of a document's country and number; spelling variants of the number yield the same hash. */
  fingerprint(country: string, idCard: string): Buffer {
    return this.secret.seal('kyc-document', country, documentText(idCard));
  }

  /** Keyed hash of a document number without the country; spelling variants of the number yield the same hash. */
  numberKey(idCard: string): Buffer {
    return this.secret.seal('kyc-number', documentText(idCard));
  }

  /** Keyed hashes of the words of a name, and of the name without spaces. */
  nameKeys(name: string): Buffer[] {
    return nameTexts(name).map((text) => this.nameKey(text));
  }

  /**
   * Keyed hashes that the text of a search may match: that of a document number, if the text has at least
   * `NUMBER_LETTERS_MIN` letters and digits and at least one digit; those of the words of a name, if it has at least
   * `NAME_LETTERS_MIN` letters, no digit and no `@`.
   */
  keysOf(text: string): PersonKeys {
    const number = documentText(text);
    const words = nameWords(text);
    const isName = words.join('').length >= NAME_LETTERS_MIN && !/[\d@]/.test(text);
    return {
      number: number.length >= NUMBER_LETTERS_MIN && /\d/.test(number) ? this.numberKey(text) : undefined,
      names: isName ? [words.map((word) => this.nameKey(word)), [this.nameKey(joinedName(text))]] : [],
    };
  }

  /** All keyed hashes through which a person's submission is found. */
  indexKeys({ name, idCard }: Person): IndexKeys {
    return { near: this.nearKeys(idCard), number: this.numberKey(idCard), names: this.nameKeys(name) };
  }

  private nameKey(text: string): Buffer {
    return this.secret.seal('kyc-name', text).subarray(0, NEAR_KEY_BYTES);
  }

  /**
   * Keyed hashes of the index texts of a document number without the country; two similar numbers have at least one in
   * common.
   */
  nearKeys(idCard: string): Buffer[] {
    return nearTexts(idCard).map((text) => this.secret.seal('kyc-near', text).subarray(0, NEAR_KEY_BYTES));
  }
}
