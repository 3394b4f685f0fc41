import { type Cost, afterSale, averageCost, openProfit } from '@exchange/core/cost.ts';
import { Decimal, least } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import type { LineField } from '../chart/price-lines.ts';
import { amendableExits, entryAfter } from './amend-exits.ts';
import { exitResults } from './exit-words.ts';
import type { Order } from './shapes.ts';
import { numberOf } from './ticket-figures.ts';
import type { TicketPair } from './ticket.ts';

/** What coins cost is known in this coin only: results of pairs with another quote coin are not. */
const COST_COIN = 'USDT';

/** What is known of the own coins of a pair. */
interface Own {
  readonly pair: TicketPair;
  /** Cost of the base coin; undefined where none was bought. */
  readonly cost: Cost | undefined;
}

/**
 * What an order would earn, in the quote coin after fees, if the rest of it were filled with one of its prices changed to
 * `price`: a sale by the average cost of the coins, an exit by what the order pays or brings. Undefined for a buy itself, and
 * where prices, amounts or costs are not known.
 */
export function resultAt(
  order: Order,
  { field, price }: { readonly field: LineField; readonly price: string },
  own: Own,
): Decimal | undefined {
  if (field === 'takeProfitPrice' || field === 'stopLossPrice')
    return amendableExits(order).includes(field) ? exitResult(order, { field, price }, own) : undefined;
  if (order.tradeType === 1 || order.amount === '') return undefined;
  // A stop that becomes a limit order sells at that limit, wherever it triggers.
  const sellsAt = numberOf(field === 'price' || order.price === '' ? price : order.price);
  return sellsAt && saleResult(openOf(order), sellsAt, { order, own });
}

function exitResult(
  order: Order,
  { field, price }: { readonly field: 'takeProfitPrice' | 'stopLossPrice'; readonly price: string },
  { pair }: Own,
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
  { order, own: { pair, cost } }: { readonly order: Order; readonly own: Own },
): Decimal | undefined {
  if (cost === undefined || cost.amount.isZero() || pair.quote !== COST_COIN) return undefined;
  const earned = price.timesExact(amount);
  const isMaker = order.orderType === 'limit' && order.stopStatus !== 'waiting';
  const received = earned.minus(feeOn(earned, isMaker ? pair.makerFee : pair.takerFee));
  return afterSale({ ...cost, uncosted: Decimal.zero }, amount, received).realized.minus(cost.realized);
}

/** What of the amount is open, in the base coin: neither filled nor taken off. */
function openOf({ amount, filledAmount, cancelledAmount }: Order): Decimal {
  return Decimal.parse(amount).minus(Decimal.parse(filledAmount)).minus(Decimal.parse(cancelledAmount));
}

/** Own coins of a pair that were bought and are still there. */
interface Position {
  /** In the base coin. */
  readonly amount: Decimal;
  /** In the quote coin, fees included. */
  readonly averagePrice: Decimal;
  /** What selling all of them at `price` would earn, in the quote coin before fees. */
  readonly profit: Decimal;
}

/** Less than this, in the quote coin, is a remainder and no position. */
const LEAST_WORTH = Decimal.one;

/** The position in the base coin, of which `held` are there, valued at `price`; undefined where it is none or not known. */
export function positionOf({ pair, cost }: Own, held: Decimal, price: Decimal): Position | undefined {
  if (cost === undefined || pair.quote !== COST_COIN) return undefined;
  const amount = least(held, cost.amount);
  const average = averageCost(cost);
  const open = openProfit(cost, held, price);
  if (average === undefined || open === undefined || amount.times(price, 'down').isLess(LEAST_WORTH))
    return undefined;
  return { amount, averagePrice: average.rounded(pair.priceDigits, 'up'), profit: open.profit };
}
