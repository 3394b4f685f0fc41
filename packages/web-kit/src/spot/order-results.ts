import { type Cost, afterSale, averageCost, openProfit } from '@exchange/core/cost.ts';
import { Decimal, least } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import type { LineField } from '../chart/price-lines.ts';
import { amendableExits, entryAfter } from './amend-exits.ts';
import { exitResults } from './exit-words.ts';
import type { Order } from './shapes.ts';
import { numberOf } from './ticket-figures.ts';
import type { TicketPair } from './ticket.ts';

/**
 * The only coin in which the server reports purchase costs; positions and results of sell orders are therefore shown
 * only for pairs with this quote coin.
 */
const COST_COIN = 'USDT';

/** A pair, and the purchase cost of the user's coins of its base coin. */
interface Holding {
  readonly pair: TicketPair;
  /** Purchase cost; undefined until loaded, and when the user has never bought the coin. */
  readonly cost: Cost | undefined;
}

/**
 * Returns the estimated profit of an order in the quote coin, after fees, if its open part were filled with
 * its `field` changed to `price`. A sell order is compared with the average purchase cost of the coins, a
 * take-profit or stop-loss with its entry order. Undefined for buy orders themselves, for sell orders sized
 * by total or with another quote coin than `COST_COIN`, and while prices, amounts or costs are unknown.
 */
export function resultAt(
  order: Order,
  { field, price }: { readonly field: LineField; readonly price: string },
  holding: Holding,
): Decimal | undefined {
  if (field === 'takeProfitPrice' || field === 'stopLossPrice')
    return amendableExits(order).includes(field) ? exitResult(order, { field, price }, holding) : undefined;
  if (order.tradeType === 1 || order.amount === '') return undefined;
  // A stop-limit order sells at its limit price, so a change of its trigger does not change its result.
  const sellsAt = numberOf(field === 'price' || order.price === '' ? price : order.price);
  return sellsAt && saleResult(openOf(order), sellsAt, { order, holding });
}

function exitResult(
  order: Order,
  { field, price }: { readonly field: 'takeProfitPrice' | 'stopLossPrice'; readonly price: string },
  { pair }: Holding,
): Decimal | undefined {
  const remaining = openOf(order);
  const total = numberOf(order.price)?.times(remaining, 'up');
  const exits = {
    takeProfit: field === 'takeProfitPrice' ? price : (order.takeProfitPrice ?? ''),
    stopLoss: field === 'stopLossPrice' ? price : (order.stopLossPrice ?? ''),
    stopLossLimit: order.stopLossLimitPrice ?? '',
  };
  const results = exitResults(exits, entryAfter(order, { remaining, total, takes: false }, pair), pair);
  return field === 'takeProfitPrice' ? results.takeProfit : results.stopLoss;
}

function saleResult(
  amount: Decimal,
  price: Decimal,
  { order, holding: { pair, cost } }: { readonly order: Order; readonly holding: Holding },
): Decimal | undefined {
  if (cost === undefined || cost.amount.isZero() || pair.quote !== COST_COIN) return undefined;
  const earned = price.timesExact(amount);
  const isMaker = order.orderType === 'limit' && order.stopStatus !== 'waiting';
  const received = earned.minus(feeOn(earned, isMaker ? pair.makerFee : pair.takerFee));
  return afterSale({ ...cost, uncosted: Decimal.zero }, amount, received).realized.minus(cost.realized);
}

/** Returns the amount of an order that is neither filled nor cancelled, in the base coin. */
function openOf({ amount, filledAmount, cancelledAmount }: Order): Decimal {
  return Decimal.parse(amount).minus(Decimal.parse(filledAmount)).minus(Decimal.parse(cancelledAmount));
}

/** The user's coins of a pair's base coin that the user has bought and not yet sold. */
interface Position {
  readonly amount: Decimal;
  /** Average purchase price of the coins in the quote coin, including fees. */
  readonly averagePrice: Decimal;
  /**
   * Profit of selling everything at the `price` passed to `positionOf`, in the quote coin, after the taker
   * fee of the sale.
   */
  readonly profit: Decimal;
}

/** Minimum value of a position, in the quote coin, from which it is shown. */
const LEAST_WORTH = Decimal.one;

/**
 * Returns the user's position in a pair's base coin, for a balance of `held` coins, valued at `price`.
 * Undefined when the position is empty, below the minimum value or of unknown cost, and for a pair with
 * another quote coin than `COST_COIN`.
 */
export function positionOf({ pair, cost }: Holding, held: Decimal, price: Decimal): Position | undefined {
  if (cost === undefined || pair.quote !== COST_COIN) return undefined;
  const amount = least(held, cost.amount);
  const average = averageCost(cost);
  const open = openProfit(cost, held, { price, sellingFee: pair.takerFee });
  if (average === undefined || open === undefined || amount.times(price, 'down').isLess(LEAST_WORTH))
    return undefined;
  return { amount, averagePrice: average.rounded(pair.priceDigits, 'up'), profit: open.profit };
}
