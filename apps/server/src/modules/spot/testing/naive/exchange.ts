import { greatest, type Decimal } from '@exchange/core/decimal.ts';
import type { ExitsRequest } from '@exchange/core/spot.ts';
import { labelOf } from '../model-command.ts';
import type {
  CancelAllCommand,
  CancelCommand,
  ModelCommand,
  OcoCommand,
  PlaceCommand,
} from '../model-command.ts';
import { amend } from './amending.ts';
import {
  buyBackAmount,
  checkAmount,
  checkExits,
  checkOco,
  checkPlacing,
  checkStatus,
  checkTotal,
} from './checks.ts';
import { accepts, fillOrKillProblem, makersFor, planFor, reasonOf, sumOf } from './matching.ts';
import {
  type Listed,
  type NaiveAmendment,
  type NaiveOrder,
  NaiveRefusal,
  type NaiveTrade,
  guardPriceFor,
  isStop,
  requiredHold,
  refuse,
  remainingOf,
} from './order.ts';
import { newLeg, newOrder } from './new-order.ts';
import { marketViewFor } from './market-view.ts';
import { owedOtos, placeOto, releaseOto } from './oto.ts';
import * as at from './state.ts';
import { execute, markStops } from './stops.ts';
import { enterMarket } from './trading.ts';

/**
 * The result of a command of the reference exchange: either the key of its refusal, or the changed
 * orders, the trades and the amendments.
 */
export interface NaiveAnswer {
  readonly refused: string | undefined;
  readonly changed: readonly NaiveOrder[];
  readonly trades: readonly NaiveTrade[];
  readonly amendments: readonly NaiveAmendment[];
  /** Trailing stops whose trigger price the command has moved. */
  readonly followed: readonly NaiveOrder[];
  /** For a command that ends several orders, the number of orders that it selected. */
  readonly count: number;
}

/**
 * The reference exchange, written only from the rules. It is deliberately slow: it searches and sorts lists for
 * every query. It shares no code with the real exchange except decimals and the fee formula.
 */
export class NaiveExchange {
  state: at.NaiveState;

  constructor(listings: readonly Listed[]) {
    this.state = at.emptyState(listings);
  }

  run({ sequence, now, action }: ModelCommand): NaiveAnswer {
    // A refused command only expires orders before it is refused. A copy of the state undoes these expiries.
    const before = at.isAnyLate(this.state, now) ? at.copyOf(this.state) : this.state;
    const quoteValue = 'quoteValue' in action ? action.quoteValue : undefined;
    const step: at.NaiveStep = {
      state: this.state,
      sequence,
      now,
      quoteValue,
      changed: new Set(),
      followed: new Set(),
      trades: [],
      amendments: [],
    };
    try {
      let count = 0;
      if (action.kind === 'place') place(step, action);
      if (action.kind === 'oco') placeOco(step, action);
      if (action.kind === 'oto')
        placeOto(
          step,
          action,
          (waiting) => checkRoom(step, action, 'both', waiting),
          (order, worst) => holdAtWorst(step, order, worst),
        );
      if (action.kind === 'release' && owedOtos(this.state).length > 0) releaseOto(step, action.reference);
      if (action.kind === 'amend') amend(step, action);
      if (action.kind === 'cancel') cancel(step, action);
      if (action.kind === 'cancelAll') count = cancelAll(step, action);
      if (action.kind === 'trigger' && this.state.due.length > 0)
        execute(step, this.state.due[0]!, action.reference);
      if (action.kind === 'exits' && this.state.owed.length > 0) placeExits(step, action.reference);
      if (action.kind === 'expire') at.expire(step, undefined);
      if (action.kind === 'status') at.marketOf(this.state, action.symbol).status = action.status;
      markStops(step);
      const [changed, followed] = [[...step.changed], [...step.followed]];
      const { trades, amendments } = step;
      return { refused: undefined, changed, followed, trades, amendments, count };
    } catch (cause) {
      if (!(cause instanceof NaiveRefusal)) throw cause;
      this.state = before;
      return { refused: cause.key, changed: [], followed: [], trades: [], amendments: [], count: 0 };
    }
  }
}

/**
 * Places the take-profit and stop-loss of the entry order with the lowest rank among those for which they are
 * still to be placed. They sell the amount that a buy received after its fee, or buy back with the proceeds
 * of a sale.
 */
