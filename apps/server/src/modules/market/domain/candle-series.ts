import { CANDLE_SECONDS, candleStart, type CandleTimer } from '@exchange/core/candle.ts';
import type { Side } from '@exchange/core/pair.ts';
import { SECOND_MS, type Instant } from '@exchange/core/time.ts';
import {
  CANDLE_FIELDS,
  emptyCandle,
  isEmptyCandle,
  readCandle,
  readClose,
  readOpened,
  sumOrUnknown,
  writeCandle,
  type Candle,
} from './candle-record.ts';

export const CANDLES_KEPT = 2_000;
/**
 * Spare capacity, in candles, beyond `CANDLES_KEPT`, so that the records are shifted once in about 250 candles instead
 * of with each candle.
 */
const SPARE = 250;
const CAPACITY_MAX = CANDLES_KEPT + SPARE;
const FIRST_CAPACITY = 32;

/**
 * A trade in the integer units of its pair: price in ticks, amount in lots, turnover in the pair's turnover
 * units.
 */
export interface CountedDeal {
  readonly at: Instant;
  readonly price: bigint;
  readonly amount: bigint;
  readonly turnover: bigint;
  readonly takerSide: Side;
}

/**
 * The latest candles of one pair and interval, without gaps: an interval without deals repeats the last close
 * with zero volume. The series tracks which candles have changed since they were last saved.
 */
export class CandleSeries {
  readonly timer: CandleTimer;
  /**
   * Counter that is incremented with every trade that changes a candle in memory, and when candles open or
   * are appended.
   */
  version = 0;
  /** Counter that is incremented when a candle opens, and when a candle that is already closed changes. */
  opened = 0;
  length = 0;
  /** Length of the candle interval in seconds. */
  readonly seconds: number;
  /**
   * The candles' records. The capacity grows with the candles up to `CAPACITY_MAX`, because most series of a new
   * exchange stay short for days.
   */
  private records = new BigInt64Array(0);
  private changed = new Set<number>();

  constructor(timer: CandleTimer) {
    this.timer = timer;
    this.seconds = CANDLE_SECONDS[timer];
  }

  /** Loads stored candles, oldest first. Only the latest `CANDLES_KEPT` are kept; gaps are filled. */
  load(stored: readonly Candle[]): void {
    for (const candle of stored.slice(-CANDLES_KEPT)) {
      if (this.length > 0) this.fillUpTo(candle.opened - this.seconds);
      this.append(candle);
    }
  }

  /**
   * Loads stored blocks of records, oldest first. Copies a block at once when it has no gaps, has at most
   * `CANDLES_KEPT` candles and directly follows the candles already loaded; restores any other block candle
   * by candle.
   */
  loadBlocks(blocks: readonly BigInt64Array[]): void {
    const count = blocks.reduce((sum, block) => sum + block.length / CANDLE_FIELDS, 0);
    if (this.length === 0) this.reserve(Math.min(count, CAPACITY_MAX));
    for (const block of blocks) this.loadBlock(block);
  }

  private loadBlock(block: BigInt64Array): void {
    const count = block.length / CANDLE_FIELDS;
    if (count === 0) return;
    const first = readOpened(block, 0);
    const isWhole = readOpened(block, count - 1) === first + (count - 1) * this.seconds;
    const follows = this.length === 0 || first === this.openedAt(this.length - 1) + this.seconds;
    if (isWhole && follows && count <= CANDLES_KEPT) this.appendBlock(block, count);
    else for (let at = 0; at < count; at += 1) this.restore(readCandle(block, at));
  }

  /**
   * Replaces the loaded candle of the same interval by a stored candle, or appends the stored candle and
   * fills a gap before it with empty candles. Ignores a candle older than those in memory.
   */
  restore(candle: Candle): void {
    const position = this.length === 0 ? -1 : this.positionOf(candle.opened);
    if (position >= 0) {
      writeCandle(this.records, position, candle);
      this.carryClose(position);
      return;
    }
    if (this.length > 0 && candle.opened < this.openedAt(0)) return;
    if (this.length > 0) this.fillUpTo(candle.opened - this.seconds);
    this.append(candle);
  }

  /**
   * Opens candles without trades until the last one contains `at`; does nothing if the series has no candle. Returns
   * true if any candle was opened.
   */
  rollTo(at: Instant): boolean {
    if (this.length === 0) return false;
    return this.fillUpTo(this.openingOf(at));
  }

  /**
   * Adds a trade to the candle of its interval, which may already be closed. Ignores a trade of a candle that
   * is no longer in memory.
   */
  add(deal: CountedDeal): void {
    const opened = this.openingOf(deal.at);
    if (this.length === 0) this.append(emptyCandle(opened, deal.price));
    this.fillUpTo(opened);
    const position = this.positionOf(opened);
    if (position < 0) return;
    this.put(position, withDeal(this.at(position), deal));
    this.carryClose(position);
  }

  /**
   * The candle with the given index; 0 is the oldest in memory. Throws a RangeError for an index without a candle.
   */
  at(position: number): Candle {
    if (position < 0 || position >= this.length) throw new RangeError(`no candle ${position}`);
    return readCandle(this.records, position);
  }

  last(): Candle | undefined {
    return this.length === 0 ? undefined : this.at(this.length - 1);
  }

