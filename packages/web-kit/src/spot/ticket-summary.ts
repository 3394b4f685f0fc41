import type { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { StopDirection } from '@exchange/core/spot.ts';
import {
  amountFor,
  directionOf,
  holdOf,
  isByTotal,
  maxAmountOf,
  numberOf,
  oppositeBest,
  positive,
  stopPriceOf,
  totalFor,
  workingPrice,
} from './ticket-figures.ts';
import { ticketFields, type Ticket, type TicketMarket } from './ticket.ts';

/**
 * Figures of a ticket's order, calculated before the order is placed. A figure is undefined while a typed value, a
 * price or a balance from which it is calculated is missing.
 */
export interface TicketSummary {
  readonly side: Side;
  /**
   * Total in the quote coin: the typed total, or price × amount. Without a limit price, the price is the best opposite
   * price or the trigger price.
   */
  readonly total: Decimal | undefined;
  readonly amount: Decimal | undefined;
  /** Expected fee rate as a fraction; `role` is whether the order would be maker or taker. */
  readonly feeRate: Decimal;
  readonly role: 'maker' | 'taker';
  /** Expected fee, in the coin that the user receives; deducted from the received amount. */
  readonly fee: Decimal | undefined;
  readonly received: Decimal | undefined;
  readonly receivedCoin: string;
  /** Available balance of the user in `spentCoin`. */
  readonly available: Decimal | undefined;
  /**
   * Amount in `spentCoin` that the order reserves until it is filled or ends; undefined while unknown, and
   * for a sell order by total, for which the amount depends on the book.
   */
  readonly held: Decimal | undefined;
  readonly spentCoin: string;
  /** Maximum amount of the order, in the base coin, for which the available balance suffices. */
  readonly maxAmount: Decimal | undefined;
  /**
   * True for an order without a limit price: its price, and the amount or total calculated from the price, are then
   * estimates.
   */
  readonly isEstimate: boolean;
  /**
   * Trigger price and direction of the order; undefined for an order without a trigger, and while the trigger price is
   * unknown.
   */
  readonly trigger: { readonly price: Decimal; readonly direction: StopDirection } | undefined;
}

/** Calculates the figures of a ticket's order from its inputs and the current market and account data. */
export function summarise(ticket: Ticket, market: TicketMarket): TicketSummary {
  const { pair } = market;
  const price = workingPrice(ticket, market);
  const typedTotal = isByTotal(ticket) ? numberOf(ticket.total) : undefined;
  const amount = typedTotal === undefined ? numberOf(ticket.amount) : amountFor(typedTotal, price, pair);
  const total = typedTotal ?? totalFor(amount, price);
  const isBuy = ticket.side === 'buy';
  const gross = isBuy ? amount : total;
  const role = isTaker(ticket, market) ? 'taker' : 'maker';
  const feeRate = role === 'taker' ? pair.takerFee : pair.makerFee;
  const triggerPrice = stopPriceOf(ticket, market);
  return {
    side: ticket.side,
    total,
    amount,
    feeRate,
    role,
    ...afterFee(gross, feeRate),
    receivedCoin: isBuy ? pair.base : pair.quote,
    available: isBuy ? market.quoteAvailable : market.baseAvailable,
    held: holdOf(ticket, market)?.amount,
    spentCoin: isBuy ? pair.quote : pair.base,
    maxAmount: maxAmountOf(ticket, market),
    isEstimate: !ticketFields(ticket).hasPrice,
    trigger: triggerPrice === undefined ? undefined : { price: triggerPrice, direction: directionOf(ticket) },
  };
}

function afterFee(gross: Decimal | undefined, rate: Decimal): Pick<TicketSummary, 'fee' | 'received'> {
  if (gross === undefined) return { fee: undefined, received: undefined };
  const fee = feeOn(gross, rate);
  return { fee, received: gross.minus(fee) };
}

/**
 * Returns whether the order would be a taker: an order without a limit price always is, an OCO or post-only
 * order never, a limit order if its price reaches the best opposite price. The limit price of an order with a
 * trigger is compared with the trigger price, because the market price will be there when it triggers.
 */
function isTaker(ticket: Ticket, market: TicketMarket): boolean {
  if (ticket.type === 'oco') return false;
  if (!ticketFields(ticket).hasPrice) return true;
  const price = positive(ticket.price);
  const comparedPrice =
    ticket.type === 'limit' ? oppositeBest(ticket.side, market) : stopPriceOf(ticket, market);
  if (ticket.postOnly || price === undefined || comparedPrice === undefined) return false;
  return ticket.side === 'buy' ? !price.isLess(comparedPrice) : !price.isMore(comparedPrice);
}
