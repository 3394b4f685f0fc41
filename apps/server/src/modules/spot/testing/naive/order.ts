import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode, Pair, PairFilters, Side } from '@exchange/core/pair.ts';
import type { ExitsRequest, OrderType, StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { SelfTrade } from '../../../matching/index.ts';

/** A pair with its limits on orders. */
export interface Listed {
  readonly pair: Pair;
  readonly filters: PairFilters;
}

/** An order of the naive exchange, open or ended, with all its data in one flat record. */
export interface NaiveOrder {
  label: string;
  group: string;
  owner: UserId;
  listed: Listed;
  side: Side;
  type: OrderType;
  timeInForce: TimeInForce;
  postOnly: boolean;
  selfTrade: SelfTrade;
  price: Decimal | undefined;
  amount: Decimal | undefined;
  total: Decimal | undefined;
  stopPrice: Decimal | undefined;
  direction: StopDirection | undefined;
  trail: Decimal | undefined;
  /**
   * The activation price of a trailing stop; undefined for a trailing stop that is active from its placement, and for
   * other orders.
   */
  activation: Decimal | undefined;
  activatedAt: Instant | undefined;
  /** The best last price since the activation of a trailing stop; before the activation, the activation price. */
  extreme: Decimal | undefined;
  stopStatus: 'waiting' | 'due' | 'triggered' | undefined;
  triggeredAt: Instant | undefined;
  takeProfit: Decimal | undefined;
  stopLoss: Decimal | undefined;
  stopLossLimit: Decimal | undefined;
  /** The status of this order's take-profit and stop-loss; undefined if the order has none. */
  exitStatus: string | undefined;
  /** The label of the entry order whose take-profit or stop-loss this order is; empty for other orders. */
  entry: string;
  /** The label of the OTO or OTOCO to which the order belongs; empty for other orders. */
  oto: string;
  otoRole: 'working' | 'pending' | undefined;
  /** Whether the order waits for the working order of its list. */
  isPending: boolean;
  releasedAt: Instant | undefined;
  expireAt: Instant | undefined;
  /** Whether the order is on the book; false for waiting and due stops and pending orders. */
  resting: boolean;
  makerRate: Decimal;
  takerRate: Decimal;
  clientId: string;
  rank: number;
  createdAt: Instant;
  updatedAt: Instant;
  filledAmount: Decimal;
  filledTotal: Decimal;
  cancelledAmount: Decimal;
  fee: Decimal;
  held: Decimal;
  state: 'open' | 'filled' | 'cancelled';
  reason: string;
}

export interface NaiveTrade {
  readonly symbol: string;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly total: Decimal;
  readonly takerSide: Side;
  readonly taker: UserId;
  readonly takerOrder: string;
  readonly takerFee: Decimal;
  readonly maker: UserId;
  readonly makerOrder: string;
  readonly makerFee: Decimal;
  readonly valueUsdt: Decimal | undefined;
}

/**
 * An amendment of an order. Either its owner changes the order, or the amount of an OTO's pending order is lowered to
 * the available balance.
 */
export interface NaiveAmendment {
  readonly order: string;
  readonly price: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly stopPrice: Decimal | undefined;
  readonly priceBefore: Decimal | undefined;
  readonly amountBefore: Decimal | undefined;
  readonly stopPriceBefore: Decimal | undefined;
  readonly exits?: ExitsRequest | undefined;
  readonly exitsBefore?: ExitsRequest | undefined;
}

/** Thrown when a rule refuses a command; the exchange then restores the state from before the command. */
export class NaiveRefusal extends Error {
  readonly key: string;

  constructor(key: string) {
    super(key);
    this.key = key;
  }
}

export function refuse(key: string): never {
  throw new NaiveRefusal(key);
}

export function isStop(type: OrderType): boolean {
  return type !== 'limit' && type !== 'market';
}

export function becomes(type: OrderType): 'limit' | 'market' {
  return type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit' ? 'limit' : 'market';
}

/** The amount that is neither filled nor removed by self-trade prevention; zero for an order by total. */
export function remainingOf(order: NaiveOrder): Decimal {
  if (order.amount === undefined) return Decimal.zero;
  return order.amount.minus(order.filledAmount).minus(order.cancelledAmount);
}

export function heldAsset(order: NaiveOrder): AssetCode {
  return order.side === 'buy' ? order.listed.pair.quote : order.listed.pair.base;
}

/**
 * The worst price at which a market order may trade: `marketGuard` from the best price or from the index,
 * whichever is stricter; without an index, from the best price.
 */
export function guardPriceFor(
  { pair, filters }: Listed,
  side: Side,
  best: Decimal,
  index: Decimal | undefined,
): Decimal {
  const bounds = [best, index ?? best].map((price) =>
    side === 'buy'
      ? price.times(Decimal.one.plus(filters.marketGuard), 'down', pair.priceDigits)
      : price.times(Decimal.one.minus(filters.marketGuard), 'up', pair.priceDigits),
  );
  const [lower, upper] = bounds.toSorted((left, right) => left.compare(right));
  return side === 'buy' ? lower! : upper!;
}

/**
 * The trigger price of a trailing stop whose best price is `extreme`, rounded to the pair's price digits
 * towards `extreme`.
 */
export function trailingStopPrice({ pair }: Listed, side: Side, extreme: Decimal, trail: Decimal): Decimal {
  if (side === 'sell') return extreme.times(Decimal.one.minus(trail), 'up', pair.priceDigits);
  return extreme.times(Decimal.one.plus(trail), 'down', pair.priceDigits);
}

/** The funds to hold for `amount` of a stop or limit order. */
export function requiredHold(order: NaiveOrder, amount: Decimal): Decimal {
  if (order.side === 'sell') return amount;
  if (order.total !== undefined) return order.total;
  const price = order.price ?? guardPriceFor(order.listed, 'buy', order.stopPrice!, undefined);
  return price.timesExact(amount);
}

/**
 * Compares two orders of one side for sorting: the better price comes first, among equal prices the earlier
 * order.
 */
export function byPriority(a: NaiveOrder, b: NaiveOrder): number {
  const cheaperFirst = a.price!.compare(b.price!);
  if (cheaperFirst !== 0) return a.side === 'sell' ? cheaperFirst : -cheaperFirst;
  return a.rank - b.rank;
}
