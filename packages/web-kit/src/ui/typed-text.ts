/** Reading what somebody typed with any keyboard: letters and digits of full width count as those of half width. */

/** The digits of a typed or pasted code, `１２３ ４５６` as `123456`; everything else is left out. */
export function typedDigits(typed: string): string {
  return typed.normalize('NFKC').replace(/\D/g, '');
}

/** Dashes, minus signs and the long vowel mark, which Japanese keyboards write for a dash. */
const DASHES = /[\u2010-\u2015\u2212\u30fc]/g;

/** The letters, digits and dashes of a typed code, such as a recovery or invitation code; everything else is left out. */
export function typedCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(DASHES, '-')
    .replace(/[^A-Za-z0-9-]/g, '');
}

const HIRAGANA = /[\u3041-\u3096]/g;
const KATAKANA_OFFSET = 0x60;

/**
 * A text as searches compare it: without regard to case, to the width of its characters, to spaces around it, or to
 * which Japanese syllabary it is written in.
 */
export function searchKey(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(HIRAGANA, (letter) => String.fromCodePoint(letter.codePointAt(0)! + KATAKANA_OFFSET));
}
