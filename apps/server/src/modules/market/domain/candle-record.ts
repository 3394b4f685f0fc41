/**
 * A candle as eight 64-bit integers in a row: exact, compact in memory, and stored as they lie.
 * Prices are ticks, `volume` lots, `turnover` units of the pair's scale.
 */
export interface Candle {
  /** Opening time in seconds. */
  readonly opened: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
  readonly turnover: bigint;
  /** Deals in it. */
  readonly count: number;
  /** Whether any part of it was generated instead of traded. */
  readonly seeded: boolean;
}

export const CANDLE_FIELDS = 8;

/** Reads the candle at position `at` of a row of records. */
export function readCandle(records: BigInt64Array, at: number): Candle {
  const from = at * CANDLE_FIELDS;
  const field = (number: number) => records[from + number] ?? 0n;
  const marks = field(7);
  return {
    opened: Number(field(0)),
    open: field(1),
    high: field(2),
    low: field(3),
    close: field(4),
    volume: field(5),
    turnover: field(6),
    count: Number(marks >> 1n),
    seeded: (marks & 1n) === 1n,
  };
}

/** Writes the candle at position `at`; throws rather than lose digits that 64 bits cannot hold. */
export function writeCandle(records: BigInt64Array, at: number, candle: Candle): void {
  const from = at * CANDLE_FIELDS;
  if (
    BigInt.asIntN(64, candle.turnover) !== candle.turnover ||
    BigInt.asIntN(64, candle.volume) !== candle.volume
  ) {
    throw new RangeError('a candle outgrew 64 bits');
  }
  records[from] = BigInt(candle.opened);
  records[from + 1] = candle.open;
  records[from + 2] = candle.high;
  records[from + 3] = candle.low;
  records[from + 4] = candle.close;
  records[from + 5] = candle.volume;
  records[from + 6] = candle.turnover;
  records[from + 7] = (BigInt(candle.count) << 1n) | (candle.seeded ? 1n : 0n);
}

/** The candle of an interval in which nothing traded: the last close four times. */
export function emptyCandle(opened: number, close: bigint): Candle {
  const price = { open: close, high: close, low: close, close };
  return { opened, ...price, volume: 0n, turnover: 0n, count: 0, seeded: false };
}

/** Whether the candle says nothing that the one before it does not say. */
export function isEmptyCandle(candle: Candle): boolean {
  return candle.count === 0 && !candle.seeded;
}

/** One candle made of consecutive finer ones; none at all make none, which throws. */
export function joined(opened: number, parts: readonly Candle[]): Candle {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('a candle is joined from at least one');
  let { high, low } = first;
  let volume = 0n;
  let turnover = 0n;
  let count = 0;
  for (const part of parts) {
    if (part.high > high) high = part.high;
    if (part.low < low) low = part.low;
    volume += part.volume;
    turnover += part.turnover;
    count += part.count;
  }
  const seeded = parts.some((part) => part.seeded);
  return { opened, open: first.open, high, low, close: last.close, volume, turnover, count, seeded };
}
