import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { AssetCode, Pair, Side } from '@exchange/core/pair.ts';
import type { OrderType, TimeInForce } from '@exchange/core/spot.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { SelfTrade } from '../matching/index.ts';

export type OrderState = 'open' | 'filled' | 'cancelled';

/** Why an order ended before it was filled; empty while it is open or when it was filled. */
export type EndReason =
  '' | 'user' | 'selfTrade' | 'noLiquidity' | 'limitReached' | 'guardReached' | 'totalTooSmall';

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
  readonly price: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly total: Decimal | undefined;
  readonly heldAsset: AssetCode;
  readonly makerRate: Decimal;
  readonly takerRate: Decimal;
  readonly clientId: string;
  readonly rank: number;
  readonly createdAt: Instant;
  filledAmount: Decimal;
  filledTotal: Decimal;
  /** In what the order receives: the base asset for buys, the quote asset for sells. */
  fee: Decimal;
  held: Decimal;
  state: OrderState;
  reason: EndReason;
  updatedAt: Instant;
}

/** The asset an order's fees are taken from: what it receives. */
export function feeAsset(order: Pick<SpotOrder, 'pair' | 'side'>): AssetCode {
  return order.side === 'buy' ? order.pair.base : order.pair.quote;
}

/** What is still to be filled of an order by amount; zero for one by total. */
export function remainingAmount(order: SpotOrder): Decimal {
  return order.amount === undefined ? Decimal.zero : order.amount.minus(order.filledAmount);
}

/** What an open order still needs set aside: for a buy its price × what remains, for a sell what remains. */
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

/** Copies what a fill or an ending changes, so that a refused step can put it back. */
export function mutableState(order: SpotOrder) {
  const { filledAmount, filledTotal, fee, held, state, reason, updatedAt } = order;
  return { filledAmount, filledTotal, fee, held, state, reason, updatedAt };
}