function placeExits(step: at.NaiveStep, reference: Decimal | undefined): void {
  const entry = step.state.owed.toSorted((left, right) => left.rank - right.rank)[0]!;
  const { listed, takeProfit, stopLoss, stopLossLimit } = entry;
  const { pair } = listed;
  at.expire(step, pair.symbol);
  step.state.owed = step.state.owed.filter((candidate) => candidate !== entry);
  step.changed.add(entry);
  const { last } = at.marketOf(step.state, pair.symbol);
  const wasBuy = entry.side === 'buy';
  const side = wasBuy ? 'sell' : 'buy';
  const { best } = marketViewFor(step, pair.symbol, { side });
  const received = entry.filledAmount.minus(entry.fee).rounded(pair.amountDigits, 'down');
  const earned = entry.filledTotal.minus(entry.fee);
  const sold = { sold: entry.filledAmount, earned };
  const amountFor = (prices: ExitsRequest) => (wasBuy ? received : buyBackAmount(listed, sold, prices));
  const marketSize = wasBuy
    ? { amount: received }
    : { total: earned.rounded(pair.priceDigits + pair.amountDigits, 'down') };
  const entering = {
    owner: entry.owner,
    symbol: listed.pair.symbol,
    selfTrade: entry.selfTrade,
    clientId: '',
    rates: { maker: entry.makerRate, taker: entry.takerRate },
    quoteValue: step.quoteValue,
  };
  const exit = { side, postOnly: false } as const;
  const limit = (price: Decimal) =>
    ({
      ...exit,
      amount: amountFor({ takeProfit: price }),
      type: 'limit',
      price,
      timeInForce: 'GTC',
    }) as const;
  const placeSingle = (request: PlaceCommand['request'], index?: Decimal) =>
    place(step, { kind: 'place', ...entering, reference: index, request });
  const isStopped = stopLoss !== undefined && (wasBuy ? !last!.isMore(stopLoss) : !last!.isLess(stopLoss));
  const isBetter = takeProfit !== undefined && best !== undefined && takeProfit.isMore(best);
  const isSame = takeProfit !== undefined && best !== undefined && takeProfit.equals(best);
  const isTaken = best !== undefined && takeProfit !== undefined && (isSame || isBetter !== wasBuy);
  try {
    if (isStopped && stopLossLimit !== undefined) placeSingle(limit(stopLossLimit));
    else if (isStopped)
      placeSingle({ ...exit, ...marketSize, type: 'market', timeInForce: 'IOC' }, reference);
    else if (stopLoss === undefined || isTaken) placeSingle(limit(takeProfit!));
    else if (takeProfit === undefined && stopLossLimit === undefined)
      placeSingle({ ...exit, ...marketSize, stopPrice: stopLoss, type: 'stopMarket', timeInForce: 'IOC' });
    else if (takeProfit === undefined) {
      const terms = { ...limit(stopLossLimit!), stopPrice: stopLoss };
      placeSingle({ ...terms, type: 'stopLimit' });
    } else {
      const amount = amountFor({ takeProfit, stopLoss, stopLossLimit });
      const prices = { limitPrice: takeProfit, stopPrice: stopLoss, stopLimitPrice: stopLossLimit };
      placeExitLegs(step, { kind: 'oco', ...entering, side, amount, ...prices, reference: undefined });
    }
    entry.exitStatus = 'placed';
  } catch (cause) {
    if (!(cause instanceof NaiveRefusal)) throw cause;
    entry.exitStatus = EXIT_FAILURES[cause.key] ?? 'noLiquidity';
  }
  for (const order of step.changed)
    if (order.label.startsWith(labelOf(step.sequence))) order.entry = entry.label;
}

const EXIT_FAILURES: Readonly<Record<string, string>> = {
  'l.insufficient_balance': 'balanceShort',
  'l.amount_min': 'tooSmall',
  'l.total_min': 'tooSmall',
  'l.open_orders_max': 'tooMany',
  'l.stop_orders_max': 'tooMany',
  'l.pair_closed': 'pairClosed',
  'l.pair_cancel_only': 'pairClosed',
};

function place(step: at.NaiveStep, command: PlaceCommand): void {
  const { symbol, request, reference } = command;
  const { listed } = at.marketOf(step.state, symbol);
  at.expire(step, symbol);
  const view = marketViewFor(step, symbol, request, reference);
  checkPlacing(listed, request, view);
  checkExits(listed, request, view);
  checkRoom(step, command, isStop(request.type) ? 'stops' : request.type === 'limit' ? 'orders' : 'none');
  const order = newOrder(step, listed, command, view.last);
  if (isStop(request.type)) {
    at.holdFor(step, order, requiredHold(order, remainingOf(order)));
    step.state.orders.push(order);
    step.changed.add(order);
    return;
  }
  const worst =
    order.type === 'limit' ? order.price : guardPriceFor(listed, order.side, view.best!, reference);
  at.holdFor(step, order, holdAtWorst(step, order, worst!));
  step.state.orders.push(order);
  enterMarket(step, order, worst);
}

/**
 * The funds to hold for an order that is placed on the book with the worst price `worst`. Refuses a post-only or
 * fill-or-kill order that cannot fulfill its condition, and an order by total that would not trade.
 */
