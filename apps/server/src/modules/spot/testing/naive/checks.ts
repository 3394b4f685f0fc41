import { Decimal } from '@exchange/core/decimal.ts';
import type { PairStatus, Side } from '@exchange/core/pair.ts';
import type { ExitsRequest, OrderRequest, StopDirection } from '@exchange/core/spot.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { OcoCommand } from '../model-command.ts';
import { becomes, isStop, refuse, trailingStopPrice, type Listed } from './order.ts';

/** The market data that the checks of an order use besides the request. */
export interface MarketView {
  readonly status: PairStatus;
  readonly reference: Decimal | undefined;
  /** The best price of the opposite side of the book. */
  readonly best: Decimal | undefined;
  readonly last: Decimal | undefined;
  readonly now: Instant;
}

/** Refuses an order that breaks a rule which does not depend on the order's owner. */
export function checkPlacing(listed: Listed, request: OrderRequest, view: MarketView): void {
  checkStatus(view.status);
  checkShape(request);
  checkStopShape(request);
  checkLifetime(listed, request, view.now);
  if (request.amount !== undefined) checkAmount(listed, request.amount);
  if (isStop(request.type)) checkStop(listed, request, view);
  const bandCentre = isStop(request.type) ? request.stopPrice : view.reference;
  if (request.price !== undefined) checkPrice(listed, request.price, bandCentre);
  if (request.type === 'market' && view.best === undefined) refuse('l.no_liquidity');
  const price = request.price ?? stopPriceAtEntry(listed, request, view.last) ?? view.best!;
  checkTotal(listed, request.total ?? price.timesExact(request.amount!));
}

export function checkStatus(status: PairStatus): void {
  if (status === 'closed') refuse('l.pair_closed');
  if (status === 'cancelOnly') refuse('l.pair_cancel_only');
}

function checkShape({ type, side, price, amount, total, timeInForce, postOnly }: OrderRequest): void {
  if (becomes(type) === 'limit') {
    if (price === undefined) refuse('l.price_required');
    if (amount === undefined || total !== undefined) refuse('l.amount_required');
    if (postOnly && timeInForce !== 'GTC' && timeInForce !== 'GTT') refuse('l.time_in_force');
    return;
  }
  if (price !== undefined) refuse('l.stop_unexpected');
  if (isStop(type) && side === 'sell' && amount === undefined) refuse('l.amount_required');
  if ((amount === undefined) === (total === undefined)) refuse('l.amount_or_total');
  if (timeInForce === 'GTC' || timeInForce === 'GTT' || postOnly) refuse('l.time_in_force');
}

function checkStopShape({ type, stopPrice, direction, trail, activation }: OrderRequest): void {
  if (type === 'trailing') {
    if (trail === undefined) refuse('l.trail_required');
    if (stopPrice !== undefined || direction !== undefined) refuse('l.stop_unexpected');
    return;
  }
  if (trail !== undefined || activation !== undefined) refuse('l.stop_unexpected');
  if (isStop(type)) {
    if (stopPrice === undefined) refuse('l.stop_price_required');
  } else if (stopPrice !== undefined || direction !== undefined) refuse('l.stop_unexpected');
}

function checkLifetime({ filters }: Listed, { timeInForce, expireAt }: OrderRequest, now: Instant): void {
  if (timeInForce !== 'GTT') {
    if (expireAt !== undefined) refuse('l.stop_unexpected');
    return;
  }
  if (expireAt === undefined) refuse('l.expire_required');
  if (expireAt <= now) refuse('l.expire_past');
  if (expireAt > now + filters.maxLifetimeMs) refuse('l.expire_far');
}

export function checkAmount({ pair, filters }: Listed, amount: Decimal): void {
  if (!amount.fits(pair.amountDigits)) refuse('l.amount_decimals');
  if (amount.isLess(filters.minAmount)) refuse('l.amount_min');
  if (amount.isMore(filters.maxAmount)) refuse('l.amount_max');
}

/**
 * Checks tick size and price band. The band lies around the price `around`; if `around` is undefined, only the tick
 * size is checked.
 */
export function checkPrice({ pair, filters }: Listed, price: Decimal, around: Decimal | undefined): void {
  if (!price.fits(pair.priceDigits)) refuse('l.price_decimals');
  if (around === undefined) return;
  const distance = around.times(filters.priceBand, 'down');
  if (price.isLess(around.minus(distance))) refuse('l.price_band_low');
  if (price.isMore(around.plus(distance))) refuse('l.price_band_high');
}

function checkTick({ pair }: Listed, price: Decimal): void {
  if (!price.fits(pair.priceDigits)) refuse('l.price_decimals');
}

export function checkTotal({ pair, filters }: Listed, total: Decimal): void {
  if (!total.fits(pair.priceDigits + pair.amountDigits)) refuse('l.field_decimals');
  if (total.isLess(filters.minTotal)) refuse('l.total_min');
}

function checkStop(listed: Listed, request: OrderRequest, { last }: MarketView): void {
  const { type, side, trail, activation, direction } = request;
  const { minTrail, maxTrail } = listed.filters;
  if (type === 'trailing') {
    if (!trail!.fits(4)) refuse('l.field_decimals');
    if (trail!.isLess(minTrail)) refuse('l.trail_min');
    if (trail!.isMore(maxTrail)) refuse('l.trail_max');
  } else checkTick(listed, request.stopPrice!);
  if (activation !== undefined) checkTick(listed, activation);
  if (last === undefined) refuse('l.no_last_price');
  if (activation !== undefined) {
    const isBeyond = side === 'sell' ? activation.isMore(last) : activation.isLess(last);
    return isBeyond ? undefined : refuse('l.activation_side');
  }
  const stopPrice = stopPriceAtEntry(listed, request, last)!;
  const mustRise = directionOf(type, side, direction) === 'gte';
  if (mustRise ? !stopPrice.isMore(last) : !stopPrice.isLess(last)) refuse('l.stop_price_side');
}

