/** Kinds of similarity between two document numbers, strongest first. */
export const DOCUMENT_MATCHES = [
  /** Same country, same letters and digits. */
  'same document',
  /** Same letters and digits, different country. */
  'same number, other country',
  /** Equal after removing zeros and unifying look-alike characters (O and 0, I and 1). */
  'look-alike or zeros',
  'two characters swapped',
  'one character differs',
] as const;
export type DocumentMatch = (typeof DOCUMENT_MATCHES)[number];

/** A document as entered by its owner. */
export interface NumberedDocument {
  readonly country: string;
  readonly idCard: string;
}

/**
 * Version of the output of `documentText`, `nearTexts` and `nameTexts`. Rows of an older version are fingerprinted
 * again.
 */
export const FINGERPRINT_VERSION = 3;

/** Characters that are easily confused, with their common replacement. */
const LOOK_ALIKE: ReadonlyMap<string, string> = new Map([
  ['O', '0'],
  ['Q', '0'],
  ['I', '1'],
  ['L', '1'],
  ['Z', '2'],
  ['S', '5'],
  ['B', '8'],
]);

/** Letters and digits of a document number, without separators. */
export function documentText(idCard: string): string {
  return idCard
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');
}

/**
 * Index texts of a document number: the number itself, the number without each single character, and its skeleton.
 * Numbers that match in any way of `DOCUMENT_MATCHES` share at least one text. The converse does not hold, so
 * candidates must be compared.
 */
export function nearTexts(idCard: string): readonly string[] {
  const text = documentText(idCard);
  const shorter = Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1));
  return [...new Set([text, ...shorter, `skeleton ${skeletonOf(text)}`])];
}

/** The strongest similarity of two documents, or undefined. */
export function documentMatch(left: NumberedDocument, right: NumberedDocument): DocumentMatch | undefined {
  const [leftText, rightText] = [documentText(left.idCard), documentText(right.idCard)];
  if (leftText === rightText)
    return left.country === right.country ? 'same document' : 'same number, other country';
  if (skeletonOf(leftText) === skeletonOf(rightText)) return 'look-alike or zeros';
  return closeMatch(leftText, rightText);
}

/** The number without zeros and with look-alike characters unified. */
function skeletonOf(text: string): string {
  return Array.from(text, (character) => LOOK_ALIKE.get(character) ?? character)
    .join('')
    .replaceAll('0', '');
}

/**
 * The match of two texts that differ by one changed, added or removed character, or by one swap of neighbours;
 * undefined if they differ by more.
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
