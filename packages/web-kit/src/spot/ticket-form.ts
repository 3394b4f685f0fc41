import { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import type { Pair, PairFilters, PairStatus, Side } from '@exchange/core/pair.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import {
  guardPrice,
  holdFor,
  orderProblem,
  type MarketView,
  type OrderRequest,
  type OrderType,
  type TimeInForce,
} from '@exchange/core/spot.ts';
import type { createOrder } from '@exchange/wire/spot.ts';
import type { CallFields } from '../api/client.ts';

/** What a person has typed into the ticket. Texts are plain decimals or empty. */
export interface Ticket {
  readonly side: Side;
  readonly type: OrderType;
  readonly price: string;
  readonly amount: string;
  readonly total: string;
  /** The one of the two that was typed last; the other follows from it where a price is known. */
  readonly by: 'amount' | 'total';
  readonly postOnly: boolean;
  /** Of limit orders; market orders are always immediate or cancelled. */
  readonly timeInForce: TimeInForce;
}

/** What the ticket knows of the pair. */
export interface TicketPair extends Pair {
  readonly filters: PairFilters;
  readonly status: PairStatus;
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
}

/** What the ticket knows of the moment. */
export interface TicketMoment {
  readonly pair: TicketPair;
  readonly bestBid?: Decimal | undefined;
  readonly bestAsk?: Decimal | undefined;
  /** The index, or the last trade where there is no index. */
  readonly reference?: Decimal | undefined;
  /** Undefined while nobody is signed in or balances are not known yet. */
  readonly baseAvailable?: Decimal | undefined;
  readonly quoteAvailable?: Decimal | undefined;
}

/** The whole consequence of an order, as far as it is known before it is placed. */
export interface TicketSummary {
  /** Price × amount, or the total typed; at the best price for market orders. */
  readonly total: Decimal | undefined;
  readonly amount: Decimal | undefined;
  /** Taken from what is received, in `receivedCoin`. */
  readonly fee: Decimal | undefined;
  readonly feeRate: Decimal;
  readonly received: Decimal | undefined;
  readonly receivedCoin: string;
  /** What is available for spending, in `spentCoin`. */
  readonly available: Decimal | undefined;
  readonly spentCoin: string;
  /** The most that could be ordered, in the base coin. */
  readonly maxAmount: Decimal | undefined;
  /** Whether price and amount are estimates at the best price. */
  readonly isEstimate: boolean;
}

export type OrderPayload = CallFields<typeof createOrder>;

/** Totals are shown and computed to at most this many decimals. */
const TOTAL_DIGITS = 8;

/** An empty ticket; a limit ticket may start at a price. */
export function initialTicket(side: Side, type: OrderType = 'limit', price = ''): Ticket {
  return { side, type, price, amount: '', total: '', by: 'amount', postOnly: false, timeInForce: 'GTC' };
}

/** The ticket with another price; what was typed last of amount and total stays, the other follows. */
export function withPrice(ticket: Ticket, price: string, moment: TicketMoment): Ticket {
  return followed({ ...ticket, price }, moment);
}

export function withAmount(ticket: Ticket, amount: string, moment: TicketMoment): Ticket {
  return followed({ ...ticket, amount, by: 'amount' }, moment);
}

export function withTotal(ticket: Ticket, total: string, moment: TicketMoment): Ticket {
  return followed({ ...ticket, total, by: 'total' }, moment);
}

/** The ticket with this whole percentage of what is available; empty while that is unknown. */
export function withPercent(ticket: Ticket, percent: number, moment: TicketMoment): Ticket {
  const { pair } = moment;
  const fraction = Decimal.ofScaled(BigInt(Math.round(percent)), 2);
  if (ticket.type === 'market' && ticket.side === 'buy' && ticket.by === 'total') {
    const total = moment.quoteAvailable?.times(fraction, 'down', totalDigits(pair));
    return withTotal(ticket, textOf(total), moment);
  }
  const most = maxAmountOf(ticket, moment);
  return withAmount(ticket, textOf(most?.times(fraction, 'down', pair.amountDigits)), moment);
}

/** What the order would do: total, fee, what is received, what is available, the most that could be ordered. */
export function summarise(ticket: Ticket, moment: TicketMoment): TicketSummary {
  const { pair } = moment;
  const price = workingPrice(ticket, moment);
  const typedTotal = ticket.by === 'total' ? parsed(ticket.total) : undefined;
  const amount =
    ticket.type === 'market' && typedTotal !== undefined
      ? amountFor(typedTotal, price, pair)
      : parsed(ticket.amount);
  const total = ticket.type === 'market' && typedTotal !== undefined ? typedTotal : totalFor(amount, price);
  const isBuy = ticket.side === 'buy';
  const gross = isBuy ? amount : total;
  const feeRate = isTaker(ticket, moment) ? pair.takerFee : pair.makerFee;
  const fee = gross === undefined ? undefined : feeOn(gross, feeRate);
  return {
    total,
    amount,
    fee,
    feeRate,
    received: fee === undefined ? undefined : gross?.minus(fee),
    receivedCoin: isBuy ? pair.base : pair.quote,
    available: isBuy ? moment.quoteAvailable : moment.baseAvailable,
    spentCoin: isBuy ? pair.quote : pair.base,
    maxAmount: maxAmountOf(ticket, moment),
    isEstimate: ticket.type === 'market',
  };
}

