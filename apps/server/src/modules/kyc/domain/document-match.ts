/** How two document numbers resemble each other, the strongest first. */
export const DOCUMENT_MATCHES = [
  /** Same country, same letters and digits. */
  'same document',
  /** Same letters and digits, another country. */
  'same number, other country',
  /** The same but for zeros that were added or left out, and characters that look alike (O and 0, I and 1). */
  'look-alike or zeros',
  'two characters swapped',
  'one character differs',
] as const;
export type DocumentMatch = (typeof DOCUMENT_MATCHES)[number];

/** A document as its owner typed it. */
export interface NumberedDocument {
  readonly country: string;
  readonly idCard: string;
}

/** Version of what `documentText` and `nearTexts` make; a row of an older one is fingerprinted again. */
export const FINGERPRINT_VERSION = 2;

/** Characters that are read for one another, and what stands for all of them. */
const LOOK_ALIKE: ReadonlyMap<string, string> = new Map([
  ['O', '0'],
  ['Q', '0'],
  ['I', '1'],
  ['L', '1'],
  ['Z', '2'],
  ['S', '5'],
  ['B', '8'],
]);

/** The letters and digits of a document number: what was added between them to make it look new is gone. */
export function documentText(idCard: string): string {
  return idCard
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');
}

/**
 * Texts of which two numbers share at least one if they match in any way of `DOCUMENT_MATCHES`: the number, the number
 * without each one of its characters, and its skeleton. Numbers that share one need not match: compare them.
 */
export function nearTexts(idCard: string): readonly string[] {
  const text = documentText(idCard);
  const shorter = Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));
  return [...new Set([text, ...shorter, `skeleton ${skeletonOf(text)}`])];
}

/** How two documents resemble each other, or undefined where they do not. */
export function documentMatch(one: NumberedDocument, other: NumberedDocument): DocumentMatch | undefined {
  const [first, second] = [documentText(one.idCard), documentText(other.idCard)];
  if (first === second) return one.country === other.country ? 'same document' : 'same number, other country';
  if (skeletonOf(first) === skeletonOf(second)) return 'look-alike or zeros';
  return closeMatch(first, second);
}

/** What is left of a number without zeros, where characters that look alike are one. */
function skeletonOf(text: string): string {
  return Array.from(text, (character) => LOOK_ALIKE.get(character) ?? character)
    .join('')
    .replaceAll('0', '');
}

/** Two different texts that are one change of a character, or one swap of neighbours, apart. */
function closeMatch(one: string, other: string): DocumentMatch | undefined {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const restOf = (text: string, from: number) => text.slice(start + from);
  if (short.length + 1 === long.length)
    return restOf(short, 0) === restOf(long, 1) ? 'one character differs' : undefined;
  if (short.length !== long.length) return undefined;
  if (restOf(short, 1) === restOf(long, 1)) return 'one character differs';
  const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start];
  return isSwapped && restOf(short, 2) === restOf(long, 2) ? 'two characters swapped' : undefined;
}
