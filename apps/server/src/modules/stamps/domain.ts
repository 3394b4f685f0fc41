import { HOUR_MS, instant, type Instant } from '@exchange/core/time.ts';

/**
 * A published checkpoint of a pair's recorded index prices. `seq` is the number of its line, and `t` the time
 * of the line in milliseconds since 1970.
 */
export interface StampedCheckpoint {
  readonly symbol: string;
  readonly seq: number;
  readonly t: number;
  /** SHA-256 of the checkpoint's line of recorded prices, which includes the hash of all earlier lines. */
  readonly hash: string;
}

/**
 * The newest stored part of the recording of a pair's order book; a part covers a period. `seq` is the number
 * of the part, and `until` the end of its period in milliseconds since 1970.
 */
export interface StampedBook {
  readonly symbol: string;
  readonly seq: number;
  readonly until: number;
  /** SHA-256 of the part, which includes the hash of all parts before it. */
  readonly hash: string;
}

/** The content of a statement that is stamped, with the time of the statement. */
export interface StampedContent {
  readonly at: Instant;
  readonly checkpoints: readonly StampedCheckpoint[];
  readonly books: readonly StampedBook[];
  /** The newest snapshot of the liabilities to users; undefined if there is none. */
  readonly liabilities: { readonly day: string; readonly root: string } | undefined;
}

/** Start of the UTC hour that contains an instant. */
export function hourOf(at: Instant): Instant {
  return instant(Math.floor(at / HOUR_MS) * HOUR_MS);
}

/**
 * The statement, whose SHA-256 is stamped: a heading with the time, the checkpoint and the newest part of the recorded
 * book of each pair, both sorted by symbol, and the root of the liabilities if there is one. The verifier
 * `tools/verify/stamp.mjs` reads this format.
 */
export function statementText({ at, checkpoints, books, liabilities }: StampedContent): string {
  const lines = [
    `stamp|${new Date(at).toISOString()}`,
    ...bySymbol(checkpoints).map(({ symbol, seq, t, hash }) => ['tape', symbol, seq, t, hash].join('|')),
    ...bySymbol(books).map(({ symbol, seq, until, hash }) => ['book', symbol, seq, until, hash].join('|')),
    ...(liabilities === undefined ? [] : [`liabilities|${liabilities.day}|${liabilities.root}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function bySymbol<Row extends { readonly symbol: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
}