/** The first reason why the order would be refused: the server's own checks, then the balance. */
export function ticketProblem(ticket: Ticket, moment: TicketMoment): Refusal | undefined {
  const { pair } = moment;
  const request = requestOf(ticket);
  const best = oppositeBest(ticket, moment);
  const view: MarketView = { status: pair.status, reference: moment.reference, best };
  const problem = orderProblem(pair, pair.filters, request, view);
  if (problem !== undefined) return problem;
  const guard = best === undefined ? undefined : guardPrice(pair, pair.filters, ticket.side, best);
  const hold = holdFor(pair, request, guard);
  const available = hold.asset === pair.base ? moment.baseAvailable : moment.quoteAvailable;
  // A market sale by total holds what it takes, which only the server's book can tell.
  if (available === undefined || !hold.amount.isMore(available)) return undefined;
  return refusal('insufficientBalance', 'l.insufficient_balance', {
    field: ticket.by,
    limit: available.toString(),
    value: hold.amount.toString(),
    unit: hold.asset,
  });
}

/** The fields of the call that places the order. */
export function payloadOf(ticket: Ticket, pair: TicketPair): OrderPayload {
  const request = requestOf(ticket);
  return {
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: request.side === 'buy' ? '1' : '2',
    orderType: request.type,
    price: request.price ?? null,
    amount: request.amount ?? null,
    total: request.total ?? null,
    timeInForce: request.timeInForce,
    postOnly: request.postOnly ? '1' : null,
  };
}

/** The ticket after its order was placed: prices and choices stay, amounts are cleared. */
export function afterPlacing(ticket: Ticket): Ticket {
  return { ...ticket, amount: '', total: '' };
}

function requestOf(ticket: Ticket): OrderRequest {
  const isLimit = ticket.type === 'limit';
  const byTotal = !isLimit && ticket.by === 'total';
  const price = parsed(ticket.price);
  const amount = parsed(ticket.amount);
  const total = parsed(ticket.total);
  return {
    side: ticket.side,
    type: ticket.type,
    ...(isLimit && price !== undefined ? { price } : {}),
    ...(!byTotal && amount !== undefined ? { amount } : {}),
    ...(byTotal && total !== undefined ? { total } : {}),
    timeInForce: isLimit ? ticket.timeInForce : 'IOC',
    postOnly: isLimit && ticket.postOnly,
  };
}

/** Amount from total or total from amount, whichever was not typed. */
function followed(ticket: Ticket, moment: TicketMoment): Ticket {
  const price = workingPrice(ticket, moment);
  if (ticket.by === 'total') {
    return { ...ticket, amount: textOf(amountFor(parsed(ticket.total), price, moment.pair)) };
  }
  return { ...ticket, total: textOf(totalFor(parsed(ticket.amount), price)) };
}

function amountFor(total: Decimal | undefined, price: Decimal | undefined, pair: Pair): Decimal | undefined {
  if (total === undefined || price === undefined) return undefined;
  return total.over(price, 'down', pair.amountDigits);
}

function totalFor(amount: Decimal | undefined, price: Decimal | undefined): Decimal | undefined {
  return amount === undefined || price === undefined ? undefined : amount.times(price, 'down');
}

/** The typed price; for market orders the best opposite one. */
function workingPrice(ticket: Ticket, moment: TicketMoment): Decimal | undefined {
  const price = ticket.type === 'market' ? oppositeBest(ticket, moment) : parsed(ticket.price);
  return price?.isPositive() ? price : undefined;
}

function oppositeBest(ticket: Ticket, moment: TicketMoment): Decimal | undefined {
  return ticket.side === 'buy' ? moment.bestAsk : moment.bestBid;
}

function isTaker(ticket: Ticket, moment: TicketMoment): boolean {
  if (ticket.type === 'market') return true;
  const price = parsed(ticket.price);
  const best = oppositeBest(ticket, moment);
  if (ticket.postOnly || price === undefined || best === undefined) return false;
  return ticket.side === 'buy' ? !price.isLess(best) : !price.isMore(best);
}

function maxAmountOf(ticket: Ticket, moment: TicketMoment): Decimal | undefined {
  const { pair } = moment;
  if (ticket.side === 'sell') return moment.baseAvailable?.rounded(pair.amountDigits, 'down');
  const best = moment.bestAsk;
  const guard = best === undefined ? undefined : guardPrice(pair, pair.filters, 'buy', best);
  const price = ticket.type === 'market' ? guard : parsed(ticket.price);
  if (price === undefined || !price.isPositive()) return undefined;
  return moment.quoteAvailable?.over(price, 'down', pair.amountDigits);
}

function totalDigits(pair: Pair): number {
  return Math.min(TOTAL_DIGITS, pair.priceDigits + pair.amountDigits);
}

function parsed(text: string): Decimal | undefined {
  return Decimal.tryParse(text);
}

function textOf(value: Decimal | undefined): string {
  return value === undefined || !value.isPositive() ? '' : value.toString();
}
