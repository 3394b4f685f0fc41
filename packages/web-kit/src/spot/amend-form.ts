import { Decimal, DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { amendProblem, stopAmendProblem } from '@exchange/core/spot-amend.ts';
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
  readonly stopPrice: string;
}

export type AmendField = keyof AmendForm;

/** The words for each field. */
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
  /** Whether the order keeps its place in the queue: only where the amount falls and the price stays. */
  readonly keepsPlace: boolean;
  /** Whether it would trade at once at its new price. */
  readonly takes: boolean;
}

/** What of an order can be amended: nothing unless it rests on the book or waits for its price. */
export function amendable(order: Order): readonly AmendField[] {
  const isOpen = order.status === ORDER_STATUS.open || order.status === ORDER_STATUS.partlyFilled;
  if (!isOpen || order.orderType === 'market') return [];
  const fields: AmendField[] = [];
  // A trailing stop's price follows the market.
  if (waits(order) && order.orderType !== 'trailing') fields.push('stopPrice');
  if (order.price !== '') fields.push('price');
  if (order.amount !== '' && (waits(order) || order.price !== '')) fields.push('amount');
  return fields;
}

/** Whether an order can be amended at all. */
export function canAmend(order: Order): boolean {
  return amendable(order).length > 0;
}

function waits({ stopStatus }: Order): boolean {
  return stopStatus === 'waiting';
}

/** The form as the order is; what it does not have is empty. */
export function initialAmend(order: Order): AmendForm {
  const fields = amendable(order);
  const now = (field: AmendField) => (fields.includes(field) ? order[field] : '');
  return { price: now('price'), amount: now('amount'), stopPrice: now('stopPrice') };
}

/** Whether anything that can be amended differs from the order as it is. */
export function isAmended(form: AmendForm, order: Order): boolean {
  return amendable(order).some((field) => form[field] !== order[field]);
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
  const rests = !waits(order);
  const isSamePrice = price?.equals(numberOf(order.price) ?? Decimal.zero) === true;
  return {
    remainingBefore: before,
    remaining,
    total,
    heldBefore: isKnown ? heldBefore : undefined,
    heldAfter: isKnown ? heldAfter : undefined,
    difference: isKnown && heldBefore !== undefined ? heldAfter?.minus(heldBefore) : undefined,
    heldCoin: isBuy ? pair.quote : pair.base,
    rests,
    keepsPlace: isSamePrice && amount?.isLess(amountBefore) === true,
    takes: rests && price !== undefined && best !== undefined && crosses(isBuy ? 'buy' : 'sell', price, best),
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
  for (const field of fields) {
    const mistyped = decimalProblem(field, form[field], DECIMAL_PLACES);
    if (mistyped !== undefined) return mistyped;
  }
  for (const field of fields)
    if (Decimal.tryParse(form[field]) === undefined) return lacking(REQUIRED[field], field);
  return ruleProblem(form, order, moment) ?? momentProblem(form, order, moment);
}

/** The rules for one order by itself; the server alone judges both legs of an OCO together. */
function ruleProblem(form: AmendForm, order: Order, moment: TicketMoment): Refusal | undefined {
  const { pair, last, reference } = moment;
  const [price, amount, stopPrice] = [form.price, form.amount, form.stopPrice].map((text) =>
    Decimal.tryParse(text),
  );
  const change = { price, amount, stopPrice };
  const view = { status: pair.status, reference, last, best: undefined, now: undefined };
  if (order.groupId !== '') {
    if (!isAmended(form, order)) return refusal('invalidField', 'l.amend_nothing', { field: 'price' });
    const around = waits(order) ? stopPrice : reference;
    return (
      amountProblem(pair, pair.filters, { amount }) ??
      (price === undefined ? undefined : limitPriceProblem(pair, pair.filters, price, around))
    );
  }
  if (waits(order)) return stopAmendProblem(pair, pair.filters, requestOf(order), change, view);
  const now = { price: Decimal.parse(order.price), amount: Decimal.parse(order.amount), done: doneOf(order) };
  return amendProblem(pair, pair.filters, now, change, view);
}

/** The order as it was asked for. */
function requestOf(order: Order): OrderRequest {
  const isTrailing = order.orderType === 'trailing';
  return {
    ...{ side: order.tradeType === 1 ? 'buy' : 'sell', type: order.orderType },
    ...{ timeInForce: order.timeInForce, postOnly: order.postOnly === 1 },
    ...{ price: numberOf(order.price), amount: numberOf(order.amount), total: numberOf(order.total) },
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

/** The fields of the call: only what differs. */
export function amendPayloadOf(form: AmendForm, order: Order): AmendPayload {
  const fields = amendable(order);
  const changed = (field: AmendField): string | null => {
    if (!fields.includes(field)) return null;
    const isSame = Decimal.tryParse(form[field])?.equals(Decimal.parse(order[field])) === true;
    return isSame ? null : form[field];
  };
  return {
    ...{ id: order.id, price: changed('price'), amount: changed('amount') },
    stopPrice: changed('stopPrice'),
  };
}

/** What of the order's amount will not trade any more: filled, or taken off by self-trade prevention. */
function doneOf({ filledAmount, cancelledAmount }: Order): Decimal {
  return Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
}
