import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, PairStatus, Side } from '@exchange/core/pair.ts';
import { Refused, refusal } from '@exchange/core/refusal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { Ledger } from '../ledger/index.ts';
import { type SidedLevel, levelsMoved } from '../market/index.ts';
import type { OrderBook } from '../matching/index.ts';
import { ExpiryQueue, OcoGroups, OpenOrders, RecentlyEnded } from './domain/open-orders.ts';
import type { SpotOrder } from './domain/order.ts';
import { StopWatch } from './domain/stop-watch.ts';
import { TurnQueue } from './domain/turn-queue.ts';

/** An order book without the methods that change it. */
export type BookView = Pick<
  OrderBook,
  'size' | 'quote' | 'get' | 'best' | 'amountAt' | 'depth' | 'resting' | 'validate'
>;

/** One pair's book, what waits beside it, and whether it trades. */
export interface SpotMarket {
  readonly pair: Pair;
  readonly filters: PairFilters;
  readonly book: BookView;
  /** The book, to be changed by a step that can no longer be refused. */
  readonly changeBook: (step: Step) => OrderBook;
  /** The book, to be filled while state is loaded, or changed by a step that registers how the change is undone. */
  readonly bookToRestore: () => OrderBook;
  readonly stops: StopWatch;
  readonly expiries: ExpiryQueue;
  status: PairStatus;
  /** The price of the last trade; undefined before the first. */
  last: Decimal | undefined;
  /** The trades of which not all stops are marked yet; undefined mostly. */
  marking: Marking | undefined;
}

/** Trades of one step whose stops are marked in portions. */
export interface Marking {
  readonly trades: readonly { readonly sequence: number; readonly price: Decimal }[];
  /** The trade that is looked at, as an index of `trades`: those before it are done. */
  next: number;
  /** Whether it is stored that something is left. */
  isStored: boolean;
}

/** A pair that has never traded, open and without orders. */
export function newMarket(pair: Pair, filters: PairFilters, book: OrderBook): SpotMarket {
  return {
    pair,
    filters,
    book,
    changeBook: (step) => {
      step.forbidRefusal();
      return book;
    },
    bookToRestore: () => book,
    stops: new StopWatch(pair),
    expiries: new ExpiryQueue(),
    status: 'open',
    last: undefined,
    marking: undefined,
  };
}

/** Everything that steps of spot share. */
export class ExchangeState {
  readonly ledger: Ledger;
  readonly markets = new Map<string, SpotMarket>();
  readonly orders = new OpenOrders();
  readonly ended = new RecentlyEnded();
  readonly groups = new OcoGroups();
  readonly touched = new TouchedLevels();
  /** Stops whose price was there, in the order in which they will execute. */
  readonly due = new TurnQueue();
  /** The markets of which stops that trades met are still to be marked: others may not trade, cancel or change anything there. */
  readonly unmarked = new Set<SpotMarket>();
  /** Ended buys whose exits are still to be placed, by rank, which is unique among them. */
  readonly owed = new TurnQueue();
  tradeSequence = 0;
  private lastTurn = 0;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** The market of a symbol; refuses one that is not listed. */
  market(symbol: string): SpotMarket {
    const market = this.markets.get(symbol);
    if (market === undefined)
      throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol' }));
    return market;
  }

  /** Whether an asset of the pair is halted by a stored halt: what a step may decide by, since a replay knows it too. */
  isHalted({ base, quote }: Pair): boolean {
    return this.ledger.isHalted(base) || this.ledger.isHalted(quote);
  }

  /** Whether the ledger refuses postings of the pair at this instant: what proposals may be left out by. */
  isStopped({ base, quote }: Pair): boolean {
    const { halts } = this.ledger;
    return halts.areAny && (halts.isStopped(base) || halts.isStopped(quote));
  }

  /** Refuses what would move an asset of the pair while the ledger refuses its postings. */
  requireMoving({ base, quote }: Pair): void {
    this.ledger.halts.requireMoving(base);
    this.ledger.halts.requireMoving(quote);
  }

  /**
   * The due stops that may execute, in their turn, and then the entries whose exits may be placed: those of a halted
   * asset, and of a pair of which stops are still to be marked, are left out. Nothing may be executed while the result is read.
   */
  *ready(): IterableIterator<SpotOrder> {
    const isPassedOver = ({ pair }: SpotOrder): boolean =>
      this.isStopped(pair) || this.markets.get(pair.symbol)!.marking !== undefined;
    yield* this.due.inTurn(isPassedOver);
    yield* this.owed.inTurn(isPassedOver);
  }

  /** Puts a stop that is due behind all others. */
  queueDue(order: SpotOrder): void {
    this.lastTurn += 1;
    this.due.add(order, this.lastTurn);
  }

  /** Whether there is anything that `DueOrders` has to propose steps for. */
  get isAnyDue(): boolean {
    return this.due.size > 0 || this.owed.size > 0 || this.unmarked.size > 0;
  }

  /** An order has ended: what it bought is protected next, if its owner wanted that. */
  noteEnded(order: SpotOrder): void {
    this.ended.add(order.id, order.owner);
    const { exits } = order;
    if (exits === undefined) return;
    if (order.filledAmount.isZero()) exits.status = 'unfilled';
    else this.owed.add(order, order.rank);
  }

  /** Forgets all orders, before they are read anew. */
  clear(): void {
    for (const market of this.markets.values()) {
      market.bookToRestore().clear();
      market.stops.clear();
      market.expiries.clear();
      market.marking = undefined;
    }
    this.unmarked.clear();
    this.orders.clear();
    this.ended.clear();
    this.groups.clear();
    this.touched.clear();
    this.due.clear();
    this.owed.clear();
  }
}

/**
 * The book's levels that one step moved. Steps come one after another, so all of them use the same arrays.
 * A level may be named twice when others came in between: what is told is how it stands in the end.
 */
export class TouchedLevels {
  private readonly sides: Side[] = [];
  private readonly ticks: bigint[] = [];
  /** How many of the entries are of this step; the arrays are kept as they are, so that they need not grow again. */
  private count = 0;

  clear(): void {
    this.count = 0;
  }

  add(side: Side, ticks: bigint): void {
    const { count } = this;
    // A sweep goes level by level, so the commonest repetition is the one just before.
    if (count > 0 && this.ticks[count - 1] === ticks && this.sides[count - 1] === side) return;
    this.sides[count] = side;
    this.ticks[count] = ticks;
    this.count = count + 1;
  }

  /** Tells how the levels stand now, and forgets them. */
  tell(
    step: Step,
    { pair, book }: { readonly pair: Pair; readonly book: Pick<OrderBook, 'amountAt'> },
  ): void {
    if (this.count === 0) return;
    // Mostly it is one level, and an array that begins as a pair of brackets makes room for many.
    const levels = [this.levelAt(0, book)];
    for (let at = 1; at < this.count; at += 1) levels.push(this.levelAt(at, book));
    step.publish(levelsMoved, { symbol: pair.symbol, levels, at: step.now });
    this.clear();
  }

  private levelAt(at: number, book: Pick<OrderBook, 'amountAt'>): SidedLevel {
    const side = this.sides[at]!;
    const price = this.ticks[at]!;
    return { side, price, amount: book.amountAt(side, price) };
  }
}
