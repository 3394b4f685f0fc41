/**
 * A candle. In memory and in packed blocks it is a record of `CANDLE_FIELDS` 64-bit integers, which is exact and
 * compact and needs no conversion between the two. Prices are in ticks, `volume` in lots, `turnover` in units
 * of the pair's turnover scale.
 */
export interface Candle {
  /** Opening time of the candle in seconds since 1970. */
  readonly opened: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
  readonly turnover: bigint;
  /** Number of trades in the candle. */
  readonly count: number;
  /** Whether any part of the candle was generated for the demo instead of traded. */
  readonly seeded: boolean;
  /** Part of `volume` in trades whose taker bought; undefined if the takers of some trades were not counted. */
  readonly takerVolume: bigint | undefined;
  /** Part of `turnover` in trades whose taker bought; undefined exactly if `takerVolume` is. */
  readonly takerTurnover: bigint | undefined;
}

export const CANDLE_FIELDS = 10;
/**
 * Number of fields in the records that older versions stored. They lack the last two fields, the takers'
 * volume and turnover.
 */
const OLD_CANDLE_FIELDS = 8;
/** Value in a record that marks a taker volume or turnover as not counted. */
const NOT_COUNTED = -1n;

/**
 * Returns records with `fields` integers per candle as records of this version. The taker volume and turnover of a
 * candle that has only eight fields are not counted. Throws a `RangeError` for any other number of fields.
 */
export function widenedRecords(records: BigInt64Array, fields: number): BigInt64Array {
  if (fields === CANDLE_FIELDS) return records;
  if (fields !== OLD_CANDLE_FIELDS) throw new RangeError(`candles have no form with ${fields} fields`);
  const count = records.length / OLD_CANDLE_FIELDS;
  const widened = new BigInt64Array(count * CANDLE_FIELDS).fill(NOT_COUNTED);
  for (let at = 0; at < count; at += 1) {
    const record = records.subarray(at * OLD_CANDLE_FIELDS, (at + 1) * OLD_CANDLE_FIELDS);
    widened.set(record, at * CANDLE_FIELDS);
  }
  return widened;
}

/** Reads the candle with index `at` from an array of records. */
export function readCandle(records: BigInt64Array, at: number): Candle {
  const offset = at * CANDLE_FIELDS;
  const field = (number: number) => records[offset + number] ?? 0n;
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
    takerVolume: counted(field(8)),
    takerTurnover: counted(field(9)),
  };
}

function counted(field: bigint): bigint | undefined {
  return field === NOT_COUNTED ? undefined : field;
}

/** Opening time in seconds since 1970 of the candle with index `at`, without reading the whole candle. */
export function readOpened(records: BigInt64Array, at: number): number {
  return Number(records[at * CANDLE_FIELDS] ?? 0n);
}

/** Close, in ticks, of the candle with index `at`, without reading the whole candle. */
export function readClose(records: BigInt64Array, at: number): bigint {
  return records[at * CANDLE_FIELDS + 4] ?? 0n;
}

/** Writes the candle with index `at`. Throws a RangeError if the volume or turnover exceeds 64 bits. */
export function writeCandle(records: BigInt64Array, at: number, candle: Candle): void {
  const offset = at * CANDLE_FIELDS;
  if (
    BigInt.asIntN(64, candle.turnover) !== candle.turnover ||
    BigInt.asIntN(64, candle.volume) !== candle.volume
  ) {
    throw new RangeError('a candle outgrew 64 bits');
  }
  records[offset] = BigInt(candle.opened);
  records[offset + 1] = candle.open;
  records[offset + 2] = candle.high;
  records[offset + 3] = candle.low;
  records[offset + 4] = candle.close;
  records[offset + 5] = candle.volume;
  records[offset + 6] = candle.turnover;
  records[offset + 7] = (BigInt(candle.count) << 1n) | (candle.seeded ? 1n : 0n);
  records[offset + 8] = candle.takerVolume ?? NOT_COUNTED;
  records[offset + 9] = candle.takerTurnover ?? NOT_COUNTED;
}

/** A candle of an interval without deals: all four prices are the last close. */
export function emptyCandle(opened: number, close: bigint): Candle {
  return {
    opened,
    open: close,
    high: close,
    low: close,
    close,
    volume: 0n,
    turnover: 0n,
    count: 0,
    seeded: false,
    takerVolume: 0n,
    takerTurnover: 0n,
  };
}

/**
 * Whether the candle contains no trade and nothing generated for the demo, so that it only repeats the previous close.
 */
export function isEmptyCandle(candle: Candle): boolean {
  return candle.count === 0 && !candle.seeded;
}

/**
 * Joins consecutive candles of a finer interval, oldest first, into one candle that opens at `opened`. Throws a
 * RangeError for an empty list.
 */
export function joinCandles(opened: number, parts: readonly Candle[]): Candle {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('a candle is joined from at least one');
  let { high, low } = first;
  let volume = 0n;
  let turnover = 0n;
  let count = 0;
  let takerVolume: bigint | undefined = 0n;
  let takerTurnover: bigint | undefined = 0n;
  for (const part of parts) {
    if (part.high > high) high = part.high;
    if (part.low < low) low = part.low;
    volume += part.volume;
    turnover += part.turnover;
    count += part.count;
    takerVolume = sumOrUnknown(takerVolume, part.takerVolume);
    takerTurnover = sumOrUnknown(takerTurnover, part.takerTurnover);
  }
  const seeded = parts.some((part) => part.seeded);
  return {
    opened,
    open: first.open,
    high,
    low,
    close: last.close,
    volume,
    turnover,
    count,
    seeded,
    takerVolume,
    takerTurnover,
  };
}

/** The sum of two taker volumes or turnovers; undefined (not counted) if one of them is. */
export function sumOrUnknown(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
