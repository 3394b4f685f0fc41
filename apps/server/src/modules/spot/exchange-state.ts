import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, PairStatus, Side } from '@exchange/core/pair.ts';
import { Refused, refusal } from '@exchange/core/refusal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { Ledger } from '../ledger/index.ts';
import { type SidedLevel, levelsMoved } from '../market/index.ts';
import type { OrderBook } from '../matching/index.ts';
import type { PlacementContext } from './command-inputs.ts';
import type { Grid } from './domain/grid.ts';
import { Countdowns } from './domain/countdowns.ts';
import type { Chase } from './domain/chase.ts';
import type { Iceberg } from './domain/iceberg.ts';
import { OpenLadders } from './domain/ladder.ts';
import { RunningGrids, type ReachedGrid } from './domain/running-grids.ts';
import { ExpiryQueue, OcoGroups, OpenOrders, OtoLists, RecentlyEnded } from './domain/open-orders.ts';
import { OpenParents } from './domain/open-parents.ts';
import type { SpotOrder } from './domain/order.ts';
import { OpenTwaps } from './domain/twap.ts';
import { StopWatch } from './domain/stop-watch.ts';
import { ExecutionQueue } from './domain/execution-queue.ts';

/** An order book without the methods that change it. */
export type BookView = Pick<
  OrderBook,
  'size' | 'quote' | 'get' | 'best' | 'amountAt' | 'depth' | 'resting' | 'validate'
>;

/** A pair's order book, its waiting orders, and its trading status. */
export interface SpotMarket {
  readonly pair: Pair;
  readonly filters: PairFilters;
  readonly book: BookView;
  /**
   * Returns the book for changes. Afterwards the command of this step must not be refused, because changes of the book
   * cannot be undone.
   */
  readonly changeBook: (step: Step) => OrderBook;
  /** The step for which `changeBook` was called last. Slices that replace filled orders are placed by this step. */
  changing: Step | undefined;
  /** Returns the pair's order book for loading, or for a change whose undo the caller registers. */
  readonly bookToRestore: () => OrderBook;
  readonly stops: StopWatch;
  readonly expiries: ExpiryQueue;
  status: PairStatus;
  /** The price of the last trade; undefined before the first. */
  last: Decimal | undefined;
  /** The trades whose triggered stops are not all marked as due yet; usually undefined. */
  marking: Marking | undefined;
}

/** Trades of one command whose triggered stop orders are marked as due by several commands. */
export interface Marking {
  readonly trades: readonly { readonly sequence: number; readonly price: Decimal }[];
  /** The index in `trades` of the trade whose stops are marked next; earlier trades are done. */
  next: number;
  /** Whether the database contains a row for the trades that are still to be processed. */
  isStored: boolean;
}

/** Creates the market of a newly listed pair: open, without orders and trades. */
export function newMarket(pair: Pair, filters: PairFilters, book: OrderBook): SpotMarket {
  const market: SpotMarket = {
    pair,
    filters,
    book,
    changeBook: (step) => {
      step.forbidRefusal();
      market.changing = step;
      return book;
    },
    changing: undefined,
    bookToRestore: () => book,
    stops: new StopWatch(pair),
    expiries: new ExpiryQueue(),
    status: 'open',
    last: undefined,
    marking: undefined,
  };
  return market;
}

/** A sale of the coins of a grid that the running step has ended. */
export interface GridSale {
  readonly grid: Grid;
  /** The context of the sale's orders, with the fee rates of the grid. */
  readonly context: PlacementContext;
  /** The lowest price at which the sale may trade. */
  readonly bound: Decimal;
}

/** The state of the spot exchange in memory, which all its commands share. */
export class ExchangeState {
  readonly ledger: Ledger;
  readonly markets = new Map<string, SpotMarket>();
  readonly orders = new OpenOrders();
  readonly recentlyEnded = new RecentlyEnded();
  readonly groups = new OcoGroups();
  readonly otos = new OtoLists();
  readonly changedLevels = new ChangedLevels();
  /** Triggered stops in the order in which they will execute. */
  readonly due = new ExecutionQueue();
  /**
   * The pairs with trades whose triggered stops are not all marked as due. Until all are marked, no
   * other command may trade, cancel or change orders of these pairs.
   */
  readonly unmarked = new Set<SpotMarket>();
  /**
   * Ended orders whose take-profit and stop-loss orders are still to be placed, by rank; ranks are
   * unique among them.
   */
  readonly owedExits = new ExecutionQueue();
  /**
   * The OTOs whose working order is filled and whose pending orders are still to be placed, by rank. Each is
   * represented by its pending order, or by the limit leg of its pending OCO.
   */
  readonly owedOtos = new ExecutionQueue();
  readonly countdowns = new Countdowns();
  readonly twaps = new OpenTwaps();
  readonly ladders = new OpenLadders();
  readonly icebergs = new OpenParents<Iceberg>();
  readonly chases = new OpenParents<Chase>();
  readonly grids = new RunningGrids();
  /** Orders of grids that the running step has filled and whose next orders are still to be placed. */
  readonly filledGridOrders: SpotOrder[] = [];
  /** Grids whose stop-loss or take-profit price the running step has reached and that are still to be ended. */
  readonly reachedGrids: ReachedGrid[] = [];
  /** Sales of the coins of grids that the running step has ended; they run at the end of the command. */
  readonly gridSales: GridSale[] = [];
  /** The step that placed the last order of a grid, and the number of orders that it has placed for grids. */
  private gridStep: Step | undefined;
  private gridTurn = 0;
  tradeSequence = 0;
  private lastPosition = 0;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** The market of the pair with this symbol; refuses an unknown symbol with `l.unknown_pair`. */
  market(symbol: string): SpotMarket {
    const market = this.markets.get(symbol);
    if (market === undefined)
      throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol' }));
    return market;
  }

