import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { periodProblem } from '@exchange/core/period.ts';
import {
  PAST_ORDERS_PERIOD_MAX_MS,
  recordedArrival,
  recordedFill,
  type RecordedFill,
} from '@exchange/core/recorded-book.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Market } from '../market/index.ts';
import { bookSpans, lastMoveBack, priceAt, type BookSpan } from './domain/past-orders.ts';
import type { Amended, SpotOrder } from './domain/order.ts';
import type { UserFill } from './history-repository.ts';
import { ownFill, pastOrdersOf } from './past-orders-repository.ts';
import { amendmentsOf, amendmentsOfAll, findOrder } from './repository.ts';

const AMENDMENTS_MAX = 1_000;
/** Number of the owner's newest orders among which the orders of a period are searched. */
const SCANNED_ORDERS = 1_000;
const PAST_ORDERS_MAX = 200;

interface Parts {
  readonly reader: Reader;
  readonly market: Pick<Market, 'recordedBooks'>;
  readonly pairOf: (symbol: string) => Pair;
}

/**
 * Facts about the place of the owner's resting order in the queue at its price before this fill: since when
 * it had this place, and how much was ahead of it.
 */
export interface FillQueue {
  /** The time at which the order took its place in the queue; undefined if it is unknown. */
  readonly joinedAt: Instant | undefined;
  /** The amount ahead of the order in the queue at the time `joinedAt`; undefined if it is unknown. */
  readonly ahead: Decimal | undefined;
  /**
   * The amount that the incoming order traded at the price before it reached this order; undefined if it was not
   * recorded.
   */
  readonly tradedBefore: Decimal | undefined;
}

/** The facts that explain the price of a fill. */
export interface FillExplanation {
  readonly fill: UserFill;
  readonly order: SpotOrder;
  /** The limit price of the order at the time of the fill; undefined for a market order. */
  readonly limitPrice: Decimal | undefined;
  /**
   * The fill in the recorded order book, with number and hash of the part that contains it (undefined while the part is
   * not stored); undefined if the fill was not recorded.
   */
  readonly recorded:
    | (RecordedFill & { readonly seq: number | undefined; readonly hash: string | undefined })
    | undefined;
  /** The queue position of the owner's order; undefined if the owner's order was the incoming one. */
  readonly queue: FillQueue | undefined;
}

/** Explains users' own fills and orders by the recorded order books. */
export class Explanations {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Explains why a fill of the owner has its price. Refuses when no fill of the owner has this trade id. Considers the
   * newest `AMENDMENTS_MAX` amendments of the order.
   */
  async fill(owner: UserId, tradeId: string): Promise<FillExplanation> {
    const { reader, market, pairOf } = this.parts;
    const fill = await ownFill(reader, owner, tradeId);
    const orderId = fill?.role === 'taker' ? fill.takerOrder : fill?.makerOrder;
    const order = orderId && (await findOrder(reader, owner, orderId, pairOf));
    if (fill === undefined || order === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const [found, { list: amendments }] = await Promise.all([
      market.recordedBooks.partOfTrade(fill.symbol, tradeId, fill.at),
      amendmentsOf(reader, order.id, AMENDMENTS_MAX),
    ]);
    const seen = found && recordedFill(found.part, tradeId);
    return {
      fill,
      order,
      limitPrice: priceAt(order, amendments, fill.at),
      recorded: seen && { ...seen, seq: found?.stored?.seq, hash: found?.stored?.hash },
      queue: fill.role === 'taker' ? undefined : await this.queueOf(fill, order, amendments, seen),
    };
  }

  /**
   * The periods in which the owner's orders were on the book of a pair, within a period of at most an hour. `hasMore`
   * is true if there were more than `PAST_ORDERS_MAX` such orders among the searched ones (`SCANNED_ORDERS`). Considers
   * the newest `AMENDMENTS_MAX` amendments of all these orders together. Refuses a longer period and one that ends
   * before it starts.
   */
  async pastOrders(
    owner: UserId,
    pair: Pair,
    { startTime, endTime }: { readonly startTime: number; readonly endTime: number },
  ): Promise<{ readonly spans: readonly BookSpan[]; readonly hasMore: boolean }> {
    const problem = periodProblem({ startTime, endTime });
    if (problem !== undefined) throw new Refused(problem);
    const latest = startTime + PAST_ORDERS_PERIOD_MAX_MS;
    if (endTime > latest) {
      const details = { field: 'endTime', limit: String(latest), value: String(endTime) };
      throw new Refused(refusal('aboveMaximum', 'l.field_max', details));
    }
    const { reader } = this.parts;
    const orders = await pastOrdersOf(reader, {
      owner,
      pair,
      from: instant(startTime),
      to: instant(endTime),
      scanned: SCANNED_ORDERS,
      limit: PAST_ORDERS_MAX + 1,
    });
    const shown = orders.slice(0, PAST_ORDERS_MAX);
    const amendments = await amendmentsOfAll(
      reader,
      shown.map(({ id }) => id),
      AMENDMENTS_MAX,
    );
    const spans = shown
      .flatMap((order) => bookSpans(order, amendments.get(order.id) ?? []))
      .filter(({ from, until }) => from <= endTime && (until === undefined || until >= startTime));
    return { spans, hasMore: orders.length > shown.length };
  }

  private async queueOf(
    { symbol, price, makerOrder }: UserFill,
    order: SpotOrder,
    amendments: readonly Amended[],
    seen: RecordedFill | undefined,
  ): Promise<FillQueue> {
    const unknown = { joinedAt: undefined, ahead: undefined, tradedBefore: seen?.tradedBefore };
    if (seen === undefined || makerOrder !== order.id) return unknown;
    const moved = lastMoveBack(amendments, seen.step);
    // `order.rank` is the step at which the order was placed on the book only if no amendment has ever moved the order
    // to the back of a queue, because such amendments overwrite it.
    const step =
      moved?.sequence ??
      (lastMoveBack(amendments, Number.POSITIVE_INFINITY) === undefined ? order.rank : undefined);
    // An amendment to a larger amount at the same price moves the order to the end of the queue. The recorded amount
    // ahead then includes the earlier amount of the order itself, so the amount ahead is unknown.
    const isSamePrice = moved?.price !== undefined && moved.price.equals(moved.priceBefore!);
    if (step === undefined) return unknown;
    const found = await this.parts.market.recordedBooks.partOfStep(symbol, step);
    const priceText = price.toPlaces(order.pair.priceDigits);
    const arrival = found && recordedArrival(found.part, step, order.side, priceText);
    return {
      joinedAt: arrival && instant(arrival.at),
      ahead: isSamePrice ? undefined : arrival?.ahead,
      tradedBefore: seen.tradedBefore,
    };
  }
}
