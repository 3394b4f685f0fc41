import { Decimal } from '@exchange/core/decimal.ts';
import type { ExitsRequest } from '@exchange/core/spot.ts';
import type { AmendCommand } from '../model-command.ts';
import {
  checkAmount,
  checkExits,
  checkOco,
  checkPlacing,
  checkPrice,
  checkStatus,
  checkTotal,
} from './checks.ts';
import { accepts } from './meetings.ts';
import { type NaiveOrder, needFor, refuse } from './order.ts';
import { seenBy } from './seen.ts';
import * as at from './state.ts';
import { enterMarket } from './trading.ts';

/** Gives an open order other terms, as its owner wishes. */
export function amend(step: at.NaiveStep, command: AmendCommand): void {
  const { owner, order: label, price, amount, reference } = command;
  const known = step.state.orders.find((open) => open.label === label);
  if (known !== undefined) at.expire(step, known.listed.pair.symbol);
  const order = step.state.orders.find((open) => open.label === label && open.owner === owner);
  if (order === undefined) refuse('l.order_not_open');
  const isPlain = order.resting && at.partnerOf(step.state, order) === undefined;
  if (command.exits !== undefined && !isPlain) refuse('l.amend_type');
  if (at.partnerOf(step.state, order) !== undefined) return amendOco(step, order, command);
  if (order.stopStatus === 'waiting') return amendStop(step, order, command);
  if (!order.resting || command.stopPrice !== undefined) refuse('l.amend_type');
  const { listed } = order;
  const seen = seenBy(step, listed.pair.symbol, order, reference);
  checkStatus(seen.status);
  const newPrice = price ?? order.price!;
  const newAmount = amount ?? order.amount!;
  const exitsBefore = pricesOf(order);
  const exits = exitsAfter(exitsBefore, command.exits ?? {});
  const isMoved = !newPrice.equals(order.price!) || !newAmount.equals(order.amount!);
  if (!isMoved && EXITS.every((name) => shown(exits?.[name]) === shown(exitsBefore?.[name])))
    refuse('l.amend_nothing');
  const gone = order.filledAmount.plus(order.cancelledAmount);
  if (isMoved) {
    checkAmount(listed, newAmount);
    if (!newAmount.isMore(gone)) refuse('l.amend_filled');
    checkPrice(listed, newPrice, reference);
    checkTotal(listed, newPrice.timesExact(newAmount.minus(gone)));
  }
  checkExits(listed, { ...order, price: newPrice, amount: newAmount, exits }, seen);
  const keepsPlace = newPrice.equals(order.price!) && !newAmount.isMore(order.amount!);
  const crosses = seen.best !== undefined && accepts(order, newPrice, seen.best);
  if (order.postOnly && crosses) refuse('l.post_only_crosses');

  const need = order.side === 'buy' ? newPrice.timesExact(newAmount.minus(gone)) : newAmount.minus(gone);
  if (need.isMore(order.held)) at.holdFor(step, order, need.minus(order.held));
  else at.releaseFrom(step, order, order.held.minus(need));
  const before = { priceBefore: order.price!, amountBefore: order.amount!, stopPriceBefore: undefined };
  const after = { price: newPrice, amount: newAmount, stopPrice: undefined, exits };
  step.amendments.push({ order: label, ...after, ...before, exitsBefore });
  order.price = newPrice;
  order.amount = newAmount;
  for (const name of EXITS) order[name] = exits?.[name];
  order.exitStatus = exits === undefined ? undefined : 'waiting';
  order.updatedAt = step.now;
  step.changed.add(order);
  if (keepsPlace) return;
  order.rank = step.sequence;
  order.resting = false;
  enterMarket(step, order, newPrice);
}

const EXITS = ['takeProfit', 'stopLoss', 'stopLossLimit'] as const;

const shown = (price: Decimal | undefined) => price?.toString() ?? '';

/** The exits of an order, by their names; undefined where it has none. */
function pricesOf({ takeProfit, stopLoss, stopLossLimit }: ExitsRequest): ExitsRequest | undefined {
  if (takeProfit === undefined && stopLoss === undefined && stopLossLimit === undefined) return undefined;
  return { takeProfit, stopLoss, stopLossLimit };
}