  /**
   * Whether a stored halt covers an asset of the pair. Commands use stored halts only, because a replay
   * must decide in the same way.
   */
  isHalted({ base, quote }: Pair): boolean {
    return this.ledger.isHalted(base) || this.ledger.isHalted(quote);
  }

  /**
   * Whether the ledger currently refuses postings of an asset of the pair, because of a halt that is stored or
   * will be. Commands for such a pair need not be sent.
   */
  isStopped({ base, quote }: Pair): boolean {
    const { halts } = this.ledger;
    return halts.hasAny && (halts.isStopped(base) || halts.isStopped(quote));
  }

  /**
   * Refuses when the ledger currently refuses postings of an asset of the pair, because of a halt that is stored or
   * will be.
   */
  requireMoving({ base, quote }: Pair): void {
    this.ledger.halts.requireNotHalted(base);
    this.ledger.halts.requireNotHalted(quote);
  }

  /**
   * The orders to execute now: due stops, in execution order, then ended orders whose take-profit and stop-loss may be
   * placed, then OTOs whose pending orders may be placed. Skips pairs with a halted asset and pairs whose stops are
   * still being marked. Nothing may execute during the iteration.
   */
  *ready(): IterableIterator<SpotOrder> {
    const isPassedOver = ({ pair }: SpotOrder): boolean =>
      this.isStopped(pair) || this.markets.get(pair.symbol)!.marking !== undefined;
    yield* this.due.inOrder(isPassedOver);
    yield* this.owedExits.inOrder(isPassedOver);
    yield* this.owedOtos.inOrder(isPassedOver);
  }

  /** Counts the orders that a step places for grids; returns the number of the next one, from 1. */
  nextGridTurn(step: Step): number {
    this.gridTurn = this.gridStep === step ? this.gridTurn + 1 : 1;
    this.gridStep = step;
    return this.gridTurn;
  }

  /** Appends a triggered stop to the due stops. */
  queueDue(order: SpotOrder): void {
    this.lastPosition += 1;
    this.due.add(order, this.lastPosition);
  }

  /**
   * Whether any triggered stop is still to be executed, any take-profit, stop-loss or pending order to be placed, or
   * the stops that any trade has triggered to be marked as due.
   */
  get isAnyDue(): boolean {
    const owed = this.owedExits.size + this.owedOtos.size;
    return this.due.size > 0 || owed > 0 || this.unmarked.size > 0;
  }

  /**
   * Records that an order has ended. If it has fills, its take-profit and stop-loss orders are queued, and a later
   * command places them; otherwise their status becomes `unfilled`.
   */
  recordEnded(order: SpotOrder): void {
    this.recentlyEnded.add(order);
    const { exits } = order;
    if (exits === undefined) return;
    if (order.filledAmount.isZero()) exits.status = 'unfilled';
    else this.owedExits.add(order, order.rank);
  }

  /** Removes all orders, algo orders and countdowns before they are loaded again. */
  clear(): void {
    for (const market of this.markets.values()) {
      market.bookToRestore().clear();
      market.stops.clear();
      market.expiries.clear();
      market.marking = undefined;
    }
    this.unmarked.clear();
    this.orders.clear();
    this.countdowns.clear();
    this.twaps.clear();
    this.ladders.clear();
    this.icebergs.clear();
    this.chases.clear();
    this.grids.clear();
    this.filledGridOrders.length = 0;
    this.reachedGrids.length = 0;
    this.gridSales.length = 0;
    this.recentlyEnded.clear();
    this.groups.clear();
    this.otos.clear();
    this.changedLevels.clear();
    this.due.clear();
    this.owedExits.clear();
    this.owedOtos.clear();
  }
}

/**
 * The price levels that the current command has changed. Commands run one at a time, so all of them share the
 * same arrays. A level may be listed twice; its published amount is always the final one.
 */
export class ChangedLevels {
  private readonly sides: Side[] = [];
  private readonly ticks: bigint[] = [];
  /**
   * The number of changed levels of the current command. The arrays are not shortened between commands,
   * so that they need not grow again.
   */
  private count = 0;

  clear(): void {
    this.count = 0;
  }

  add(side: Side, ticks: bigint): void {
    const { count } = this;
    // Skips a level that equals the previous one. Repetitions are mostly consecutive, because an order
    // is matched level by level.
    if (count > 0 && this.ticks[count - 1] === ticks && this.sides[count - 1] === side) return;
    this.sides[count] = side;
    this.ticks[count] = ticks;
    this.count = count + 1;
  }

  /** Publishes the current amounts of the changed levels and clears the list. */
  publish(
    step: Step,
    { pair, book }: { readonly pair: Pair; readonly book: Pick<OrderBook, 'amountAt'> },
  ): void {
    if (this.count === 0) return;
    // Usually one level changed. An array that starts empty would reserve memory for many levels.
    const levels = [this.levelAt(0, book)];
    for (let index = 1; index < this.count; index += 1) levels.push(this.levelAt(index, book));
    step.publish(levelsMoved, { symbol: pair.symbol, step: step.sequence, levels, at: step.now });
    this.clear();
  }

  private levelAt(index: number, book: Pick<OrderBook, 'amountAt'>): SidedLevel {
    const side = this.sides[index]!;
    const price = this.ticks[index]!;
    return { side, price, amount: book.amountAt(side, price) };
  }
}
