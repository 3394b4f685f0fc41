import { Decimal, DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { amendProblem, stopAmendProblem, type Amendment } from '@exchange/core/spot-amend.ts';
import { crosses, wouldCross } from '@exchange/core/spot-moment.ts';
import { lacking } from '@exchange/core/spot-shape.ts';
import {
  amountProblem,
  guardPrice,
  limitPriceProblem,
  trailOfPercent,
  type OrderRequest,
} from '@exchange/core/spot.ts';
import { instant } from '@exchange/core/time.ts';
import type { amendOrder } from '@exchange/wire/spot.ts';
import type { CallFields } from '../api/client.ts';
import { decimalProblem } from '../form/decimal-text.ts';
import { amendableExits, exitsOf, exitTypingProblem, type ExitField } from './amend-exits.ts';
import { isOpen, isWaiting, type Order } from './shapes.ts';
import { numberOf, oppositeBest } from './ticket-figures.ts';
import type { TicketMoment } from './ticket.ts';

/** What a person has typed to change an order; the amount includes what is filled. */
export interface AmendForm {
  readonly price: string;
  readonly amount: string;
  readonly stopPrice: string;
  /** Of a buy that may have exits; empty for the one that is not wanted. */
  readonly takeProfitPrice: string;
  readonly stopLossPrice: string;
  readonly stopLossLimitPrice: string;
}

export type AmendField = Exclude<keyof AmendForm, ExitField>;

/** The words for each field, in namespace `orders`. */
export const AMEND_LABELS = { price: 'price', amount: 'amount', stopPrice: 'trigger' } as const;

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
  /** Undefined where only the server can tell. */
  readonly heldBefore: Decimal | undefined;
  readonly heldAfter: Decimal | undefined;
  readonly difference: Decimal | undefined;
  readonly heldCoin: string;
  /** Whether it is on the book: one that waits has no place in a queue. */
  readonly rests: boolean;
  /** Whether the order keeps its place in the queue: where the price stays and the amount does not rise. */
  readonly keepsPlace: boolean;
  /** Whether it would trade at once at its new price. */
  readonly takes: boolean;
}

/** What of an order can be amended besides its exits: nothing unless it rests on the book or waits for its price. */
export function amendable(order: Order): readonly AmendField[] {
  if (!isOpen(order) || order.orderType === 'market') return [];
  const fields: AmendField[] = [];
  // A trailing stop's price follows the market.
  if (isWaiting(order) && order.orderType !== 'trailing') fields.push('stopPrice');
  if (order.price !== '') fields.push('price');
  if (order.amount !== '' && (isWaiting(order) || order.price !== '')) fields.push('amount');
  return fields;
}

/** Whether an order can be amended at all. */
export function canAmend(order: Order): boolean {
  return amendable(order).length > 0;
}

/** All fields of the form that the order has. */
function fieldsOf(order: Order): readonly (keyof AmendForm)[] {
  return [...amendable(order), ...amendableExits(order)];
}

/** The form as the order is; what it does not have is empty. */
export function initialAmend(order: Order): AmendForm {
  const fields = fieldsOf(order);
  const now = (field: keyof AmendForm) => (fields.includes(field) ? order[field] : '');
  return {
    price: now('price'),
    amount: now('amount'),
    stopPrice: now('stopPrice'),
    takeProfitPrice: now('takeProfitPrice'),
    stopLossPrice: now('stopLossPrice'),
    stopLossLimitPrice: now('stopLossLimitPrice'),
  };
}

/** Whether anything that can be amended differs from the order as it is. */
export function isAmended(form: AmendForm, order: Order): boolean {
  return fieldsOf(order).some((field) => form[field] !== order[field]);
}

/** What the change would do to the rest of the order, to what is set aside and to its place. */
export function summariseAmend(form: AmendForm, order: Order, moment: TicketMoment): AmendSummary {
  const { pair } = moment;
  const isBuy = order.tradeType === 1;
  const amountBefore = numberOf(order.amount) ?? Decimal.zero;
  const before = amountBefore.minus(doneOf(order));
  const amount = numberOf(form.amount);
  const remaining = amount?.minus(doneOf(order));
  const unit = (of: Pick<AmendForm, 'price' | 'stopPrice'>) => unitPrice(of, order, moment);
  const total = ((price) => (price === undefined ? undefined : remaining?.times(price, 'up')))(unit(form));
  const totalBefore = ((price) => price && before.times(price, 'up'))(unit(order));
  // What an order by total sets aside is that total, and of a pair of orders the dearer one counts.
  const isByTotal = order.amount === '';
  const heldBefore = isByTotal ? numberOf(order.total) : isBuy ? totalBefore : before;
  const heldAfter = isByTotal ? heldBefore : isBuy ? total : remaining;
  const isKnown = !isBuy || order.groupId === '';
  const price = numberOf(form.price);
  const best = oppositeBest(isBuy ? 'buy' : 'sell', moment);
  const rests = !isWaiting(order);
  const isSamePrice = price?.equals(numberOf(order.price) ?? Decimal.zero) === true;
  const keepsPlace = isSamePrice && amount?.isMore(amountBefore) === false;
  const meets = price !== undefined && best !== undefined && crosses(isBuy ? 'buy' : 'sell', price, best);
  return {
    remainingBefore: before,
    remaining,
    total,
    heldBefore: isKnown ? heldBefore : undefined,
    heldAfter: isKnown ? heldAfter : undefined,
    difference: isKnown && heldBefore !== undefined ? heldAfter?.minus(heldBefore) : undefined,
    heldCoin: isBuy ? pair.quote : pair.base,
    rests,
    keepsPlace,
    takes: rests && !keepsPlace && meets,
  };
}

