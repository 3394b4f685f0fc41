const WORD = /\b[a-z0-9]{4,}\b/g;
let names: ReadonlyMap<string, string> = new Map();

/** Learns the listed pairs, as links name them: `BTC_USDT`. They are the same for everybody while the server runs. */
export function learnPairs(listed: readonly string[] = []): void {
  names = new Map(
    listed.map((link) => [link.replace('_', '').toLowerCase(), link.replace('_', '/')] as const),
  );
}

/** A text with each pair as people write it: `btcusdt` is `BTC/USDT`. */
export function withPairNames(text: string): string {
  return text.replaceAll(WORD, (word) => names.get(word) ?? word);
}
