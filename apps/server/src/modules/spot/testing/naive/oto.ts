import { Decimal, greatest } from '@exchange/core/decimal.ts';
import { labelOf, type OtoCommand } from '../model-command.ts';
import { checkOco, checkPlacing } from './checks.ts';
import { accepts, fillOrKillProblem, makersFor } from './matching.ts';
import { marketViewFor } from './market-view.ts';
import { newLeg, newOrder } from './new-order.ts';
import { becomes, guardPriceFor, isStop, refuse, requiredHold, type NaiveOrder } from './order.ts';
import * as at from './state.ts';
import { markDue } from './stops.ts';
import { enterMarket } from './trading.ts';

/** Places the working order of an OTO. Its pending orders wait and hold no funds. */
export function placeOto(
  step: at.NaiveStep,
  command: OtoCommand,
  requireRoom: (waiting: number) => void,
  holdAtWorst: (order: NaiveOrder, worst: Decimal) => Decimal,
): void {
  const { symbol, reference, working, pending, pendingOco } = command;
  const { listed } = at.marketOf(step.state, symbol);
  at.expire(step, symbol);
  const request = { ...working, type: 'limit' } as const;
  const view = marketViewFor(step, symbol, working, reference);
  checkPlacing(listed, request, view);
  const afterwards = { ...view, last: working.price, best: working.price };
  if (pending !== undefined) checkPlacing(listed, pending, afterwards);
  if (pendingOco !== undefined) checkOco(listed, pendingOco, afterwards);
  requireRoom(pending === undefined ? 2 : 1);
  const order = newOrder(step, listed, { ...command, kind: 'place', request }, view.last);
  at.holdFor(step, order, holdAtWorst(order, working.price));
  order.oto = `oto ${step.sequence}`;
  order.otoRole = 'working';
  for (const waiting of pendingOrders(step, command, working.price)) {
    waiting.oto = order.oto;
    waiting.otoRole = 'pending';
    waiting.isPending = true;
    step.state.orders.push(waiting);
    step.changed.add(waiting);
  }
  step.state.orders.push(order);
  enterMarket(step, order, working.price);
}

function pendingOrders(step: at.NaiveStep, command: OtoCommand, last: Decimal): NaiveOrder[] {
  const { listed } = at.marketOf(step.state, command.symbol);
  const { pending, pendingOco } = command;
  if (pending !== undefined) {
    const order = newOrder(step, listed, { ...command, kind: 'place', request: pending }, last);
    order.label = labelOf(step.sequence, 'pending');
    return [order];
  }
  if (pendingOco === undefined) refuse('an OTO without pending orders');
  const oco = { ...command, ...pendingOco, kind: 'oco' } as const;
  return [newLeg(step, listed, oco, 'limit'), newLeg(step, listed, oco, 'stop')];
}

/**
 * The first pending order of each OTO whose working order is filled and whose pending orders wait, by
 * rank.
 */
export function owedOtos({ orders }: at.NaiveState): NaiveOrder[] {
  const isWorkingOpen = (list: string) =>
    orders.some(({ oto, otoRole }) => oto === list && otoRole === 'working');
  return orders
    .filter(
      ({ isPending, oto, type, group }) =>
        isPending && !isWorkingOpen(oto) && (group === '' || !isStop(type)),
    )
    .sort((left, right) => left.rank - right.rank);
}

