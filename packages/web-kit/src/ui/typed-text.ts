/**
 * The functions in this file normalise typed text: they convert full-width letters and digits to half-width
 * ones, among other changes.
 */

/**
 * Returns the digits of a typed or pasted code, for example `123456` for `１２３ ４５６`; all other characters are
 * removed.
 */
export function typedDigits(typed: string): string {
  return typed.normalize('NFKC').replace(/\D/g, '');
}

/** Matches dashes, minus signs, and the long vowel mark that Japanese keyboards enter for a dash. */
const DASHES = /[\u2010-\u2015\u2212\u30fc]/g;

/**
 * Returns the letters, digits and dashes of a typed code such as a recovery or invitation code; all other
 * characters are removed.
 */
export function typedCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(DASHES, '-')
    .replace(/[^A-Za-z0-9-]/g, '');
}

const HIRAGANA = /[\u3041-\u3096]/g;
const KATAKANA_OFFSET = 0x60;

/**
 * Normalises text for a search that ignores case, the width of characters, surrounding spaces, and the difference
 * between hiragana and katakana.
 */
export function searchKey(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(HIRAGANA, (letter) => String.fromCodePoint(letter.codePointAt(0)! + KATAKANA_OFFSET));
}