  /**
   * Index of the first candle in memory that opened at or after the given second; `length` if there is none.
   */
  positionFrom(openedSecond: number): number {
    if (this.length === 0) return 0;
    const position = Math.ceil((openedSecond - this.openedAt(0)) / this.seconds);
    return Math.min(Math.max(position, 0), this.length);
  }

  /**
   * Returns the candles changed since the last call, for saving, and marks them as unchanged. Candles without trades
   * are left out, because they repeat the previous close, and so are candles that are no longer in memory.
   */
  drainChanged(): Candle[] {
    const candles = [...this.changed]
      .map((opened) => this.positionOf(opened))
      .filter((position) => position >= 0)
      .map((position) => this.at(position))
      .filter((candle) => !isEmptyCandle(candle));
    this.changed = new Set();
    return candles;
  }

  /** Marks candles as changed again, so that the next `drainChanged` returns them; for candles whose saving failed. */
  markChanged(candles: readonly Candle[]): void {
    for (const { opened } of candles) this.changed.add(opened);
  }

  private openingOf(at: Instant): number {
    return candleStart(this.timer, at) / SECOND_MS;
  }

  /** Index of the candle opened at a second; negative for a candle that is not in memory. */
  private positionOf(opened: number): number {
    const position = (opened - this.openedAt(0)) / this.seconds;
    return position < this.length ? position : -1;
  }

  private fillUpTo(opened: number): boolean {
    const lastOpened = this.openedAt(this.length - 1);
    if (lastOpened >= opened) return false;
    const close = readClose(this.records, this.length - 1);
    // After a long pause only the newest `CANDLES_KEPT` candles are created, and all earlier ones are
    // dropped.
    const first = Math.max(lastOpened + this.seconds, opened - (CANDLES_KEPT - 1) * this.seconds);
    if (first > lastOpened + this.seconds) this.length = 0;
    for (let next = first; next <= opened; next += this.seconds) this.append(emptyCandle(next, close));
    return true;
  }

  private openedAt(position: number): number {
    return readOpened(this.records, position);
  }

  private append(candle: Candle): void {
    if (this.length === CAPACITY_MAX) {
      this.records.copyWithin(0, (this.length - CANDLES_KEPT + 1) * CANDLE_FIELDS);
      this.length = CANDLES_KEPT - 1;
    }
    this.reserve(1);
    writeCandle(this.records, this.length, candle);
    this.length += 1;
    this.version += 1;
    this.opened += 1;
  }

  private appendBlock(block: BigInt64Array, count: number): void {
    if (this.length + count > CAPACITY_MAX) {
      const dropped = this.length + count - CANDLES_KEPT;
      this.records.copyWithin(0, dropped * CANDLE_FIELDS);
      this.length -= dropped;
    }
    this.reserve(count);
    this.records.set(block, this.length * CANDLE_FIELDS);
    this.length += count;
    this.version += 1;
    this.opened += 1;
  }

  /**
   * Makes room for further candles in memory; the caller makes sure that all fit in `CAPACITY_MAX`.
   */
  private reserve(count: number): void {
    const capacity = this.records.length / CANDLE_FIELDS;
    const needed = this.length + count;
    if (needed <= capacity) return;
    const grown = Math.min(CAPACITY_MAX, Math.max(needed, 2 * capacity, FIRST_CAPACITY));
    const records = new BigInt64Array(grown * CANDLE_FIELDS);
    records.set(this.records.subarray(0, this.length * CANDLE_FIELDS));
    this.records = records;
  }

  private put(position: number, candle: Candle): void {
    writeCandle(this.records, position, candle);
    this.changed.add(candle.opened);
    this.version += 1;
    // A closed candle changed, so cached texts of closed candles must be rewritten.
    if (position < this.length - 1) this.opened += 1;
  }

  /**
   * After a late trade changed a candle, updates the empty candles behind it, which repeat its
   * close.
   */
  private carryClose(position: number): void {
    if (position === this.length - 1) return;
    const { close } = this.at(position);
    for (let next = position + 1; next < this.length; next += 1) {
      const candle = this.at(next);
      if (!isEmptyCandle(candle)) return;
      writeCandle(this.records, next, emptyCandle(candle.opened, close));
    }
  }
}

function withDeal(candle: Candle, deal: CountedDeal): Candle {
  const isFirst = isEmptyCandle(candle);
  const isTakerBuy = deal.takerSide === 'buy';
  return {
    opened: candle.opened,
    open: isFirst ? deal.price : candle.open,
    high: isFirst || deal.price > candle.high ? deal.price : candle.high,
    low: isFirst || deal.price < candle.low ? deal.price : candle.low,
    close: deal.price,
    volume: candle.volume + deal.amount,
    turnover: candle.turnover + deal.turnover,
    count: candle.count + 1,
    seeded: candle.seeded,
    takerVolume: sumOrUnknown(candle.takerVolume, isTakerBuy ? deal.amount : 0n),
    takerTurnover: sumOrUnknown(candle.takerTurnover, isTakerBuy ? deal.turnover : 0n),
  };
}

/** Fills the gaps between stored candles, which are ordered oldest first, with empty candles. */
export function fillGaps(timer: CandleTimer, stored: readonly Candle[]): Candle[] {
  const seconds = CANDLE_SECONDS[timer];
  const filled: Candle[] = [];
  for (const candle of stored) {
    let last = filled.at(-1);
    while (last !== undefined && last.opened + seconds < candle.opened) {
      last = emptyCandle(last.opened + seconds, last.close);
      filled.push(last);
    }
    filled.push(candle);
  }
  return filled;
}
