const WORD = /\b[a-z0-9]{4,}\b/g;
let names: ReadonlyMap<string, string> = new Map();

/** Replaces the known names of all pairs by those of the listed pairs, given as in URLs (`BTC_USDT`). */
export function learnPairs(listed: readonly string[] = []): void {
  names = new Map(
    listed.map((link) => [link.replace('_', '').toLowerCase(), link.replace('_', '/')] as const),
  );
}

/**
 * Replaces the symbols of the listed pairs, written in lower case as words of their own, in a text by their
 * names: `btcusdt` becomes `BTC/USDT`.
 */
export function withPairNames(text: string): string {
  return text.replaceAll(WORD, (word) => names.get(word) ?? word);
}