/** What was wished replaces what was; a wish for zero leaves nothing, and without a stop-loss its limit goes, too. */
function exitsAfter(before: ExitsRequest | undefined, wish: ExitsRequest): ExitsRequest | undefined {
  const isLossGone = wish.stopLoss?.isZero() === true;
  const kept = isLossGone ? { ...before, stopLoss: undefined, stopLossLimit: undefined } : { ...before };
  const after: Record<string, Decimal | undefined> = kept;
  for (const name of EXITS) {
    const wanted = wish[name];
    if (wanted !== undefined) after[name] = wanted.isZero() ? undefined : wanted;
  }
  return pricesOf(after);
}

/** What an order has of prices and amount. */
type Terms = Pick<NaiveOrder, 'price' | 'amount' | 'stopPrice'>;

const TERMS = ['price', 'amount', 'stopPrice'] as const;

function termsAfter(order: NaiveOrder, change: Partial<Terms>): Terms {
  return {
    price: change.price ?? order.price,
    amount: change.amount ?? order.amount,
    stopPrice: change.stopPrice ?? order.stopPrice,
  };
}

function differs(order: NaiveOrder, terms: Terms): boolean {
  return TERMS.some((name) => order[name]?.toString() !== terms[name]?.toString());
}

function adjustHold(step: at.NaiveStep, order: NaiveOrder, need: Decimal): void {
  if (need.isMore(order.held)) at.holdFor(step, order, need.minus(order.held));
  else at.releaseFrom(step, order, order.held.minus(need));
}

function write(step: at.NaiveStep, order: NaiveOrder, terms: Terms): void {
  if (!differs(order, terms)) return;
  step.amendments.push({
    order: order.label,
    ...terms,
    priceBefore: order.price,
    amountBefore: order.amount,
    stopPriceBefore: order.stopPrice,
  });
  // Only on the book does a smaller amount keep its place.
  const keepsPlace =
    order.resting && terms.price!.equals(order.price!) && terms.amount!.isLess(order.amount!);
  if (!keepsPlace) order.rank = step.sequence;
  Object.assign(order, terms);
  order.updatedAt = step.now;
  step.changed.add(order);
}

function amendStop(step: at.NaiveStep, order: NaiveOrder, command: AmendCommand): void {
  const { listed, type } = order;
  const seen = seenBy(step, listed.pair.symbol, order, command.reference);
  checkStatus(seen.status);
  const fixed = type === 'trailing' ? undefined : order.stopPrice;
  const own = { price: order.price, amount: order.amount, stopPrice: fixed };
  if (TERMS.some((name) => command[name] !== undefined && own[name] === undefined)) refuse('l.amend_type');
  const terms = termsAfter(order, command);
  if (!differs(order, terms)) refuse('l.amend_nothing');
  const isTrailing = type === 'trailing';
  const request = {
    ...order,
    ...terms,
    ...(isTrailing ? { stopPrice: undefined, direction: undefined } : {}),
    activation: order.activatedAt === undefined ? order.activation : undefined,
  };
  checkPlacing(listed, request, seen);
  adjustHold(step, order, needFor({ ...order, ...terms }, terms.amount ?? Decimal.zero));
  write(step, order, terms);
}

function amendOco(step: at.NaiveStep, order: NaiveOrder, command: AmendCommand): void {
  const other = at.partnerOf(step.state, order)!;
  const [limit, stop] = order.resting ? [order, other] : [other, order];
  const seen = seenBy(step, order.listed.pair.symbol, order, command.reference);
  const { price, amount, stopPrice } = command;
  if (order === stop && price !== undefined && stop.price === undefined) refuse('l.amend_type');
  const ofLimit = termsAfter(limit, { amount, ...(order === limit ? { price } : {}) });
  const ofStop = termsAfter(stop, { amount, stopPrice, ...(order === stop ? { price } : {}) });
  if (!differs(limit, ofLimit) && !differs(stop, ofStop)) refuse('l.amend_nothing');
  checkOco(
    order.listed,
    {
      side: limit.side,
      amount: ofLimit.amount!,
      limitPrice: ofLimit.price!,
      stopPrice: ofStop.stopPrice!,
      stopLimitPrice: ofStop.price,
    },
    seen,
  );
  if (seen.best !== undefined && accepts(limit, ofLimit.price, seen.best)) refuse('l.post_only_crosses');
  const needs = [
    needFor({ ...limit, ...ofLimit }, ofLimit.amount!),
    needFor({ ...stop, ...ofStop }, ofStop.amount!),
  ];
  adjustHold(
    step,
    limit,
    needs.reduce((one, next) => (next.isMore(one) ? next : one)),
  );
  step.changed.add(limit);
  write(step, limit, ofLimit);
  write(step, stop, ofStop);
}