function holdAtWorst(step: at.NaiveStep, order: NaiveOrder, worst: Decimal): Decimal {
  const makers = makersFor(order, step.state.orders);
  if (order.postOnly && makers.some(({ price }) => accepts(order, worst, price!)))
    refuse('l.post_only_crosses');
  if (order.timeInForce === 'FOK') {
    const problem = fillOrKillProblem(order, worst, makers);
    if (problem !== undefined) refuse(problem === 'selfTrade' ? 'l.self_trade' : 'l.fok_unfilled');
  }
  if (order.total === undefined)
    return order.side === 'sell' ? order.amount! : worst.timesExact(order.amount!);
  const plan = planFor({ taker: order, worst, mode: order.selfTrade }, makers);
  if (plan.sold.isZero()) {
    const reason = reasonOf(plan, 'market');
    if (reason === 'selfTrade') refuse('l.self_trade');
    refuse(reason === 'totalTooSmall' ? 'l.total_min' : 'l.no_liquidity');
  }
  if (order.side === 'buy') return order.total;
  return sumOf(plan.steps, 'trade').plus(sumOf(plan.steps, 'decrement'));
}

/** Refuses if `added` more orders would exceed an owner's limits of open orders or waiting stops on a pair. */
function checkRoom(
  step: at.NaiveStep,
  { owner, symbol }: { owner: string; symbol: string },
  kind: 'orders' | 'stops' | 'both' | 'none',
  added = 1,
): void {
  const { filters } = at.marketOf(step.state, symbol).listed;
  const ownOrders = at.ordersOn(step.state, symbol).filter((order) => order.owner === owner);
  const resting = ownOrders.filter((order) => order.resting).length;
  const waiting = ownOrders.filter(
    (order) => order.isPending || order.stopStatus === 'waiting' || order.stopStatus === 'due',
  ).length;
  if ((kind === 'orders' || kind === 'both') && resting >= filters.maxOpenOrders) refuse('l.open_orders_max');
  if ((kind === 'stops' || kind === 'both') && waiting + added > filters.maxStopOrders)
    refuse('l.stop_orders_max');
}

function placeOco(step: at.NaiveStep, command: OcoCommand): void {
  const { symbol, limitPrice, reference } = command;
  const { listed } = at.marketOf(step.state, symbol);
  at.expire(step, symbol);
  const view = marketViewFor(step, symbol, command, reference);
  checkOco(listed, command, view);
  const [limit, stop] = [newLeg(step, listed, command, 'limit'), newLeg(step, listed, command, 'stop')];
  if (view.best !== undefined && accepts(limit, limitPrice, view.best)) refuse('l.post_only_crosses');
  addLegs(step, command, limit, stop);
}

/**
 * Places the take-profit and stop-loss of an entry as an OCO. Unlike in a user's OCO, the take-profit of
 * a sale may lie below the last price if no bid is that high.
 */
function placeExitLegs(step: at.NaiveStep, command: OcoCommand): void {
  const { symbol, amount, limitPrice, stopPrice, stopLimitPrice } = command;
  const { listed, status } = at.marketOf(step.state, symbol);
  checkStatus(status);
  checkAmount(listed, amount);
  checkTotal(listed, limitPrice.timesExact(amount));
  checkTotal(listed, (stopLimitPrice ?? stopPrice).timesExact(amount));
  addLegs(step, command, newLeg(step, listed, command, 'limit'), newLeg(step, listed, command, 'stop'));
}

function addLegs(step: at.NaiveStep, command: OcoCommand, limit: NaiveOrder, stop: NaiveOrder): void {
  checkRoom(step, command, 'both');
  const [limitNeed, stopNeed] = [requiredHold(limit, limit.amount!), requiredHold(stop, stop.amount!)];
  at.holdFor(step, limit, greatest(limitNeed, stopNeed));
  limit.resting = true;
  step.state.orders.push(limit, stop);
  step.changed.add(limit).add(stop);
}

function cancel(step: at.NaiveStep, { owner, order: label }: CancelCommand): void {
  const order = step.state.orders.find((open) => open.label === label && open.owner === owner);
  if (order === undefined) refuse('l.order_not_open');
  if (at.marketOf(step.state, order.listed.pair.symbol).status === 'closed') refuse('l.pair_closed');
  at.endWithPartner(step, order, 'cancelled', 'user');
}

function placeInList({ isPending, type }: NaiveOrder): number {
  return (isPending ? 2 : 0) + (isStop(type) ? 1 : 0);
}

function cancelAll(step: at.NaiveStep, { owner, base, quote, side }: CancelAllCommand): number {
  const chosen = step.state.orders
    .filter((order) => order.owner === owner)
    .filter(({ listed }) => base === undefined || listed.pair.base === base)
    .filter(({ listed }) => quote === undefined || listed.pair.quote === quote)
    .filter((order) => side === undefined || order.side === side)
    .filter(({ listed }) => at.marketOf(step.state, listed.pair.symbol).status !== 'closed')
    // The orders of a list have the same rank. The order on the book comes first, then waiting limit orders.
    .sort((a, b) => a.rank - b.rank || placeInList(a) - placeInList(b));
  for (const order of chosen) if (order.state === 'open') at.endWithPartner(step, order, 'cancelled', 'user');
  return chosen.length;
}
