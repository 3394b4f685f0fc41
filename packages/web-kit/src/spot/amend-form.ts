import { Decimal, DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { amendProblem, stopAmendProblem, type Amendment } from '@exchange/core/spot-amend.ts';
import { crosses, wouldCross } from '@exchange/core/spot-book-rules.ts';
import { missingField } from '@exchange/core/spot-fields.ts';
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
import { isOpen, isPending, isWaiting, type Order } from './shapes.ts';
import { numberOf, oppositeBest } from './ticket-figures.ts';
import type { TicketMarket } from './ticket.ts';

/**
 * Values of an order amendment as the user has typed them, so they can be empty or no valid decimal. `amount` is the
 * whole amount of the order, including its filled part.
 */
export interface AmendForm {
  readonly price: string;
  readonly amount: string;
  readonly stopPrice: string;
  /** Prices of take-profit, stop-loss and its limit price; if empty, the amended order has no such price. */
  readonly takeProfitPrice: string;
  readonly stopLossPrice: string;
  readonly stopLossLimitPrice: string;
}

export type AmendField = Exclude<keyof AmendForm, ExitField>;

/** Translation keys (namespace `orders`) of the labels of amendable fields. */
export const AMEND_LABELS = { price: 'price', amount: 'amount', stopPrice: 'trigger' } as const;

export type AmendPayload = CallFields<typeof amendOrder>;

/** Effects of an amendment on the order's open amount, reserved funds and queue position. */
export interface AmendSummary {
  /** Amount that is neither filled nor cancelled before the amendment, in the base coin. */
  readonly remainingBefore: Decimal;
  /**
   * Open amount after the amendment, in the base coin: negative if the typed amount is less than the amount
   * that is already filled or cancelled. Undefined while the typed amount is no number or is negative.
   */
  readonly remaining: Decimal | undefined;
  /** Value of the open amount at the order's new price, in the quote coin; undefined while either is unknown. */
  readonly total: Decimal | undefined;
  /**
   * Amount that the order reserves before the amendment, in `heldCoin`. Undefined if only the server can calculate it,
   * and while a price that it depends on is unknown.
   */
  readonly heldBefore: Decimal | undefined;
  readonly heldAfter: Decimal | undefined;
  /**
   * `heldAfter` minus `heldBefore`: if positive, the amendment reserves this additional amount; if negative, it
   * releases that amount.
   */
  readonly difference: Decimal | undefined;
  /** Coin in which the order reserves funds: the quote coin for a buy, the base coin for a sell. */
  readonly heldCoin: string;
  /**
   * True for an order on the book; false for an order that waits for a trigger or for another order, which
   * has no queue position.
   */
  readonly rests: boolean;
  /**
   * Whether the order keeps its queue position, which is so if its price does not change and its amount does not
   * increase.
   */
  readonly keepsPlace: boolean;
  /** Whether the order would trade immediately at its new price. */
  readonly takes: boolean;
}

/**
 * Returns the fields of an order that can be amended, besides take-profit and stop-loss. Only orders on the
 * book and waiting stops have any. The orders of icebergs, chase orders and grids have none, since the
 * exchange sets their price and amount.
 */
export function amendableFields(order: Order): readonly AmendField[] {
  if (!isOpen(order) || isPending(order) || order.orderType === 'market' || order.parentId !== '') return [];
  const fields: AmendField[] = [];
  // The trigger price of a trailing stop is not amendable, because it follows the market.
  if (isWaiting(order) && order.orderType !== 'trailing') fields.push('stopPrice');
  if (order.price !== '') fields.push('price');
  if (order.amount !== '' && (isWaiting(order) || order.price !== '')) fields.push('amount');
  return fields;
}

/** Returns whether the user can amend any field of the order. */
export function canAmend(order: Order): boolean {
  return amendableFields(order).length > 0;
}

function fieldsOf(order: Order): readonly (keyof AmendForm)[] {
  return [...amendableFields(order), ...amendableExits(order)];
}

/**
 * Returns the initial values of the amendment form: the current values of the order; empty for fields that
 * cannot be amended.
 */
export function initialAmend(order: Order): AmendForm {
  const fields = fieldsOf(order);
  const currentValue = (field: keyof AmendForm) => (fields.includes(field) ? order[field] : '');
  return {
    price: currentValue('price'),
    amount: currentValue('amount'),
    stopPrice: currentValue('stopPrice'),
    takeProfitPrice: currentValue('takeProfitPrice'),
    stopLossPrice: currentValue('stopLossPrice'),
    stopLossLimitPrice: currentValue('stopLossLimitPrice'),
  };
}

/** Returns whether any value of the amendment form differs from that of the order. */
export function isAmended(form: AmendForm, order: Order): boolean {
  return fieldsOf(order).some((field) => !isSameValue(form[field], order[field]));
}

/** Returns whether both texts are equal numbers, or the same text if one of them is no number. */
function isSameValue(typed: string, current: string): boolean {
  const [typedValue, currentValue] = [Decimal.tryParse(typed), Decimal.tryParse(current)];
  return typedValue === undefined || currentValue === undefined
    ? typed === current
    : typedValue.equals(currentValue);
}

/** Calculates the effects of an amendment on the order's open amount, reserved funds and queue position. */
export function summariseAmend(form: AmendForm, order: Order, market: TicketMarket): AmendSummary {
  const { pair } = market;
  const isBuy = order.tradeType === 1;
  const amountBefore = numberOf(order.amount) ?? Decimal.zero;
  const remainingBefore = amountBefore.minus(doneOf(order));
  const amount = numberOf(form.amount);
  const remaining = amount?.minus(doneOf(order));
  const unit = (prices: Pick<AmendForm, 'price' | 'stopPrice'>) => unitPrice(prices, order, market);
  const total = ((price) => (price === undefined ? undefined : remaining?.times(price, 'up')))(unit(form));
  const totalBefore = ((price) => price && remainingBefore.times(price, 'up'))(unit(order));
  // An order sized by its total reserves that total. What a buy OCO reserves is unknown here: its more expensive leg
  // determines the amount, but only one leg is being amended.
  const isByTotal = order.amount === '';
  const heldBefore = isByTotal ? numberOf(order.total) : isBuy ? totalBefore : remainingBefore;
  const heldAfter = isByTotal ? heldBefore : isBuy ? total : remaining;
  const isKnown = !isBuy || order.groupId === '';
  const price = numberOf(form.price);
  const best = oppositeBest(isBuy ? 'buy' : 'sell', market);
  const rests = !isWaiting(order);
  const isSamePrice = price?.equals(numberOf(order.price) ?? Decimal.zero) === true;
  const keepsPlace = isSamePrice && amount?.isMore(amountBefore) === false;
  const crossesBook =
    price !== undefined && best !== undefined && crosses(isBuy ? 'buy' : 'sell', price, best);
  return {
    remainingBefore,
    remaining,
    total,
    heldBefore: isKnown ? heldBefore : undefined,
    heldAfter: isKnown ? heldAfter : undefined,
    difference: isKnown && heldBefore !== undefined ? heldAfter?.minus(heldBefore) : undefined,
    heldCoin: isBuy ? pair.quote : pair.base,
    rests,
    keepsPlace,
    takes: rests && !keepsPlace && crossesBook,
  };
}

/**
 * Returns the price in the quote coin at which the open amount of an order is valued: its limit price, or for
 * a stop without limit price the worst price at which it may trade after its trigger. Undefined while the
 * typed price is not a number.
 */
function unitPrice(
  { price, stopPrice }: Pick<AmendForm, 'price' | 'stopPrice'>,
  order: Order,
  { pair }: TicketMarket,
): Decimal | undefined {
  if (order.price !== '') return numberOf(price);
  const stopPriceValue = numberOf(stopPrice === '' ? order.stopPrice : stopPrice);
  const side = order.tradeType === 1 ? 'buy' : 'sell';
  return stopPriceValue && guardPrice(pair, pair.filters, side, stopPriceValue, undefined);
}

const REQUIRED = {
  price: 'l.price_required',
  amount: 'l.amount_required',
  stopPrice: 'l.stop_price_required',
} as const;

/**
 * Returns the first reason for which an amendment is refused; undefined if there is none. Checks first the
 * rules that the server also checks, then the current prices and balances.
 */
export function amendFormProblem(form: AmendForm, order: Order, market: TicketMarket): Refusal | undefined {
  const fields = amendableFields(order);
  if (fields.length === 0) return refusal('generic', 'l.amend_type');
  for (const field of fieldsOf(order)) {
    const mistyped = decimalProblem(field, form[field], DECIMAL_PLACES);
    if (mistyped !== undefined) return mistyped;
  }
  for (const field of fields)
    if (Decimal.tryParse(form[field]) === undefined) return missingField(REQUIRED[field], field);
  return (
    exitTypingProblem(form, order) ?? ruleProblem(form, order, market) ?? momentProblem(form, order, market)
  );
}

/**
 * Returns the refusal of an amendment that violates a rule for this order alone; undefined if it violates
 * none. Only the server checks the rules that involve both legs of an OCO.
 */
function ruleProblem(form: AmendForm, order: Order, market: TicketMarket): Refusal | undefined {
  const { pair, last, reference } = market;
  const [price, amount, stopPrice] = [form.price, form.amount, form.stopPrice].map((text) =>
    Decimal.tryParse(text),
  );
  const change = changeOf(form, order);
  const view = { status: pair.status, reference, last, best: undefined, now: undefined };
  if (order.groupId !== '') {
    if (!isAmended(form, order)) return refusal('invalidField', 'l.amend_nothing', { field: 'price' });
    const priceBandCenter = isWaiting(order) ? stopPrice : reference;
    return (
      amountProblem(pair, pair.filters, { amount }) ??
      (price === undefined ? undefined : limitPriceProblem(pair, pair.filters, price, priceBandCenter))
    );
  }
  if (isWaiting(order)) return stopAmendProblem(pair, pair.filters, requestOf(order), change, view);
  const { side, type } = requestOf(order);
  const current = {
    price: Decimal.parse(order.price),
    amount: Decimal.parse(order.amount),
    done: doneOf(order),
  };
  return amendProblem(pair, pair.filters, { ...current, side, type, exits: exitsOf(order) }, change, view);
}

/** Converts the values of the amendment form to the type that the rules shared with the server require. */
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

/**
 * Converts an open order to the request that would place the same order, without take-profit, stop-loss and a trailing
 * stop's activation price.
 */
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

/**
 * Refuses an amendment if it reserves more additional funds than the user has available, or if a post-only order would
 * trade at its new price.
 */
function momentProblem(form: AmendForm, order: Order, market: TicketMarket): Refusal | undefined {
  const { difference, heldCoin, takes } = summariseAmend(form, order, market);
  if (order.postOnly === 1 && takes) return wouldCross('price');
  const available = order.tradeType === 1 ? market.quoteAvailable : market.baseAvailable;
  if (difference === undefined || available === undefined) return undefined;
  return shortOf({ needed: difference, available, asset: heldCoin, field: 'amount' });
}

/**
 * Returns the request fields of an order amendment; fields with unchanged values are null. For a take-profit
 * or stop-loss that the user has emptied, 0 is sent, which removes it.
 */
export function amendPayloadOf(form: AmendForm, order: Order): AmendPayload {
  const fields = fieldsOf(order);
  const changedValue = (field: keyof AmendForm): string | null => {
    if (!fields.includes(field)) return null;
    if (Decimal.tryParse(form[field]) === undefined)
      return Decimal.tryParse(order[field]) === undefined ? null : '0';
    return isSameValue(form[field], order[field]) ? null : form[field];
  };
  return {
    id: order.id,
    price: changedValue('price'),
    amount: changedValue('amount'),
    stopPrice: changedValue('stopPrice'),
    takeProfitPrice: changedValue('takeProfitPrice'),

    stopLossPrice: changedValue('stopLossPrice'),
    stopLossLimitPrice: changedValue('stopLossLimitPrice'),
  };
}

/**
 * Returns the sum of the filled amount of an order and the amount that self-trade prevention has cancelled.
 */
function doneOf({ filledAmount, cancelledAmount }: Order): Decimal {
  return Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
}
