import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { PublicPause } from '@exchange/core/trading-pause.ts';
import type { AssetCode, Pair, PairStatus, Side } from '@exchange/core/pair.ts';
import type { ExitsRequest, OrderType, StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { ListedPair } from '../../assets/index.ts';
import type { SelfTrade } from '../../matching/index.ts';

export type OrderState = 'open' | 'filled' | 'cancelled';

/**
 * The reason why an order ended before it was filled; empty for open and filled orders. `grid`: its grid ended at its
 * stop-loss or take-profit price.
 */
export type EndReason =
  | ''
  | 'user'
  | 'selfTrade'
  | 'noLiquidity'
  | 'limitReached'
  | 'guardReached'
  | 'totalTooSmall'
  | 'expired'
  | 'oco'
  | 'oto'
  | 'balanceShort'
  | 'wouldCross'
  | 'fokUnfilled'
  | 'pairHalted'
  | 'countdown'
  | 'disconnected'
  | 'grid';

/**
 * State of a stop order's trigger. `waiting`: the trigger price has not been reached; `due`: it was reached,
 * and the order will be placed as a limit or market order next; `triggered`: it was placed, whether or not it
 * has traded.
 */
export type StopStatus = 'waiting' | 'due' | 'triggered';

/**
 * The trigger of a stop order: its conditions and its state (status, times, and the last trade that the
 * trigger price reflects).
 */
export interface Stop {
  readonly direction: StopDirection;
  /**
   * A trailing stop's distance from the best price that it follows, as a fraction of this price;
   * undefined for other stops.
   */
  readonly trail: Decimal | undefined;
  /** The trigger price. That of a trailing stop is `trail` away from `extreme` and changes with it. */
  price: Decimal;
  /**
   * For an active trailing stop, the best last price since activation: the highest for a sell, the lowest for
   * a buy; before activation, the activation price. Undefined for other stops.
   */
  extreme: Decimal | undefined;
  /** The activation price of a trailing stop; undefined for other stops and without an activation price. */
  readonly activation: Decimal | undefined;
  /**
   * The time at which a trailing stop with an activation price became active; undefined before that time and for
   * all other stops.
   */
  activatedAt: Instant | undefined;
  status: StopStatus;
  triggeredAt: Instant | undefined;
  /**
   * The sequence number of the last trade that `price` reflects; for a due stop, of the trade that triggered
   * it.
   */
  tradeSequence: number;
}

/**
 * Take-profit and stop-loss orders to be placed when the entry order has ended with fills. `status` is `waiting` until
 * then, `placed` afterwards, `unfilled` if the entry ended without fills, and otherwise the reason why they could not
 * be placed.
 */
export interface Exits extends ExitsRequest {
  status: ExitStatus;
}

export type ExitStatus =
  | ('waiting' | 'placed' | 'unfilled')
  | ('balanceShort' | 'tooSmall' | 'tooMany' | 'pairClosed' | 'noLiquidity');

/** The list id and role of an order in an OTO or OTOCO; of a pending order also the time of its placement. */
export interface OtoPlace {
  /** Id shared by the orders of the OTO or OTOCO. */
  readonly id: string;
  /**
   * The role of the order: the working order is placed on the book at once, a pending order when the
   * working order is completely filled.
   */
  readonly role: 'working' | 'pending';
  /**
   * Time at which a pending order was placed (on the book or, for a stop, among the waiting stops) after the working
   * order was filled completely, not the time at which a stop triggers. Undefined before that time and for working
   * orders.
   */
  releasedAt: Instant | undefined;
}

/**
 * An order in memory. Read-only fields are set when the order is placed, although the contents of `stop` and `oto`
 * change later. The other fields change with fills, amendments, triggers, releases and the end of the order.
 */
export interface SpotOrder {
  readonly id: OrderId;
  readonly owner: UserId;
  /**
   * The owner's main account, or the owner if it is no sub-account. Orders of one trader never trade with one another.
   */
  readonly trader: UserId;
  readonly pair: Pair;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly selfTrade: SelfTrade;
  readonly total: Decimal | undefined;
  readonly heldAsset: AssetCode;
  readonly makerRate: Decimal;
  readonly takerRate: Decimal;
  readonly clientId: string;
  /**
   * Time at which the request for the order reached the exchange; undefined for orders that the exchange placed itself,
   * and for older orders, whose time was not stored.
   */
  readonly receivedAt: Instant | undefined;
  readonly createdAt: Instant;
  /**
   * The sequence number of the step that placed the order; 0 for an order that was loaded from the database. That
   * step stores the complete order; later steps store only changes.
   */
  readonly bornIn: number;
  /**
   * The trigger of a stop order; also present after the order was triggered. Undefined for orders that never
   * wait for a trigger price.
   */
  readonly stop: Stop | undefined;
  /**
   * The expiry of a GTT order; also set when an order has to end as soon as the halt of its held coin is lifted, see
   * `endWhenMoving`. Undefined for other orders.
   */
  expireAt: Instant | undefined;
  /** Id shared by both orders (legs) of an OCO; empty for other orders. */
  readonly groupId: string;
  /** The order's part in an OTO or OTOCO list; undefined for other orders. */
  readonly oto: OtoPlace | undefined;
  /**
   * The client order id of the list (OCO, OTO or OTOCO) to which this order belongs. Empty if the order belongs to no
   * list, or if the client gave the list no id.
   */
  readonly listName: string;
  /** The id of the entry order whose exit this order is; empty for other orders. */
  readonly entryId: string;
  /**
   * Id of the client connection whose end cancels this order; empty for an order that does not end with a connection.
   */
  readonly sessionId: string;
  /**
   * The id of the running iceberg, chase order or grid to which this order belongs; empty for other orders. At a
   * start of the server it is set when the icebergs, chase orders and grids are loaded.
   */
  parentId: string;
  price: Decimal | undefined;
  amount: Decimal | undefined;
  /**
   * Time priority: the sequence number of the step that gave the order its place in the book or among the
   * waiting stops.
   */
  rank: number;
  exits: Exits | undefined;
  filledAmount: Decimal;
  filledTotal: Decimal;
  /** The amount in the base asset removed by self-trade prevention `decrement` without a trade. */
  cancelledAmount: Decimal;
  /**
   * Fees of the order so far, in the asset it receives: the base asset for a buy, the quote asset
   * for a sell.
   */
  fee: Decimal;
  held: Decimal;
  state: OrderState;
  reason: EndReason;
  updatedAt: Instant;
}

/**
 * An amendment of an open order, by its owner or by the exchange, e.g. when the order of a chase order follows
 * the market.
 */
export interface Amended {
  readonly orderId: OrderId;
  readonly at: Instant;
  /** The sequence number of the step that amended the order; it sorts an order's amendments. */
  readonly sequence: number;
  /** The terms after the amendment, and before it (`…Before`). A term that the order lacks is undefined. */
  readonly price: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly stopPrice: Decimal | undefined;
  readonly exits: ExitsRequest | undefined;
  readonly priceBefore: Decimal | undefined;
  readonly amountBefore: Decimal | undefined;
  readonly stopPriceBefore: Decimal | undefined;
  readonly exitsBefore: ExitsRequest | undefined;
}

/**
 * The asset in which an order's fees are charged, which is the one that it receives: the base asset for a buy, the
 * quote asset for a sell.
 */
export function feeAsset(order: Pick<SpotOrder, 'pair' | 'side'>): AssetCode {
  return order.side === 'buy' ? order.pair.base : order.pair.quote;
}

/** Whether a stop is a trailing stop that waits for its activation price. */
export function isDormant({ activation, activatedAt }: Stop): boolean {
  return activation !== undefined && activatedAt === undefined;
}

/** Whether an order waits for the working order of its OTO, or waited for it until its end. */
export function isPending({ oto }: Pick<SpotOrder, 'oto'>): boolean {
  return oto !== undefined && oto.role === 'pending' && oto.releasedAt === undefined;
}

/** The id that the orders of a list (OCO, OTO or OTOCO) share; empty for an order outside of lists. */
export function listIdOf({ oto, groupId }: Pick<SpotOrder, 'oto' | 'groupId'>): string {
  return oto?.id ?? groupId;
}

/**
 * Whether the order is off the book because it waits for its trigger price or for another order, or is due for
 * execution.
 */
export function isOffBook(order: SpotOrder): boolean {
  return (order.stop !== undefined && order.stop.status !== 'triggered') || isPending(order);
}

/**
 * The amount in the base asset that can still trade: neither filled nor cancelled by self-trade prevention;
 * zero for an order by total.
 */
export function remainingAmount(order: SpotOrder): Decimal {
  if (order.amount === undefined) return Decimal.zero;
  const unfilled = order.amount.minus(order.filledAmount);
  return order.cancelledAmount.isZero() ? unfilled : unfilled.minus(order.cancelledAmount);
}

/**
 * The funds that an order on the book must still hold: price times remaining amount for a buy, the remaining
 * amount for a sell; zero for an order that has ended.
 */
export function neededHold(order: SpotOrder): Decimal {
  if (order.state !== 'open') return Decimal.zero;
  const remaining = remainingAmount(order);
  return order.side === 'sell' ? remaining : order.price!.timesExact(remaining);
}

/** The average fill price, rounded down to the pair's price digits; undefined without fills. */
export function averagePrice({
  filledAmount,
  filledTotal,
  pair,
}: Pick<SpotOrder, 'filledAmount' | 'filledTotal' | 'pair'>): Decimal | undefined {
  if (filledAmount.isZero()) return undefined;
  return filledTotal.over(filledAmount, 'down', pair.priceDigits);
}

/** A copy of every mutable field of the order, for events that are delivered after later changes. */
export function mutableState(order: SpotOrder) {
  const { price, amount, rank, filledAmount, filledTotal, cancelledAmount, fee, held } = order;
  const { state, reason, updatedAt } = order;
  const stop = order.stop === undefined ? undefined : { ...order.stop };
  const exits = order.exits === undefined ? undefined : { ...order.exits };
  const oto = order.oto === undefined ? undefined : { ...order.oto };
  // oxfmt-ignore
  return { price, amount, rank, filledAmount, filledTotal, cancelledAmount, fee, held, state, reason, updatedAt, stop, exits, oto };
}

/** A copy of the order that later changes do not affect. */
export function snapshotOf(order: SpotOrder): SpotOrder {
  return { ...order, ...mutableState(order) };
}

/** A pair with its current trading status. */
export interface ListedForTrading extends ListedPair {
  /** The status for traders: an open pair with a halted coin is `cancelOnly`. */
  readonly status: PairStatus;
  /**
   * The public notice about the pause of the pair or of one of its coins; undefined if the pair is open and none of its
   * coins is halted.
   */
  readonly pause: PublicPause | undefined;
  readonly logo: string;
}

/** A change of a pair's status by an operator or by the system. */
export interface StatusSet {
  readonly sequence: number;
  readonly symbol: string;
  readonly status: PairStatus;
  readonly statusBefore: PairStatus;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}
