/** Kinds of similarity of two document numbers, strongest first. */
export const DOCUMENT_MATCHES = [
  /** Same country, and same letters and digits of the number. */
  'same document',
  /** Same letters and digits of the number, but different countries. */
  'same number, other country',
  /** Numbers are equal after zeros are removed and look-alike characters are unified, such as O and 0. */
  'look-alike or zeros',
  'two characters swapped',
  'one character differs',
] as const;
export type DocumentMatch = (typeof DOCUMENT_MATCHES)[number];

/** A document's country and number as its owner typed them. */
export interface NumberedDocument {
  readonly country: string;
  readonly idCard: string;
}

/**
 * Version of the algorithms of `documentText`, `nearTexts` and `nameTexts`. The hashes of a submission that has an
 * older version are computed again.
 */
export const FINGERPRINT_VERSION = 3;

/** Characters that are easily confused, each with the character that replaces it in comparisons. */
const LOOK_ALIKE: ReadonlyMap<string, string> = new Map([
  ['O', '0'],
  ['Q', '0'],
  ['I', '1'],
  ['L', '1'],
  ['Z', '2'],
  ['S', '5'],
  ['B', '8'],
]);

/** The Latin letters and digits of a document number in upper case, without separators and other characters. */
export function documentText(idCard: string): string {
  return idCard
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');
}

/**
 * Index texts of a document number: the number itself, the number without each single character, and its skeleton. Two
 * numbers that match in any way of `DOCUMENT_MATCHES` have at least one text in common. Numbers with a common text do
 * not always match, so they must be compared.
 */
export function nearTexts(idCard: string): readonly string[] {
  const text = documentText(idCard);
  const shorter = Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1));
  return [...new Set([text, ...shorter, `skeleton ${skeletonOf(text)}`])];
}

/** The strongest similarity of two documents; undefined if they are not similar. */
export function documentMatch(left: NumberedDocument, right: NumberedDocument): DocumentMatch | undefined {
  const [leftText, rightText] = [documentText(left.idCard), documentText(right.idCard)];
  if (leftText === rightText)
    return left.country === right.country ? 'same document' : 'same number, other country';
  if (skeletonOf(leftText) === skeletonOf(rightText)) return 'look-alike or zeros';
  return closeMatch(leftText, rightText);
}

/** The skeleton of a document number: without zeros, and with look-alike characters unified. */
function skeletonOf(text: string): string {
  return Array.from(text, (character) => LOOK_ALIKE.get(character) ?? character)
    .join('')
    .replaceAll('0', '');
}

/**
 * The kind of match of two texts that differ by one changed, added or removed character, or by one swap of
 * neighbouring characters; undefined if they differ by more.
 */
function closeMatch(left: string, right: string): DocumentMatch | undefined {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const restOf = (text: string, offset: number) => text.slice(start + offset);
  if (short.length + 1 === long.length)
    return restOf(short, 0) === restOf(long, 1) ? 'one character differs' : undefined;
  if (short.length !== long.length) return undefined;
  if (restOf(short, 1) === restOf(long, 1)) return 'one character differs';
  const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start];
  return isSwapped && restOf(short, 2) === restOf(long, 2) ? 'two characters swapped' : undefined;
}
