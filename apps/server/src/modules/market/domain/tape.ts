import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { composeIndex, type IndexPoint, type SourceQuote } from '@exchange/core/index-price.ts';
import { instant, SECOND_MS } from '@exchange/core/time.ts';

/**
 * Version of the index tape's format. The tape has one line of canonical JSON per pair and second;
 * each line contains its own hash and the hash of the previous line. Canonical means alphabetical
 * keys, no spaces and prices as decimal text.
 */
export const TAPE_VERSION = 1;
/** The previous hash in the first line of a pair's index tape. */
export const TAPE_ORIGIN = '0'.repeat(64);

export type HashOf = (text: string) => string;

/** The last line of a pair's index tape. */
export interface TapeHead {
  readonly seq: number;
  /** The whole second of the line's index point, in milliseconds since 1970; 0 in `EMPTY_TAPE`. */
  readonly t: number;
  readonly hash: string;
}

export const EMPTY_TAPE: TapeHead = { seq: 0, t: 0, hash: TAPE_ORIGIN };

export interface TapeLine extends TapeHead {
  readonly symbol: string;
  readonly text: string;
}

/** Creates the line of the index tape that follows `head`. */
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
 * Checks consecutive lines of one pair's index tape and returns the first fault, or undefined. Faults are lines that
 * are not canonical or have an unknown version; changed, missing or repeated lines; lines of another pair; seconds
 * out of order; and index points that do not follow from their sources. `digits` is the number of decimals of a
 * point. A second without a line is not a fault, because points are never made up later.
 */
export function tapeFault(
  lines: readonly string[],
  from: TapeHead,
  digits: number,
  hashOf: HashOf,
): string | undefined {
  let previous = from;
  let symbol: string | undefined;
  for (const text of lines) {
    const line = parsedLine(text);
    if (line === undefined || canonicalText(line) !== text)
      return `after ${previous.seq}: not a canonical line`;
    const { hash, ...content } = line;
    if (line.v !== TAPE_VERSION) return `${line.seq}: unknown version`;
    if (line.seq !== previous.seq + 1) return `${previous.seq} is followed by ${line.seq}`;
    if (line.prev !== previous.hash) return `${line.seq}: does not follow the line before it`;
    if (hash !== hashOf(canonicalText(content))) return `${line.seq}: was changed`;
    if (line.symbol !== (symbol ?? line.symbol)) return `${line.seq}: belongs to another pair`;
    if (line.t <= previous.t || line.t % SECOND_MS !== 0) return `${line.seq}: its second is out of order`;
    if (!matchesSources(line, digits)) return `${line.seq}: its sources give another point`;
    ({ symbol } = line);
    previous = { seq: line.seq, t: line.t, hash };
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

function matchesSources(line: ParsedLine, digits: number): boolean {
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
    // A line that is not valid JSON is one of the reported faults.
    return undefined;
  }
}
