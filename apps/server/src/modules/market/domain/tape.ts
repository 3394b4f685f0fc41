import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { composeIndex, type IndexPoint, type SourceQuote } from '@exchange/core/index-price.ts';
import { instant, SECOND_MS } from '@exchange/core/time.ts';

/**
 * The tape: one line of canonical JSON per pair and second, each carrying the hash of the line before it
 * and its own. Canonical means: keys in alphabetical order, no spaces, prices as decimal text.
 */
export const TAPE_VERSION = 1;
/** What the first line of a pair names as its predecessor. */
export const TAPE_ORIGIN = '0'.repeat(64);

export type HashOf = (text: string) => string;

/** Where a pair's tape ends. */
export interface TapeHead {
  readonly seq: number;
  /** Milliseconds. */
  readonly t: number;
  readonly hash: string;
}

export const EMPTY_TAPE: TapeHead = { seq: 0, t: 0, hash: TAPE_ORIGIN };

export interface TapeLine extends TapeHead {
  readonly symbol: string;
  readonly text: string;
}

/** The line that follows `head`. */
export function tapeLine(symbol: string, point: IndexPoint, head: TapeHead, hashOf: HashOf): TapeLine {
  const seq = head.seq + 1;
  const content = {
    flags: point.flags,
    index: point.price?.toString() ?? null,
    prev: head.hash,
    seq,
    sources: point.sources.map(({ id, price, at, used, outlier }) => ({
      id,
      price: price.toString(),
      ts: at,
      used,
      outlier,
    })),
    symbol,
    t: point.t,
    v: TAPE_VERSION,
  };
  const hash = hashOf(canonicalText(content));
  return { symbol, seq, t: point.t, hash, text: canonicalText({ ...content, hash }) };
}

/**
 * What is wrong with consecutive lines of one pair, or undefined: a changed, missing, repeated or foreign
 * line, or a point that its sources do not give. `digits` are the point's decimals. A second without a
 * line is no fault: there was no point, and none is made up later.
 */
export function tapeFault(
  lines: readonly string[],
  from: TapeHead,
  digits: number,
  hashOf: HashOf,
): string | undefined {
  let head = from;
  let symbol: string | undefined;
  for (const text of lines) {
    const line = parsedLine(text);
    if (line === undefined || canonicalText(line) !== text) return `after ${head.seq}: not a canonical line`;
    const { hash, ...content } = line;
    if (line.v !== TAPE_VERSION) return `${line.seq}: unknown version`;
    if (line.seq !== head.seq + 1) return `${head.seq} is followed by ${line.seq}`;
    if (line.prev !== head.hash) return `${line.seq}: does not follow the line before it`;
    if (hash !== hashOf(canonicalText(content))) return `${line.seq}: was changed`;
    if (line.symbol !== (symbol ?? line.symbol)) return `${line.seq}: belongs to another pair`;
    if (line.t <= head.t || line.t % SECOND_MS !== 0) return `${line.seq}: its second is out of order`;
    if (!agrees(line, digits)) return `${line.seq}: its sources give another point`;
    ({ symbol } = line);
    head = { seq: line.seq, t: line.t, hash };
  }
  return undefined;
}

interface ParsedLine {
  readonly v: number;
  readonly seq: number;
  readonly t: number;
  readonly symbol: string;
  readonly index: string | null;
  readonly flags: readonly string[];
  readonly sources: readonly { id: string; price: string; ts: number; used: boolean; outlier: boolean }[];
  readonly prev: string;
  readonly hash: string;
}

function agrees(line: ParsedLine, digits: number): boolean {
  const quotes: SourceQuote[] = line.sources.map(({ id, price, ts }) => {
    return { id, price: Decimal.parse(price), at: instant(ts) };
  });
  const point = composeIndex(instant(line.t), quotes, digits);
  const votes = point.sources.map(({ used, outlier }) => [used, outlier]);
  return (
    (point.price?.toString() ?? null) === line.index &&
    canonicalText(point.flags) === canonicalText(line.flags) &&
    canonicalText(votes) === canonicalText(line.sources.map(({ used, outlier }) => [used, outlier]))
  );
}

function parsedLine(text: string): ParsedLine | undefined {
  try {
    return JSON.parse(text) as ParsedLine;
  } catch {
    // Broken text is one of the faults that are looked for.
    return undefined;
  }
}
