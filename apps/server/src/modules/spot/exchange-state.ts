import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import type { Pair, PairFilters, PairStatus } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Ledger } from '../ledger/index.ts';
import type { OrderBook } from '../matching/index.ts';
import { ExpiryQueue } from './expiry-queue.ts';
import { OcoGroups } from './groups.ts';
import { OpenOrders } from './open-orders.ts';
import { RecentlyEnded } from './recently-ended.ts';
import { StopWatch } from './stop-watch.ts';
import { TouchedLevels } from './touched-levels.ts';

/** One pair's book, what waits beside it, and whether it trades. */
export interface SpotMarket {
  readonly pair: Pair;
  readonly filters: PairFilters;
  readonly book: OrderBook;
  readonly stops: StopWatch;
  readonly expiries: ExpiryQueue;
  status: PairStatus;
  /** The price of the last trade; undefined before the first. */
  last: Decimal | undefined;
}

/** A pair that has never traded, open and without orders. */
export function newMarket(pair: Pair, filters: PairFilters, book: OrderBook): SpotMarket {
  return {
    pair,
    filters,
    book,
    stops: new StopWatch(pair),
    expiries: new ExpiryQueue(),
    status: 'open',
    last: undefined,
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
  readonly due: OrderId[] = [];
  tradeSequence = 0;

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

  /** Whether an asset of the pair is halted, so that nothing of it may move. */
  isHalted({ base, quote }: Pair): boolean {
    return this.ledger.isHalted(base) || this.ledger.isHalted(quote);
  }

  requireMoving({ base, quote }: Pair): void {
    this.ledger.halts.requireMoving(base);
    this.ledger.halts.requireMoving(quote);
  }

  /** The due stops that may execute, in their turn: those of a halted asset stay due. */
  get ready(): readonly OrderId[] {
    if (!this.ledger.halts.areAny) return this.due;
    return this.due.filter((id) => {
      const order = this.orders.get(id);
      return order !== undefined && !this.isHalted(order.pair);
    });
  }

  /** Forgets all orders, before they are read anew. */
  clear(): void {
    for (const { book, stops, expiries } of this.markets.values()) {
      book.clear();
      stops.clear();
      expiries.clear();
    }
    this.orders.clear();
    this.ended.clear();
    this.groups.clear();
    this.touched.clear();
    this.due.length = 0;
  }
}
