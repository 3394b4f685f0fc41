import { Decimal } from './decimal.ts';
import type { Side } from './pair.ts';

/** Version of the format of the recorded order book. */
export const RECORDED_BOOK_VERSION = 1;
/** Maximum number of price levels per side with which a part of the recorded order book begins. */
export const RECORDED_LEVELS = 200;
/** The value of `prev` in the first part of a pair's recorded order book, which follows no other part. */
export const RECORDED_BOOK_ORIGIN = '0'.repeat(64);
/**
 * Maximum length in milliseconds of a period for which a user can request when the user's own past orders were in the
 * order book of a pair.
 */
export const PAST_ORDERS_PERIOD_MAX_MS = 3_600_000;
/** Number of days after the end of a part of the recorded order book after which the part is deleted. */
export const RECORDED_BOOK_DAYS = 30;

/**
 * The price of a price level in the quote coin and the total amount of the orders at it in the base coin,
 * both with the pair's number of decimals.
 */
export type RecordedLevel = readonly [price: string, amount: string];
/**
 * A change of a price level: its side, its price in the quote coin and its new total amount in the base coin.
 * An amount of zero removes the level.
 */
export type RecordedLevelChange = readonly [side: Side, price: string, amount: string];
/**
 * A trade: its number among the trades of all pairs, its id, its price in the quote coin, its amount in the
 * base coin and the side of the taker.
 */
export type RecordedTrade = readonly [
  number: number,
  id: string,
  price: string,
  amount: string,
  takerSide: Side,
];
/**
 * The changes of the order book by one engine step, which executes one command: the number of the step, the time at
 * which it was executed (milliseconds after `from` of the part), the milliseconds from then to its commit, the changed
 * price levels, and the trades. The time is negative if the step was executed before `from` and committed after it.
 */
export type RecordedChange = readonly [
  step: number,
  at: number,
  commitMs: number,
  levels: readonly RecordedLevelChange[],
  trades: readonly RecordedTrade[],
];

/**
 * A part of a pair's recorded order book, as in the text of `/proof/book`. It contains the price levels at
 * its beginning and every change until its end. `from` and `until` are in milliseconds UTC.
 */
export interface RecordedPart {
  readonly v: number;
  readonly symbol: string;
  /** Number of the part among the recorded parts of the pair, from 1. */
  readonly seq: number;
  /** SHA-256 of the text of the pair's previous part, in hex; `RECORDED_BOOK_ORIGIN` for the first part. */
  readonly prev: string;
  /**
   * True if the recording was not interrupted after the previous part, so that the end of that part is the beginning of
   * this one.
   */
  readonly continues: boolean;
  readonly from: number;
  readonly until: number;
  readonly priceDigits: number;
  readonly amountDigits: number;
  /** The best price levels of each side at the beginning of the part, best first, at most `RECORDED_LEVELS`. */
  readonly bids: readonly RecordedLevel[];
  readonly asks: readonly RecordedLevel[];
  readonly changes: readonly RecordedChange[];
}

/**
 * Parses the text of a part of a recorded order book. Throws if the text is no JSON or has an unknown
 * version.
 */
export function parseRecordedPart(text: string): RecordedPart {
  const part = JSON.parse(text) as RecordedPart;
  if (part.v !== RECORDED_BOOK_VERSION)
    throw new Error(`the recorded book has the unknown version ${part.v}`);
  return part;
}

