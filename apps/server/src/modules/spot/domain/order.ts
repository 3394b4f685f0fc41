import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { AssetCode, Pair, PairStatus, Side } from '@exchange/core/pair.ts';
import type { ExitsRequest, OrderType, StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { ListedPair } from '../../assets/index.ts';
import type { SelfTrade } from '../../matching/index.ts';

export type OrderState = 'open' | 'filled' | 'cancelled';

/** Why an order ended before it was filled; empty while it is open or when it was filled. */
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
  | 'wouldCross'
  | 'fokUnfilled'
  | 'pairHalted';

/** `waiting` for its price; `due`: the price was there and it executes next; `triggered`: it has executed. */
export type StopStatus = 'waiting' | 'due' | 'triggered';

/** What makes an order wait. */
export interface Stop {
  readonly direction: StopDirection;
  /** A trailing stop's distance from its extreme, as a fraction. */
  readonly trail: Decimal | undefined;
  /** Where it triggers; a trailing stop's moves with its extreme. */
  price: Decimal;
  /** Of a trailing stop: the best last price since it is active; until then, where it becomes active. */
  extreme: Decimal | undefined;
  /** Where a trailing stop becomes active; undefined for one that follows from the start. */
  readonly activation: Decimal | undefined;
  /** When it became so. */
  activatedAt: Instant | undefined;
  status: StopStatus;
  triggeredAt: Instant | undefined;
  /** The last trade that `price` accounts for; of a due stop, the trade that met it. */
  tradeSequence: number;
}

/** What sells again what a buy has bought. See `EXIT_STATUSES` of the wire for the words of `status`. */
export interface Exits extends ExitsRequest {
  status: ExitStatus;
}

export type ExitStatus =
  | ('waiting' | 'placed' | 'unfilled')
  | ('balanceShort' | 'tooSmall' | 'tooMany' | 'pairClosed' | 'noLiquidity');

/** An order as the service keeps it. What is fixed at entry is read-only; the rest moves with its fills. */
export interface SpotOrder {
  readonly id: OrderId;
  readonly owner: UserId;
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
  readonly createdAt: Instant;
  /** The step that placed it, 0 once it was read back: in that step it is stored whole, later only what changes. */
  readonly bornIn: number;
  /** Present in every order that waits, or once waited, for a price. */
  readonly stop: Stop | undefined;
  /** When a GTT order ends by itself. */
  readonly expireAt: Instant | undefined;
  /** The same for both legs of an OCO; else empty. */
  readonly groupId: string;
  /** The order whose exit this is; else empty. */
  readonly entryId: string;
  price: Decimal | undefined;
  amount: Decimal | undefined;
  /** The place in time priority: the step that put it where it is. */
  rank: number;
  exits: Exits | undefined;
  filledAmount: Decimal;
  filledTotal: Decimal;
  /** What `decrement` took off without a trade, in the base asset. */
  cancelledAmount: Decimal;
  /** In what the order receives: the base asset for buys, the quote asset for sells. */
  fee: Decimal;
  held: Decimal;
  state: OrderState;
  reason: EndReason;
  updatedAt: Instant;
}

/** A change of an open order by its owner. */
export interface Amended {
  readonly orderId: OrderId;
  readonly at: Instant;
  /** The step that made it: orders the changes of one order. */
  readonly sequence: number;
  /** Undefined for what the order does not have. */
  readonly price: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly stopPrice: Decimal | undefined;
  readonly exits: ExitsRequest | undefined;
  readonly priceBefore: Decimal | undefined;
  readonly amountBefore: Decimal | undefined;
  readonly stopPriceBefore: Decimal | undefined;
  readonly exitsBefore: ExitsRequest | undefined;
}

/** The asset an order's fees are taken from: what it receives. */
export function feeAsset(order: Pick<SpotOrder, 'pair' | 'side'>): AssetCode {
  return order.side === 'buy' ? order.pair.base : order.pair.quote;
}

/** Whether a trailing stop does not follow the market yet. */
export function isDormant({ activation, activatedAt }: Stop): boolean {
  return activation !== undefined && activatedAt === undefined;
}

/** Whether the order waits for a price, or for its turn after the price was there: it is not on the book. */
export function isOffBook(order: SpotOrder): boolean {
  return order.stop !== undefined && order.stop.status !== 'triggered';
}

/** What is still to be filled of an order by amount; zero for one by total. */
export function remainingAmount(order: SpotOrder): Decimal {
  if (order.amount === undefined) return Decimal.zero;
  const unfilled = order.amount.minus(order.filledAmount);
  return order.cancelledAmount.isZero() ? unfilled : unfilled.minus(order.cancelledAmount);
}

/** What an order on the book still needs set aside: for a buy its price × what remains, for a sell what remains. */
export function neededHold(order: SpotOrder): Decimal {
  if (order.state !== 'open') return Decimal.zero;
  const remaining = remainingAmount(order);
  return order.side === 'sell' ? remaining : order.price!.timesExact(remaining);
}

/** The average price of the fills, cut to the pair's digits; undefined without fills. */
export function averagePrice(order: SpotOrder): Decimal | undefined {
  if (order.filledAmount.isZero()) return undefined;
  return order.filledTotal.over(order.filledAmount, 'down', order.pair.priceDigits);
}

/** A copy of everything that can change in an order, so that a follower sees it as it was. */
export function mutableState(order: SpotOrder) {
  const { price, amount, rank, filledAmount, filledTotal, cancelledAmount, fee, held } = order;
  const { state, reason, updatedAt } = order;
  const stop = order.stop === undefined ? undefined : { ...order.stop };
  const exits = order.exits === undefined ? undefined : { ...order.exits };
  // oxfmt-ignore
  return { price, amount, rank, filledAmount, filledTotal, cancelledAmount, fee, held, state, reason, updatedAt, stop, exits };
}

/** A pair as it can be traded now. */
export interface ListedForTrading extends ListedPair {
  readonly status: PairStatus;
  readonly logo: string;
}

/** A pair's status as somebody set it. */
export interface StatusSet {
  readonly sequence: number;
  readonly symbol: string;
  readonly status: PairStatus;
  readonly statusBefore: PairStatus;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}
