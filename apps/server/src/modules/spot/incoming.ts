import type { Decimal } from '@exchange/core/decimal.ts';
import { oppositeSide } from '@exchange/core/pair.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { wouldCross } from '@exchange/core/spot-moment.ts';
import { becomes } from '@exchange/core/stop.ts';
import type { IncomingOrder, OrderBook, Reason } from '../matching/index.ts';
import type { SpotMarket } from './exchange-state.ts';
import { remainingAmount, type SpotOrder } from './order-domain.ts';
import { amountOf, lotsOf, priceOf, ticksOf, totalUnitsOf } from './scale.ts';

/** The order as the book takes it. For the book an order that expires is one that is good till cancelled. */
export function incomingOf(order: SpotOrder, guard: Decimal | undefined): IncomingOrder {
  const { pair, total, timeInForce } = order;
  const isLimit = becomes(order.type) === 'limit';
  return {
    id: order.id,
    owner: order.owner,
    side: order.side,
    price: isLimit ? ticksOf(pair, order.price!) : null,
    amount: order.amount === undefined ? null : lotsOf(pair, remainingAmount(order)),
    total: total === undefined ? undefined : totalUnitsOf(pair, total),
    timeInForce: timeInForce === 'GTT' ? 'GTC' : timeInForce,
    postOnly: order.postOnly,
    selfTrade: order.selfTrade,
    guardPrice: guard === undefined ? undefined : ticksOf(pair, guard),
  };
}

/** As `incomingOf`, after everything that would make the book reject the order has been refused. */
export function checkedIncoming(
  { book }: SpotMarket,
  order: SpotOrder,
  guard: Decimal | undefined,
): IncomingOrder {
  const incoming = incomingOf(order, guard);
  const needsQuote = order.postOnly || order.timeInForce === 'FOK' || order.total !== undefined;
  if (!needsQuote) return incoming;
  const quote = book.quote(incoming);
  if (quote.outcome === 'rejected') throw new Refused(rejection(quote.reason));
  if (order.total !== undefined && quote.filledAmount === 0n)
    throw new Refused(fillsNothing(book, order, quote.reason));
  // A sale by total sets aside what it will sell now, and can sell no more than that.
  return order.side === 'sell' && order.total !== undefined
    ? { ...incoming, amount: quote.filledAmount + quote.decremented }
    : incoming;
}

/** The refusal for an order that the book rejected. */
export function rejection(reason: Reason | null): Refusal {
  if (reason === 'wouldCross') return wouldCross();
  if (reason === 'selfTrade') return refusal('generic', 'l.self_trade');
  return refusal('generic', 'l.fok_unfilled');
}

/** Why an order by total would not trade at all. */
function fillsNothing(book: OrderBook, order: SpotOrder, reason: Reason | null): Refusal {
  if (reason === 'selfTrade') return refusal('generic', 'l.self_trade');
  const best = book.best(oppositeSide(order.side));
  if (reason !== 'totalTooSmall' || best === null || order.total === undefined)
    return refusal('closed', 'l.no_liquidity');
  const limit = priceOf(order.pair, best.price).timesExact(amountOf(order.pair, 1n)).toString();
  const value = order.total.toString();
  return refusal('belowMinimum', 'l.total_min', { field: 'total', unit: order.pair.quote, limit, value });
}