/** Places the pending orders of the first OTO of `owedOtos`. */
export function releaseOto(step: at.NaiveStep, reference: Decimal | undefined): void {
  const first = owedOtos(step.state)[0]!;
  const { symbol } = first.listed.pair;
  at.expire(step, symbol);
  const pending = step.state.orders.filter(({ oto, isPending }) => oto === first.oto && isPending);
  for (const order of pending) order.isPending = false;
  const { status, last } = at.marketOf(step.state, symbol);
  if (status !== 'open') {
    for (const order of pending) at.endAlone(step, order, 'cancelled', 'pairHalted');
    return;
  }
  const stop = pending.find((order) => order !== first);
  if (stop === undefined) return releaseSingle(step, first, reference);
  const best = marketViewFor(step, symbol, first).best;
  const isTaken = best !== undefined && accepts(first, first.price, best);
  if (isReached(stop, last) || isTaken) {
    const alone = isReached(stop, last) ? stop : first;
    at.endAlone(step, alone === stop ? first : stop, 'cancelled', 'oco');
    releaseSingle(step, alone, reference);
    return;
  }
  const unit = greatest(unitOf(first, undefined), unitOf(stop, undefined));
  if (!fitToFunds(step, [first, stop], unit)) {
    for (const order of [first, stop]) at.endAlone(step, order, 'cancelled', 'balanceShort');
    return;
  }
  for (const order of [first, stop]) enter(step, order);
  at.holdFor(step, first, greatest(requiredHold(first, first.amount!), requiredHold(stop, stop.amount!)));
  first.resting = true;
}

function releaseSingle(step: at.NaiveStep, order: NaiveOrder, reference: Decimal | undefined): void {
  const { symbol } = order.listed.pair;
  const makers = makersFor(order, step.state.orders);
  const { best } = marketViewFor(step, symbol, order);
  const end = (reason: string) => at.endAlone(step, order, 'cancelled', reason);
  if (order.type === 'market' && best === undefined) return end('noLiquidity');
  const guard =
    order.type === 'market' ? guardPriceFor(order.listed, order.side, best!, reference) : undefined;
  const unit = unitOf(order, guard);
  if (!fitToFunds(step, [order], unit)) return end('balanceShort');
  enter(step, order);
  at.holdFor(step, order, unit.timesExact(order.amount!));
  if (isStop(order.type)) {
    if (isReached(order, at.marketOf(step.state, symbol).last)) markDue(step, order);
    return;
  }
  const worst = becomes(order.type) === 'limit' ? order.price : guard;
  if (order.postOnly && makers.some(({ price }) => accepts(order, worst, price!))) return end('wouldCross');
  const problem = order.timeInForce === 'FOK' ? fillOrKillProblem(order, worst, makers) : undefined;
  if (problem !== undefined) return end(problem);
  enterMarket(step, order, worst);
}

function enter(step: at.NaiveStep, order: NaiveOrder): void {
  order.releasedAt = step.now;
  order.rank = step.sequence;
  order.updatedAt = step.now;
  step.changed.add(order);
}

/**
 * The funds to hold per base coin of an order's amount: 1 base coin for a sale; for a buy the price `guard`, or
 * without it the hold that the order itself requires, in the quote coin.
 */
function unitOf(order: NaiveOrder, guard: Decimal | undefined): Decimal {
  if (order.side === 'sell') return Decimal.one;
  return guard ?? requiredHold(order, Decimal.one);
}

function isReached({ type, direction, stopPrice }: NaiveOrder, last: Decimal | undefined): boolean {
  if (!isStop(type) || last === undefined) return false;
  return direction === 'gte' ? !last.isLess(stopPrice!) : !last.isMore(stopPrice!);
}

/**
 * Lowers the amounts of pending orders if the balance is too small by at most the fee of the working order. Returns
 * whether the balance suffices for the amounts.
 */
function fitToFunds(step: at.NaiveStep, orders: readonly NaiveOrder[], unit: Decimal): boolean {
  const [order] = orders as readonly [NaiveOrder];
  const { pair } = order.listed;
  const coin = order.side === 'buy' ? pair.quote : pair.base;
  const { available } = step.state.accounts.accountOf(order.owner, coin);
  const before = order.amount!;
  if (!unit.timesExact(before).isMore(available)) return true;
  const amount = available.over(unit, 'down', pair.amountDigits);
  const fee = greatest(order.makerRate, order.takerRate);
  const least = before.times(Decimal.one.minus(fee), 'down', pair.amountDigits);
  if (amount.isZero() || amount.isLess(least)) return false;
  for (const lowered of orders) {
    lowered.amount = amount;
    const { price, stopPrice, label } = lowered;
    step.amendments.push({
      order: label,
      price,
      amount,
      stopPrice,
      priceBefore: price,
      amountBefore: before,
      stopPriceBefore: stopPrice,
    });
  }
  return true;
}
