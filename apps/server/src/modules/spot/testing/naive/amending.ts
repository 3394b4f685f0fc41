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
import { accepts } from './matching.ts';
import { type NaiveOrder, requiredHold, refuse } from './order.ts';
import { marketViewFor } from './market-view.ts';
import * as at from './state.ts';
import { enterMarket } from './trading.ts';

/** Applies an amendment of an open order by its owner. */
export function amend(step: at.NaiveStep, command: AmendCommand): void {
  const { owner, order: label, price, amount, reference } = command;
  const namedOrder = step.state.orders.find((open) => open.label === label);
  if (namedOrder !== undefined) at.expire(step, namedOrder.listed.pair.symbol);
  const order = step.state.orders.find((open) => open.label === label && open.owner === owner);
  if (order === undefined) refuse('l.order_not_open');
  if (order.isPending) refuse('l.amend_type');
  const isPlain = order.resting && at.partnerOf(step.state, order) === undefined;
  if (command.exits !== undefined && !isPlain) refuse('l.amend_type');
  if (at.partnerOf(step.state, order) !== undefined) return amendOco(step, order, command);
  if (order.stopStatus === 'waiting') return amendStop(step, order, command);
  if (!order.resting || command.stopPrice !== undefined) refuse('l.amend_type');
  const { listed } = order;
  const view = marketViewFor(step, listed.pair.symbol, order, reference);
  checkStatus(view.status);
  const newPrice = price ?? order.price!;
  const newAmount = amount ?? order.amount!;
  const exitsBefore = pricesOf(order);
  const exits = exitsAfter(exitsBefore, command.exits ?? {});
  const isMoved = !newPrice.equals(order.price!) || !newAmount.equals(order.amount!);
  if (!isMoved && EXITS.every((name) => priceText(exits?.[name]) === priceText(exitsBefore?.[name])))
    refuse('l.amend_nothing');
  const doneAmount = order.filledAmount.plus(order.cancelledAmount);
  if (isMoved) {
    checkAmount(listed, newAmount);
    if (!newAmount.isMore(doneAmount)) refuse('l.amend_filled');
    checkPrice(listed, newPrice, reference);
    checkTotal(listed, newPrice.timesExact(newAmount.minus(doneAmount)));
  }
  checkExits(listed, { ...order, price: newPrice, amount: newAmount, exits }, view);
  const keepsPlace = newPrice.equals(order.price!) && !newAmount.isMore(order.amount!);
  const crosses = view.best !== undefined && accepts(order, newPrice, view.best);
  if (order.postOnly && crosses) refuse('l.post_only_crosses');

  const need =
    order.side === 'buy' ? newPrice.timesExact(newAmount.minus(doneAmount)) : newAmount.minus(doneAmount);
  if (need.isMore(order.held)) at.holdFor(step, order, need.minus(order.held));
  else at.releaseFrom(step, order, order.held.minus(need));
  const before = { priceBefore: order.price!, amountBefore: order.amount!, stopPriceBefore: undefined };
  const termsNow = { price: newPrice, amount: newAmount, stopPrice: undefined, exits };
  step.amendments.push({ order: label, ...termsNow, ...before, exitsBefore });
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

const priceText = (price: Decimal | undefined) => price?.toString() ?? '';

/** The take-profit and stop-loss prices of an order; undefined if it has none. */
function pricesOf({ takeProfit, stopLoss, stopLossLimit }: ExitsRequest): ExitsRequest | undefined {
  if (takeProfit === undefined && stopLoss === undefined && stopLossLimit === undefined) return undefined;
  return { takeProfit, stopLoss, stopLossLimit };
}

/**
 * The take-profit and stop-loss after an amendment. New prices replace old ones, and zero removes an exit.
 * Removing the stop-loss also removes its limit price. Undefined if no exit is left.
 */
function exitsAfter(before: ExitsRequest | undefined, change: ExitsRequest): ExitsRequest | undefined {
  const isLossRemoved = change.stopLoss?.isZero() === true;
  const base = isLossRemoved ? { ...before, stopLoss: undefined, stopLossLimit: undefined } : { ...before };
  const after: Record<string, Decimal | undefined> = base;
  for (const name of EXITS) {
    const newPrice = change[name];
    if (newPrice !== undefined) after[name] = newPrice.isZero() ? undefined : newPrice;
  }
  return pricesOf(after);
}

/** The prices and amount of an order that an amendment can change. */
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

function applyTerms(step: at.NaiveStep, order: NaiveOrder, terms: Terms): void {
  if (!differs(order, terms)) return;
  step.amendments.push({
    order: order.label,
    ...terms,
    priceBefore: order.price,
    amountBefore: order.amount,
    stopPriceBefore: order.stopPrice,
  });
  // An order on the book keeps its priority only if its amount decreases and its price is unchanged.
  const keepsPlace =
    order.resting && terms.price!.equals(order.price!) && terms.amount!.isLess(order.amount!);
  if (!keepsPlace) order.rank = step.sequence;
  Object.assign(order, terms);
  order.updatedAt = step.now;
  step.changed.add(order);
}

function amendStop(step: at.NaiveStep, order: NaiveOrder, command: AmendCommand): void {
  const { listed, type } = order;
  const view = marketViewFor(step, listed.pair.symbol, order, command.reference);
  checkStatus(view.status);
  const fixed = type === 'trailing' ? undefined : order.stopPrice;
  const changeable = { price: order.price, amount: order.amount, stopPrice: fixed };
  if (TERMS.some((name) => command[name] !== undefined && changeable[name] === undefined))
    refuse('l.amend_type');
  const terms = termsAfter(order, command);
  if (!differs(order, terms)) refuse('l.amend_nothing');
  const isTrailing = type === 'trailing';
  const request = {
    ...order,
    ...terms,
    ...(isTrailing ? { stopPrice: undefined, direction: undefined } : {}),
    activation: order.activatedAt === undefined ? order.activation : undefined,
  };
  checkPlacing(listed, request, view);
  adjustHold(step, order, requiredHold({ ...order, ...terms }, terms.amount ?? Decimal.zero));
  applyTerms(step, order, terms);
}

function amendOco(step: at.NaiveStep, order: NaiveOrder, command: AmendCommand): void {
  const partner = at.partnerOf(step.state, order)!;
  const [limit, stop] = order.resting ? [order, partner] : [partner, order];
  const view = marketViewFor(step, order.listed.pair.symbol, order, command.reference);
  const { price, amount, stopPrice } = command;
  if (order === stop && price !== undefined && stop.price === undefined) refuse('l.amend_type');
  const limitTerms = termsAfter(limit, { amount, ...(order === limit ? { price } : {}) });
  const stopTerms = termsAfter(stop, { amount, stopPrice, ...(order === stop ? { price } : {}) });
  if (!differs(limit, limitTerms) && !differs(stop, stopTerms)) refuse('l.amend_nothing');
  checkOco(
    order.listed,
    {
      side: limit.side,
      amount: limitTerms.amount!,
      limitPrice: limitTerms.price!,
      stopPrice: stopTerms.stopPrice!,
      stopLimitPrice: stopTerms.price,
    },
    view,
  );
  if (view.best !== undefined && accepts(limit, limitTerms.price, view.best)) refuse('l.post_only_crosses');
  const needs = [
    requiredHold({ ...limit, ...limitTerms }, limitTerms.amount!),
    requiredHold({ ...stop, ...stopTerms }, stopTerms.amount!),
  ];
  adjustHold(
    step,
    limit,
    needs.reduce((largest, need) => (need.isMore(largest) ? need : largest)),
  );
  step.changed.add(limit);
  applyTerms(step, limit, limitTerms);
  applyTerms(step, stop, stopTerms);
}