/** The trigger direction: the requested one, or else the default of the order's type and side. */
export function directionOf(
  type: OrderRequest['type'],
  side: Side,
  requested: StopDirection | undefined,
): StopDirection {
  if (requested !== undefined) return requested;
  const triggersOnFall = type.startsWith('takeProfit') ? side === 'buy' : side === 'sell';
  return triggersOnFall ? 'lte' : 'gte';
}

/**
 * The trigger price at placement: the requested one or, for a trailing stop, one that is derived from the
 * activation price or the last price. Undefined for an order without a trigger.
 */
export function stopPriceAtEntry(
  listed: Listed,
  { type, side, stopPrice, trail, activation }: OrderRequest,
  last: Decimal | undefined,
): Decimal | undefined {
  return type === 'trailing' ? trailingStopPrice(listed, side, activation ?? last!, trail!) : stopPrice;
}

/**
 * Refuses exits that break a rule, e.g. a take-profit on the wrong side of the entry price, and exits of an order
 * that must not have any.
 */
export function checkExits(
  listed: Listed,
  { side, type, price, amount, total, exits }: OrderRequest,
  { best, last }: Pick<MarketView, 'best' | 'last'>,
): void {
  if (exits === undefined) return;
  const { takeProfit, stopLoss, stopLossLimit } = exits;
  if (isStop(type)) refuse('l.exits_order');
  if (takeProfit === undefined && stopLoss === undefined && stopLossLimit === undefined)
    refuse('l.exits_required');
  if (stopLoss === undefined && stopLossLimit !== undefined) refuse('l.stop_price_required');
  const entry = price ?? best!;
  const isBuy = side === 'buy';
  if (takeProfit !== undefined) {
    checkTick(listed, takeProfit);
    if (isBuy && !takeProfit.isMore(entry)) refuse('l.take_profit_side');
    if (!isBuy && !takeProfit.isLess(entry)) refuse('l.take_profit_side_sell');
    checkPrice(listed, takeProfit, entry);
  }
  const traded = amount ?? total!.over(entry, 'down', listed.pair.amountDigits);
  if (stopLoss !== undefined) {
    checkTick(listed, stopLoss);
    const isBelow = stopLoss.isLess(entry) && (last === undefined || stopLoss.isLess(last));
    const isAbove = stopLoss.isMore(entry) && (last === undefined || stopLoss.isMore(last));
    if (isBuy && !isBelow) refuse('l.stop_loss_side');
    if (!isBuy && !isAbove) refuse('l.stop_loss_side_sell');
    if (stopLossLimit !== undefined) checkPrice(listed, stopLossLimit, stopLoss);
  }
  if (isBuy) {
    if (stopLoss === undefined) return;
    if ((stopLossLimit ?? stopLoss).timesExact(traded).isLess(listed.filters.minTotal)) refuse('l.total_min');
    return;
  }
  const cheaper = takeProfit ?? stopLossLimit;
  if (cheaper === undefined) return;
  const amountBought = buyBackAmount(listed, { sold: traded, earned: entry.timesExact(traded) }, exits);
  if (cheaper.timesExact(amountBought).isLess(listed.filters.minTotal)) refuse('l.total_min');
}

/** The amount that a sale buys back, so that its proceeds can pay for each of its exits; at most the sold amount. */
export function buyBackAmount(
  { pair, filters }: Listed,
  { sold, earned }: { sold: Decimal; earned: Decimal },
  { takeProfit, stopLoss, stopLossLimit }: ExitsRequest,
): Decimal {
  const atMarket = stopLoss?.times(Decimal.one.plus(filters.marketGuard), 'down', pair.priceDigits);
  const worst = stopLossLimit ?? atMarket ?? takeProfit!;
  const affordable = earned.over(worst, 'down', pair.amountDigits);
  return affordable.isMore(sold) ? sold : affordable;
}

/** The fields of an OCO that the rules check. */
type OcoPrices = Pick<OcoCommand, 'side' | 'amount' | 'limitPrice' | 'stopPrice' | 'stopLimitPrice'>;

/** Refuses an OCO whose prices do not lie on both sides of the last price or whose legs break a rule. */
export function checkOco(listed: Listed, command: OcoPrices, view: MarketView): void {
  const { side, amount, limitPrice, stopPrice, stopLimitPrice } = command;
  checkStatus(view.status);
  if (view.last === undefined) refuse('l.no_last_price');
  const [above, below] = side === 'sell' ? [limitPrice, stopPrice] : [stopPrice, limitPrice];
  if (!above.isMore(view.last) || !below.isLess(view.last)) refuse('l.oco_prices');
  checkAmount(listed, amount);
  checkPrice(listed, limitPrice, view.reference);
  checkTotal(listed, limitPrice.timesExact(amount));
  checkTick(listed, stopPrice);
  if (stopLimitPrice !== undefined) checkPrice(listed, stopLimitPrice, stopPrice);
  checkTotal(listed, (stopLimitPrice ?? stopPrice).timesExact(amount));
}