/** What one unit of the base coin costs a buyer at most: the limit price, or the guard off the stop. */
function unitPrice(
  { price, stopPrice }: Pick<AmendForm, 'price' | 'stopPrice'>,
  order: Order,
  { pair }: TicketMoment,
): Decimal | undefined {
  if (order.price !== '') return numberOf(price);
  const stop = numberOf(stopPrice === '' ? order.stopPrice : stopPrice);
  const side = order.tradeType === 1 ? 'buy' : 'sell';
  return stop && guardPrice(pair, pair.filters, side, stop, undefined);
}

const REQUIRED = {
  price: 'l.price_required',
  amount: 'l.amount_required',
  stopPrice: 'l.stop_price_required',
} as const;

/** The first reason why the change would be refused: the server's own checks, then what only the moment can tell. */
export function amendFormProblem(form: AmendForm, order: Order, moment: TicketMoment): Refusal | undefined {
  const fields = amendable(order);
  if (fields.length === 0) return refusal('generic', 'l.amend_type');
  for (const field of fieldsOf(order)) {
    const mistyped = decimalProblem(field, form[field], DECIMAL_PLACES);
    if (mistyped !== undefined) return mistyped;
  }
  for (const field of fields)
    if (Decimal.tryParse(form[field]) === undefined) return lacking(REQUIRED[field], field);
  return (
    exitTypingProblem(form, order) ?? ruleProblem(form, order, moment) ?? momentProblem(form, order, moment)
  );
}

/** The rules for one order by itself; the server alone judges both legs of an OCO together. */
function ruleProblem(form: AmendForm, order: Order, moment: TicketMoment): Refusal | undefined {
  const { pair, last, reference } = moment;
  const [price, amount, stopPrice] = [form.price, form.amount, form.stopPrice].map((text) =>
    Decimal.tryParse(text),
  );
  const change = changeOf(form, order);
  const view = { status: pair.status, reference, last, best: undefined, now: undefined };
  if (order.groupId !== '') {
    if (!isAmended(form, order)) return refusal('invalidField', 'l.amend_nothing', { field: 'price' });
    const around = isWaiting(order) ? stopPrice : reference;
    return (
      amountProblem(pair, pair.filters, { amount }) ??
      (price === undefined ? undefined : limitPriceProblem(pair, pair.filters, price, around))
    );
  }
  if (isWaiting(order)) return stopAmendProblem(pair, pair.filters, requestOf(order), change, view);
  const { side, type } = requestOf(order);
  const now = { price: Decimal.parse(order.price), amount: Decimal.parse(order.amount), done: doneOf(order) };
  return amendProblem(pair, pair.filters, { ...now, side, type, exits: exitsOf(order) }, change, view);
}

/** The change as the rules read it: what is sent. */
function changeOf(form: AmendForm, order: Order): Amendment {
  const { id: _id, ...texts } = amendPayloadOf(form, order);
  const [price, amount, stopPrice, takeProfit, stopLoss, stopLossLimit] = [
    texts.price,
    texts.amount,
    texts.stopPrice,
    texts.takeProfitPrice,
    texts.stopLossPrice,
    texts.stopLossLimitPrice,
  ].map((text) => (typeof text === 'string' ? Decimal.parse(text) : undefined));
  return { price, amount, stopPrice, exits: { takeProfit, stopLoss, stopLossLimit } };
}

/** The order as it was asked for. */
function requestOf(order: Order): OrderRequest {
  const isTrailing = order.orderType === 'trailing';
  return {
    side: order.tradeType === 1 ? 'buy' : 'sell',
    type: order.orderType,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly === 1,
    price: numberOf(order.price),
    amount: numberOf(order.amount),
    total: numberOf(order.total),
    stopPrice: isTrailing ? undefined : numberOf(order.stopPrice),
    direction: isTrailing || order.direction === '' ? undefined : order.direction,
    trail: isTrailing ? trailOfPercent(Decimal.parse(order.trailPct)) : undefined,
    expireAt: order.expireTime === 0 ? undefined : instant(order.expireTime),
  };
}

/** What is added must be there, and a post-only order may not trade at its new price. */
function momentProblem(form: AmendForm, order: Order, moment: TicketMoment): Refusal | undefined {
  const { difference, heldCoin, takes } = summariseAmend(form, order, moment);
  if (order.postOnly === 1 && takes) return wouldCross('price');
  const available = order.tradeType === 1 ? moment.quoteAvailable : moment.baseAvailable;
  if (difference === undefined || available === undefined) return undefined;
  return shortOf({ needed: difference, available, asset: heldCoin, field: 'amount' });
}

/** The fields of the call: only what differs. An exit that was emptied is taken away by zero. */
export function amendPayloadOf(form: AmendForm, order: Order): AmendPayload {
  const fields = fieldsOf(order);
  const changed = (field: keyof AmendForm): string | null => {
    if (!fields.includes(field)) return null;
    const [wanted, now] = [Decimal.tryParse(form[field]), Decimal.tryParse(order[field])];
    if (wanted === undefined) return now === undefined ? null : '0';
    return now?.equals(wanted) === true ? null : form[field];
  };
  return {
    id: order.id,
    price: changed('price'),
    amount: changed('amount'),
    stopPrice: changed('stopPrice'),
    takeProfitPrice: changed('takeProfitPrice'),

    stopLossPrice: changed('stopLossPrice'),
    stopLossLimitPrice: changed('stopLossLimitPrice'),
  };
}

/** What of the order's amount will not trade any more: filled, or taken off by self-trade prevention. */
function doneOf({ filledAmount, cancelledAmount }: Order): Decimal {
  return Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
}