/** Returns the number of changes of a part that were executed at or before `time` (milliseconds UTC). */
export function changesUntil({ from, changes }: RecordedPart, time: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (from + changes[middle]![1] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The order book that results from the first `position` changes of a part. If a side began with `RECORDED_LEVELS`
 * levels, only its prices up to the last of them are known, and levels beyond are left out.
 */
export class RecordedBook {
  readonly part: RecordedPart;
  /** Number of changes of the part that the book includes. */
  position = 0;
  private readonly sides: Readonly<Record<Side, Map<string, string>>> = { buy: new Map(), sell: new Map() };
  private readonly edges: Readonly<Record<Side, bigint | undefined>>;

  constructor(part: RecordedPart) {
    this.part = part;
    this.edges = { buy: edgeOf(part.bids), sell: edgeOf(part.asks) };
    this.restart();
  }

  /**
   * Moves the book to its state after the first `position` changes of the part. `position` is between 0 and the number
   * of changes.
   */
  moveTo(position: number): void {
    if (position < this.position) this.restart();
    for (; this.position < position; this.position += 1) {
      const [, , , levels] = this.part.changes[this.position]!;
      for (const [side, price, amount] of levels) this.set(side, price, amount);
    }
  }

  /** Returns the best price levels of a side, best first, at most `count`. */
  levels(side: Side, count: number): RecordedLevel[] {
    return [...this.sides[side]]
      .map(([price, amount]) => ({ units: unitsOf(price), level: [price, amount] as const }))
      .toSorted((a, b) => (a.units < b.units === (side === 'buy') ? 1 : -1))
      .slice(0, count)
      .map(({ level }) => level);
  }

  /**
   * Returns the total amount, in the base coin, of the orders at a price; undefined if the side has no such
   * level, or if the price is beyond the recorded levels (`covers`).
   */
  amountAt(side: Side, price: string): string | undefined {
    return this.sides[side].get(price);
  }

  /**
   * Returns whether all changes at this price of a side are recorded: at every price if the part began with fewer than
   * `RECORDED_LEVELS` levels on the side, otherwise at prices up to the last of these levels.
   */
  covers(side: Side, price: string): boolean {
    const edge = this.edges[side];
    if (edge === undefined) return true;
    return side === 'buy' ? unitsOf(price) >= edge : unitsOf(price) <= edge;
  }

  private restart(): void {
    const { bids, asks } = this.part;
    this.position = 0;
    for (const [side, levels] of [
      ['buy', bids],
      ['sell', asks],
    ] as const) {
      this.sides[side].clear();
      for (const [price, amount] of levels) this.sides[side].set(price, amount);
    }
  }

  private set(side: Side, price: string, amount: string): void {
    if (!this.covers(side, price)) return;
    if (unitsOf(amount) === 0n) this.sides[side].delete(price);
    else this.sides[side].set(price, amount);
  }
}

/** A price level at which an incoming order traded, with its amounts before and after. Amounts are in the base coin. */
export interface MetLevel {
  readonly price: Decimal;
  /**
   * Total amount in the base coin of all resting orders at the price, before the incoming order; undefined if
   * it is not recorded.
   */
  readonly before: Decimal | undefined;
  /** Amount in the base coin that the incoming order traded at the price. */
  readonly traded: Decimal;
  /**
   * Total amount in the base coin of the resting orders that remain at the price after the incoming order;
   * undefined if it is not recorded.
   */
  readonly after: Decimal | undefined;
}

/** The circumstances of a trade according to the recorded order book. */
export interface RecordedFill {
  readonly step: number;
  /** Times in milliseconds UTC at which the trade was matched and committed. */
  readonly matchedAt: number;
  readonly committedAt: number;
  /** The best prices of both sides before the engine step that executed the trade; undefined for an empty side. */
  readonly bestBid: Decimal | undefined;
  readonly bestAsk: Decimal | undefined;
  /** The price levels at which the incoming order traded, in the order of its trades, from the first to the last. */
  readonly levels: readonly MetLevel[];
  /**
   * Amount in the base coin that the incoming order had traded at the price of this trade before this trade.
   */
  readonly tradedBefore: Decimal;
}

/**
 * Finds a trade in a part of the recorded order book and returns its circumstances; undefined if the part does not
 * contain it.
 */
export function recordedFill(part: RecordedPart, tradeId: string): RecordedFill | undefined {
  const index = part.changes.findIndex(([, , , , trades]) => trades.some(([, id]) => id === tradeId));
  const change = part.changes[index];
  if (change === undefined) return undefined;
  const [step, at, commitMs, , trades] = change;
  const [, , fillPrice, , takerSide] = trades.find(([, id]) => id === tradeId)!;
  const book = new RecordedBook(part);
  book.moveTo(index);
  const [bid] = book.levels('buy', 1);
  const [ask] = book.levels('sell', 1);
  const makerSide = takerSide === 'buy' ? 'sell' : 'buy';
  const isOfOrder = ([, , , , side]: RecordedTrade) => side === takerSide;
  const before = new Map(book.levels(makerSide, Number.POSITIVE_INFINITY));
  book.moveTo(index + 1);
  const ofOrder = trades.filter(isOfOrder);
  const prices = new Set(ofOrder.map(([, , price]) => price));
  const earlier = ofOrder.slice(
    0,
    ofOrder.findIndex(([, id]) => id === tradeId),
  );
  return {
    step,
    matchedAt: part.from + at,
    committedAt: part.from + at + commitMs,
    bestBid: bid && Decimal.parse(bid[0]),
    bestAsk: ask && Decimal.parse(ask[0]),
    levels: [...prices].map((price) => ({
      price: Decimal.parse(price),
      before: decimalOf(before.get(price)),
      traded: amountOf(ofOrder, price),
      after: book.covers(makerSide, price)
        ? (decimalOf(book.amountAt(makerSide, price)) ?? Decimal.zero)
        : undefined,
    })),
    tradedBefore: amountOf(earlier, fillPrice),
  };
}

/** When an order entered the order book, and the amount that was ahead of it at its price. */
export interface RecordedArrival {
  /** Time at which the engine step that placed the order in the book was executed, in milliseconds UTC. */
  readonly at: number;
  /**
   * Total amount of the orders that were already in the book at the same price, in the base coin; undefined if it is
   * not recorded.
   */
  readonly ahead: Decimal | undefined;
}

/**
 * Returns when an engine step placed an order in the book at `price`, and the total amount of the orders that were
 * already at this price and therefore have time priority over the new order. The amount is undefined for a price beyond
 * the recorded levels. Returns undefined if the part of the recorded order book does not contain the step.
 */
export function recordedArrival(
  part: RecordedPart,
  step: number,
  side: Side,
  price: string,
): RecordedArrival | undefined {
  const index = part.changes.findIndex(([number]) => number === step);
  const change = part.changes[index];
  if (change === undefined) return undefined;
  const book = new RecordedBook(part);
  book.moveTo(index);
  const ahead = book.covers(side, price)
    ? (decimalOf(book.amountAt(side, price)) ?? Decimal.zero)
    : undefined;
  return { at: part.from + change[1], ahead };
}

function amountOf(trades: readonly RecordedTrade[], price: string): Decimal {
  return trades
    .filter((trade) => trade[2] === price)
    .reduce((sum, [, , , amount]) => sum.plus(Decimal.parse(amount)), Decimal.zero);
}

function decimalOf(text: string | undefined): Decimal | undefined {
  return text === undefined ? undefined : Decimal.parse(text);
}

function edgeOf(levels: readonly RecordedLevel[]): bigint | undefined {
  return levels.length < RECORDED_LEVELS ? undefined : unitsOf(levels.at(-1)![0]);
}

/**
 * Converts a price to a whole number by removing the decimal point. All prices of a part of the recording
 * have the same number of decimals, so the numbers compare like the prices.
 */
function unitsOf(text: string): bigint {
  return BigInt(text.replace('.', ''));
}
