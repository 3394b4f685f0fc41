import { Decimal, DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { crossingProblem, restingProblem, waitingProblem } from '@exchange/core/spot-book-rules.ts';
import { exitsProblem } from '@exchange/core/spot-exits.ts';
import { missingField } from '@exchange/core/spot-fields.ts';
import { ocoProblem, type OcoRequest } from '@exchange/core/spot-oco.ts';
import { orderProblem, type MarketView } from '@exchange/core/spot.ts';
import { instant } from '@exchange/core/time.ts';
import { decimalProblem } from '../form/decimal-text.ts';
import { isStop } from './order-kinds.ts';
import { typedExit } from './ticket-edits.ts';
import { holdOf, oppositeBest, positive } from './ticket-figures.ts';
import { isOrderTicket, requestOf, type OrderTicket } from './ticket-payload.ts';
import { hasExits, ticketFields, type Ticket, type TicketMarket } from './ticket.ts';

/**
 * Returns the first reason for which the order would be refused if placed at `now` (milliseconds UTC);
 * undefined if there is none. Checks the typed numbers, the rules shared with the server, then post-only, the
 * number of open orders and the balance.
 */
export function ticketProblem(ticket: Ticket, market: TicketMarket, now: number): Refusal | undefined {
  const { pair } = market;
  const mistyped = typingProblem(ticket);
  if (mistyped !== undefined) return mistyped;
  const view: MarketView = {
    status: pair.status,
    reference: market.reference,
    best: oppositeBest(ticket.side, market),
    last: market.last,
    now: instant(now),
  };
  const ruleViolation = isOrderTicket(ticket)
    ? orderTicketProblem(ticket, market, view, now)
    : ocoTicketProblem(ticket, market, view);
  return (
    ruleViolation ??
    crossingRefusal(ticket, market) ??
    openOrdersRefusal(ticket, market) ??
    balanceRefusal(ticket, market)
  );
}

/** Names of the inputs of a ticket that contain a decimal. */
export type TicketInput =
  | 'price'
  | 'stopPrice'
  | 'stopLimitPrice'
  | 'trail'
  | 'activation'
  | 'takeProfit'
  | 'stopLoss'
  | 'stopLossLimit'
  | 'amount'
  | 'total';

/** Ticket inputs by the field name that refusals contain. */
const INPUTS: Readonly<Record<string, TicketInput>> = {
  price: 'price',
  limitPrice: 'price',
  stopPrice: 'stopPrice',
  stopLimitPrice: 'stopLimitPrice',
  trailPct: 'trail',
  activationPrice: 'activation',
  takeProfitPrice: 'takeProfit',
  stopLossPrice: 'stopLoss',
  stopLossLimitPrice: 'stopLossLimit',
  amount: 'amount',
  total: 'total',
};

/**
 * Returns the ticket input to which a refusal belongs; undefined when it belongs to none. A refusal of amount
 * or total belongs to the one in which the ticket is sized, if the order type has both inputs.
 */
export function faultyInput(problem: Refusal | undefined, ticket: Ticket): TicketInput | undefined {
  const input = INPUTS[problem?.parameters['field'] ?? ''];
  const isSize = input === 'amount' || input === 'total';
  return isSize && ticketFields(ticket).choosesTotal ? ticket.by : input;
}

/**
 * Returns whether a refusal is about the typed text itself (no number, negative, or too many decimals); such
 * a refusal is shown by the input.
 */
export function isMistyped(problem: Refusal | undefined, ticket: Ticket): boolean {
  if (problem === undefined) return false;
  return problem.key.endsWith('_decimals') || typingProblem(ticket)?.key === problem.key;
}

/**
 * Refuses a text in any shown input of the ticket that is no number, is negative, or has more than `DECIMAL_PLACES`
 * decimals. The rules shared with the server check the decimals of the pair.
 */
function typingProblem(ticket: Ticket): Refusal | undefined {
  const fields = ticketFields(ticket);
  const inputs: readonly (readonly [field: string, text: string, isPresent: boolean])[] = [
    ['price', ticket.price, fields.hasPrice],
    ['stopPrice', ticket.stopPrice, fields.hasStopPrice],
    ['stopLimitPrice', ticket.stopLimitPrice, fields.hasStopLimitPrice],
    ['trailPct', ticket.trail, fields.hasTrail],
    ['activationPrice', ticket.activation, fields.hasTrail],
    ['takeProfitPrice', typedExit(ticket, 'takeProfit'), hasExits(ticket)],
    ['stopLossPrice', typedExit(ticket, 'stopLoss'), hasExits(ticket)],
    ['stopLossLimitPrice', ticket.stopLossLimit, hasExits(ticket)],
    [ticket.by, ticket[ticket.by], true],
  ];
  for (const [field, text, isPresent] of inputs) {
    const problem = isPresent ? decimalProblem(field, text, DECIMAL_PLACES) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function orderTicketProblem(
  ticket: OrderTicket,
  { pair }: TicketMarket,
  view: MarketView,
  now: number,
): Refusal | undefined {
  const request = requestOf(ticket, now);
  return orderProblem(pair, pair.filters, request, view) ?? exitsProblem(pair, pair.filters, request, view);
}

/**
 * Returns the first reason why an OCO ticket would be refused: checks first for missing fields, then the
 * rules shared with the server. Undefined if there is none.
 */
function ocoTicketProblem(ticket: Ticket, { pair }: TicketMarket, view: MarketView): Refusal | undefined {
  const request = ocoRequestOf(ticket);
  return 'key' in request ? request : ocoProblem(pair, pair.filters, request, view);
}

function ocoRequestOf(ticket: Ticket): OcoRequest | Refusal {
  const amount = Decimal.tryParse(ticket.amount);
  const limitPrice = Decimal.tryParse(ticket.price);
  const stopPrice = Decimal.tryParse(ticket.stopPrice);
  if (limitPrice === undefined) return missingField('l.price_required', 'limitPrice');
  if (stopPrice === undefined) return missingField('l.stop_price_required', 'stopPrice');
  if (amount === undefined) return missingField('l.amount_required', 'amount');
  const stopLimitPrice = Decimal.tryParse(ticket.stopLimitPrice);
  return { side: ticket.side, amount, limitPrice, stopPrice, stopLimitPrice };
}

/**
 * Refuses a post-only limit order that would trade immediately. Other orders are not checked here; a post-only stop is
 * checked when it triggers.
 */
export function crossingRefusal(
  { side, type, price, postOnly }: Ticket,
  market: TicketMarket,
): Refusal | undefined {
  const limit = positive(price);
  if (type !== 'limit' || !postOnly || limit === undefined) return undefined;
  return crossingProblem(side, limit, oppositeBest(side, market), 'price');
}

/**
 * Refuses an order that would exceed the pair's maximum number of the user's orders on the book or of the
 * user's waiting orders; undefined while these numbers are unknown. An OCO counts as one order on the book
 * and one waiting order; a market order counts as none.
 */
function openOrdersRefusal({ type }: Ticket, { openOrders, pair }: TicketMarket): Refusal | undefined {
  if (openOrders === undefined) return undefined;
  const rests = type === 'oco' || type === 'limit';
  const waits = type === 'oco' || isStop(type);
  return (
    (rests ? restingProblem(pair.filters, openOrders.resting) : undefined) ??
    (waits ? waitingProblem(pair.filters, openOrders.waiting) : undefined)
  );
}

function balanceRefusal(ticket: Ticket, market: TicketMarket): Refusal | undefined {
  const hold = holdOf(ticket, market);
  if (hold === undefined) return undefined;
  const available = hold.asset === market.pair.base ? market.baseAvailable : market.quoteAvailable;
  return available === undefined
    ? undefined
    : shortOf({ needed: hold.amount, available, asset: hold.asset, field: ticket.by });
}
