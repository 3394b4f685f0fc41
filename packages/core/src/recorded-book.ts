import { Decimal } from './decimal.ts';
import type { Side } from './pair.ts';

/** Version of the format of the recorded book. */
export const RECORDED_BOOK_VERSION = 1;
/** Greatest number of price levels per side with which a part of the recorded book begins. */
export const RECORDED_LEVELS = 200;
/** The previous hash in the first part of a pair's recorded book. */
export const RECORDED_BOOK_ORIGIN = '0'.repeat(64);
/** Greatest length in milliseconds of a period in which past orders are read. */
export const PAST_ORDERS_PERIOD_MAX_MS = 3_600_000;
/** Days after which a part of the recorded book is removed. */
export const RECORDED_BOOK_DAYS = 30;

/** Price and total amount of a price level, with the decimals of the pair. */
export type RecordedLevel = readonly [price: string, amount: string];
/** The new total amount of a price level; zero removes it. */
export type RecordedLevelChange = readonly [side: Side, price: string, amount: string];
/** A trade: its number among the trades of all pairs, its id, price, amount and the side of the taker. */
export type RecordedTrade = readonly [
  number: number,
  id: string,
  price: string,
  amount: string,
  takerSide: Side,
];
/**
 * The changes of one step: the number of the step, the time at which it was matched in milliseconds after `from` of the
 * part (negative when it was matched before and committed after it), the milliseconds from then until its commit, and
 * what it changed.
 */
export type RecordedChange = readonly [
  step: number,
  at: number,
  commitMs: number,
  levels: readonly RecordedLevelChange[],
  trades: readonly RecordedTrade[],
];

/**
 * A part of a pair's recorded book, as in the text of `/proof/book`: the price levels at its beginning, and every change
 * until its end. Times are milliseconds UTC.
 */
export interface RecordedPart {
  readonly v: number;
  readonly symbol: string;
  /** Number of the part among the parts of the pair, from 1. */
  readonly seq: number;
  /** SHA-256 of the text of the part before. */
  readonly prev: string;
  /** Whether the recording was not interrupted since the part before: its end is then the beginning of this part. */
  readonly continues: boolean;
  readonly from: number;
  readonly until: number;
  readonly priceDigits: number;
  readonly amountDigits: number;
  /** The best price levels of each side, best first, at most `RECORDED_LEVELS`. */
  readonly bids: readonly RecordedLevel[];
  readonly asks: readonly RecordedLevel[];
  readonly changes: readonly RecordedChange[];
}

/** Parses the text of a part. Throws when it is no part of a known version. */
export function parseRecordedPart(text: string): RecordedPart {
  const part = JSON.parse(text) as RecordedPart;
  if (part.v !== RECORDED_BOOK_VERSION)
    throw new Error(`the recorded book has the unknown version ${part.v}`);
  return part;
}

/** Number of changes of a part that were matched up to a time in milliseconds UTC. */
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
 * The order book of a part after a number of its changes. A side that began with `RECORDED_LEVELS` levels is known up to
 * its last price only; levels beyond it are left out.
 */
export class RecordedBook {
  readonly part: RecordedPart;
  /** Number of changes that the book contains. */
  position = 0;
  private readonly sides: Readonly<Record<Side, Map<string, string>>> = { buy: new Map(), sell: new Map() };
  private readonly edges: Readonly<Record<Side, bigint | undefined>>;

  constructor(part: RecordedPart) {
    this.part = part;
    this.edges = { buy: edgeOf(part.bids), sell: edgeOf(part.asks) };
    this.restart();
  }

  /** Moves the book to the state after `position` changes, between 0 and the number of changes. */
  moveTo(position: number): void {
    if (position < this.position) this.restart();
    for (; this.position < position; this.position += 1) {
      const [, , , levels] = this.part.changes[this.position]!;
      for (const [side, price, amount] of levels) this.set(side, price, amount);
    }
  }

  /** The price levels of a side, best first, at most `count`. */
  levels(side: Side, count: number): RecordedLevel[] {
    return [...this.sides[side]]
      .map(([price, amount]) => ({ units: unitsOf(price), level: [price, amount] as const }))
      .toSorted((a, b) => (a.units < b.units === (side === 'buy') ? 1 : -1))
      .slice(0, count)
      .map(({ level }) => level);
  }

  /** The total amount at a price; undefined when the side has no such level, or when it is not recorded. */
  amountAt(side: Side, price: string): string | undefined {
    return this.sides[side].get(price);
  }

  /** Whether a price of a side is inside the recorded part of the book. */
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

/** A price level at which an incoming order traded, and what it had there. Amounts are in the base coin. */
export interface MetLevel {
  readonly price: Decimal;
  /** Total amount of all resting orders at the price before the order; undefined when it is not recorded. */
  readonly before: Decimal | undefined;
  /** Amount of the order's trades at the price. */
  readonly traded: Decimal;
  /** Amount left at the price after the order; undefined when it is not recorded. */
  readonly after: Decimal | undefined;
}

/** What the recorded book says about a trade. */
export interface RecordedFill {
  readonly step: number;
  /** Times in milliseconds UTC. */
  readonly matchedAt: number;
  readonly committedAt: number;
  /** The best prices of both sides before the step; undefined for an empty side. */
  readonly bestBid: Decimal | undefined;
  readonly bestAsk: Decimal | undefined;
  /** The levels that the incoming order of the trade met, in the order of its trades, up to its last one. */
  readonly levels: readonly MetLevel[];
  /** Amount that the incoming order traded at the price of the trade before it reached it. */
  readonly tradedBefore: Decimal;
}

/** What a part of the recorded book says about one of its trades; undefined when the trade is not in it. */
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

/** An order that a step put on the book: when, and behind what it queued. */
export interface RecordedArrival {
  /** Time at which the step was matched, in milliseconds UTC. */
  readonly at: number;
  /** Total amount of the orders that were at the price already, in the base coin; undefined when it is not recorded. */
  readonly ahead: Decimal | undefined;
}

/**
 * When a step put an order on the book at a price, and the amount that was there before it; undefined when the step is
 * not in the part. Time priority puts a new order behind everything that is at its price.
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

/** A decimal text as a whole number of its last digit; all prices of a part have the same number of decimals. */
function unitsOf(text: string): bigint {
  return BigInt(text.replace('.', ''));
}
