import { least, type Decimal } from '@exchange/core/decimal.ts';
import { fillOrKillProblem, makersFor, accepts } from './matching.ts';
import {
  becomes,
  guardPriceFor,
  requiredHold,
  remainingOf,
  trailingStopPrice,
  type NaiveOrder,
  type NaiveTrade,
} from './order.ts';
import {
  endWithPartner,
  endAlone,
  expire,
  marketOf,
  ordersOn,
  partnerOf,
  releaseFrom,
  type NaiveStep,
} from './state.ts';
import { enterMarket } from './trading.ts';

/**
 * Applies the trades of a command to waiting stops, trade by trade: trailing stops follow the price, and
 * triggered stops become due.
 */
export function markStops(step: NaiveStep): void {
  for (const { symbol, price } of step.trades) {
    const waiting = ordersOn(step.state, symbol)
      .filter((order) => order.stopStatus === 'waiting' && !order.isPending)
      .sort((a, b) => a.rank - b.rank);
    for (const order of waiting) {
      if (activate(step, order, price)) continue;
      follow(step, order, price);
      const isTriggered =
        order.direction === 'gte' ? !price.isLess(order.stopPrice!) : !price.isMore(order.stopPrice!);
      if (isTriggered) markDue(step, order);
    }
  }
}

/**
 * Activates an inactive trailing stop if the trade reaches its activation price. Returns true if the stop was
 * inactive before the trade, because the trade then cannot trigger it.
 */
function activate(step: NaiveStep, order: NaiveOrder, last: NaiveTrade['price']): boolean {
  const { activation, activatedAt, side } = order;
  if (activation === undefined || activatedAt !== undefined) return false;
  if (side === 'sell' ? last.isLess(activation) : last.isMore(activation)) return true;
  order.activatedAt = step.now;
  order.extreme = last;
  order.stopPrice = trailingStopPrice(order.listed, side, last, order.trail!);
  order.updatedAt = step.now;
  step.changed.add(order);
  return true;
}

function follow(step: NaiveStep, order: NaiveOrder, last: NaiveTrade['price']): void {
  if (order.type !== 'trailing') return;
  const isBetter = order.side === 'sell' ? last.isMore(order.extreme!) : last.isLess(order.extreme!);
  if (!isBetter) return;
  order.extreme = last;
  order.stopPrice = trailingStopPrice(order.listed, order.side, last, order.trail!);
  step.followed.add(order);
}

/** Marks a triggered stop order as due and ends the other order of its OCO. */
export function markDue(step: NaiveStep, order: NaiveOrder): void {
  order.stopStatus = 'due';
  order.triggeredAt = step.now;
  order.updatedAt = step.now;
  step.changed.add(order);
  step.state.due.push(order.label);
  const limitLeg = partnerOf(step.state, order);
  if (limitLeg === undefined) return;
  // The funds held for the OCO's limit leg move to the stop leg, which releases what it does not need.
  order.held = limitLeg.held;
  limitLeg.held = limitLeg.held.minus(limitLeg.held);
  releaseFrom(step, order, order.held.minus(requiredHold(order, remainingOf(order))));
  endAlone(step, limitLeg, 'cancelled', 'oco');
}

/**
 * Executes a due stop as a new order with a new rank, or cancels it if the pair is halted or it cannot trade. Does
 * nothing for an order that is no longer open.
 */
export function execute(step: NaiveStep, label: string, reference: Decimal | undefined): void {
  const order = step.state.orders.find((open) => open.label === label);
  if (order === undefined) return;
  const { symbol } = order.listed.pair;
  expire(step, symbol);
  if (order.state !== 'open') return;
  const cancelWith = (reason: string) => endWithPartner(step, order, 'cancelled', reason);
  if (marketOf(step.state, symbol).status !== 'open') return cancelWith('pairHalted');
  step.state.due = step.state.due.filter((dueLabel) => dueLabel !== label);
  order.stopStatus = 'triggered';
  order.rank = step.sequence;
  order.updatedAt = step.now;
  step.changed.add(order);

  const makers = makersFor(order, step.state.orders);
  const best = makers[0]?.price;
  const enter = (worst: Decimal | undefined) => {
    const problem = order.timeInForce === 'FOK' ? fillOrKillProblem(order, worst, makers) : undefined;
    if (problem === undefined) enterMarket(step, order, worst);
    else cancelWith(problem);
  };
  if (becomes(order.type) === 'limit') {
    if (order.postOnly && best !== undefined && accepts(order, order.price, best))
      return cancelWith('wouldCross');
    return enter(order.price);
  }
  if (best === undefined) return cancelWith('noLiquidity');
  let worst = guardPriceFor(order.listed, order.side, best, reference);
  if (order.side === 'buy' && order.amount !== undefined)
    worst = least(worst, order.held.over(order.amount, 'down', order.listed.pair.priceDigits));
  enter(worst);
}
