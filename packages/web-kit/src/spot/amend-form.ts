import { Decimal, DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { amendProblem } from '@exchange/core/spot-amend.ts';
import { crosses, wouldCross } from '@exchange/core/spot-moment.ts';
import { lacking } from '@exchange/core/spot-shape.ts';
import { ORDER_STATUS, type amendOrder } from '@exchange/wire/spot.ts';
import type { CallFields } from '../api/client.ts';
import type { Order } from './shapes.ts';
import { decimalProblem } from '../form/decimal-text.ts';
import { numberOf, oppositeBest } from './ticket-figures.ts';
import type { TicketMoment } from './ticket.ts';

/** What a person has typed to change an order; the amount includes what is filled. */
export interface AmendForm {
  readonly price: string;
  readonly amount: string;
}

export type AmendPayload = CallFields<typeof amendOrder>;

/** What the change would do. */
export interface AmendSummary {
  /** What is open now, in the base coin: neither filled nor taken off. */
  readonly remainingBefore: Decimal;
  /** What would still be open, in the base coin. */
  readonly remaining: Decimal | undefined;
  /** Of the remaining part at the new price, in the quote coin. */
  readonly total: Decimal | undefined;
  /** What is set aside now and after, in `heldCoin`; the difference is positive where more is taken. */
  readonly heldBefore: Decimal;
  readonly heldAfter: Decimal | undefined;
  readonly difference: Decimal | undefined;
  readonly heldCoin: string;
  /** Whether the order keeps its place in the queue: only where the amount falls and the price stays. */
  readonly keepsPlace: boolean;
  /** Whether it would trade at once at its new price. */
  readonly takes: boolean;
}

/** Whether an order can be amended at all: a limit order on the book that is not a leg of an OCO. */
export function canAmend(order: Order): boolean {
  const isOpen = order.status === ORDER_STATUS.open || order.status === ORDER_STATUS.partlyFilled;
  const rests = order.price !== '' && order.stopStatus !== 'waiting';
  return isOpen && rests && order.orderType !== 'market' && order.groupId === '';
}

/** The form as the order is. */
export function initialAmend(order: Order): AmendForm {
  return { price: order.price, amount: order.amount };
}

/** What the change would do to the rest of the order, to what is set aside and to its place. */
export function summariseAmend(form: AmendForm, order: Order, moment: TicketMoment): AmendSummary {
  const { pair } = moment;
  const isBuy = order.tradeType === 1;
  const before = Decimal.parse(order.amount).minus(doneOf(order));
  const priceBefore = Decimal.parse(order.price);
  const price = numberOf(form.price);
  const amount = numberOf(form.amount);
  const remaining = amount?.minus(doneOf(order));
  const total = price === undefined ? undefined : remaining?.times(price, 'up');
  const heldBefore = isBuy ? before.times(priceBefore, 'up') : before;
  const heldAfter = isBuy ? total : remaining;
  const best = oppositeBest(isBuy ? 'buy' : 'sell', moment);
  return {
    remainingBefore: before,
    remaining,
    total,
    heldBefore,
    heldAfter,
    difference: heldAfter?.minus(heldBefore),
    heldCoin: isBuy ? pair.quote : pair.base,
    keepsPlace: price?.equals(priceBefore) === true && amount?.isLess(Decimal.parse(order.amount)) === true,
    takes: price !== undefined && best !== undefined && crosses(isBuy ? 'buy' : 'sell', price, best),
  };
}

/** The first reason why the change would be refused: the server's own checks, then what only the moment can tell. */
export function amendFormProblem(form: AmendForm, order: Order, moment: TicketMoment): Refusal | undefined {
  const { pair } = moment;
  if (!canAmend(order)) return refusal('generic', 'l.amend_type');
  const mistyped =
    decimalProblem('price', form.price, DECIMAL_PLACES) ??
    decimalProblem('amount', form.amount, DECIMAL_PLACES);
  if (mistyped !== undefined) return mistyped;
  const price = Decimal.tryParse(form.price);
  const amount = Decimal.tryParse(form.amount);
  if (price === undefined) return lacking('l.price_required', 'price');
  if (amount === undefined) return lacking('l.amount_required', 'amount');
  const now = {
    price: Decimal.parse(order.price),
    amount: Decimal.parse(order.amount),
    done: doneOf(order),
  };
  const view = { status: pair.status, reference: moment.reference };
  return amendProblem(pair, pair.filters, now, { price, amount }, view) ?? momentProblem(form, order, moment);
}

/** What is added must be there, and a post-only order may not trade at its new price. */
function momentProblem(form: AmendForm, order: Order, moment: TicketMoment): Refusal | undefined {
  const { difference, heldCoin, takes } = summariseAmend(form, order, moment);
  if (order.postOnly === 1 && takes) return wouldCross('price');
  const available = order.tradeType === 1 ? moment.quoteAvailable : moment.baseAvailable;
  if (difference === undefined || available === undefined) return undefined;
  return shortOf({ needed: difference, available, asset: heldCoin, field: 'amount' });
}

/** The fields of the call: only what differs. */
export function amendPayloadOf(form: AmendForm, order: Order): AmendPayload {
  const differs = (typed: string, now: string): boolean =>
    Decimal.tryParse(typed)?.equals(Decimal.parse(now)) !== true;
  return {
    id: order.id,
    price: differs(form.price, order.price) ? form.price : null,
    amount: differs(form.amount, order.amount) ? form.amount : null,
  };
}

/** What of the order's amount will not trade any more: filled, or taken off by self-trade prevention. */
function doneOf({ filledAmount, cancelledAmount }: Order): Decimal {
  return Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
}
