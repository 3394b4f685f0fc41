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
  backFor,
  checkAmount,
  checkExits,
  checkOco,
  checkPlacing,
  checkStatus,
  checkTotal,
} from './checks.ts';
import { accepts, fillOrKillProblem, makersFor, planFor, reasonOf, sumOf } from './meetings.ts';
import {
  type Listed,
  type NaiveAmendment,
  type NaiveOrder,
  NaiveRefusal,
  type NaiveTrade,
  guarded,
  isStop,
  needFor,
  refuse,
  remainingOf,
} from './order.ts';
import { newLeg, newOrder } from './new-order.ts';
import { seenBy } from './seen.ts';
import * as at from './state.ts';
import { execute, markStops } from './stops.ts';
import { enterMarket } from './trading.ts';

/** What a command did: a refusal's key and nothing else, or the orders it changed and its trades. */
export interface NaiveAnswer {
  readonly refused: string | undefined;
  readonly changed: readonly NaiveOrder[];
  readonly trades: readonly NaiveTrade[];
  readonly amendments: readonly NaiveAmendment[];
  /** Trailing stops that came nearer. */
  readonly followed: readonly NaiveOrder[];
  /** How many orders a command that ends many has ended at its caller's wish. */
  readonly count: number;
}

/**
 * The reference exchange, written from the rules alone: lists that are searched and sorted anew for every
 * question, no code shared with the real one but decimals and the fee formula. Slow on purpose.
 */
export class NaiveExchange {
  state: at.NaiveState;

  constructor(listings: readonly Listed[]) {
    this.state = at.emptyState(listings);
  }

  run({ sequence, now, deed }: ModelCommand): NaiveAnswer {
    // A command is refused before it changes anything, but for what outlived its time and ends with it.
    const before = at.isAnyLate(this.state, now) ? at.copyOf(this.state) : this.state;
    const quoteValue = 'quoteValue' in deed ? deed.quoteValue : undefined;
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
      if (deed.kind === 'place') place(step, deed);
      if (deed.kind === 'oco') placeOco(step, deed);
      if (deed.kind === 'amend') amend(step, deed);
      if (deed.kind === 'cancel') cancel(step, deed);
      if (deed.kind === 'cancelAll') count = cancelAll(step, deed);
      if (deed.kind === 'trigger' && this.state.due.length > 0)
        execute(step, this.state.due[0]!, deed.reference);
      if (deed.kind === 'exits' && this.state.owed.length > 0) placeExits(step, deed.reference);
      if (deed.kind === 'expire') at.expire(step, undefined);
      if (deed.kind === 'status') at.marketOf(this.state, deed.symbol).status = deed.status;
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

/** The entry that was placed first gets its exits: what it bought is sold, or what it sold is bought back, as it wished. */
function placeExits(step: at.NaiveStep, reference: Decimal | undefined): void {
  const entry = step.state.owed.toSorted((one, other) => one.rank - other.rank)[0]!;
  const { listed, takeProfit, stopLoss, stopLossLimit } = entry;
  const { pair } = listed;
  at.expire(step, pair.symbol);
  step.state.owed = step.state.owed.filter((other) => other !== entry);
  step.changed.add(entry);
  const { last } = at.marketOf(step.state, pair.symbol);
  const wasBuy = entry.side === 'buy';
  const side = wasBuy ? 'sell' : 'buy';
  const { best } = seenBy(step, pair.symbol, { side });
  const kept = entry.filledAmount.minus(entry.fee).rounded(pair.amountDigits, 'down');
  const earned = entry.filledTotal.minus(entry.fee);
  const sold = { sold: entry.filledAmount, earned };
  const amountFor = (prices: ExitsRequest) => (wasBuy ? kept : backFor(listed, sold, prices));
  const whole = wasBuy
    ? { amount: kept }
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
  const alone = (request: PlaceCommand['request'], index?: Decimal) =>
    place(step, { kind: 'place', ...entering, reference: index, request });
  const isStopped = stopLoss !== undefined && (wasBuy ? !last!.isMore(stopLoss) : !last!.isLess(stopLoss));
  const isBetter = takeProfit !== undefined && best !== undefined && takeProfit.isMore(best);
  const isSame = takeProfit !== undefined && best !== undefined && takeProfit.equals(best);
  const isTaken = best !== undefined && takeProfit !== undefined && (isSame || isBetter !== wasBuy);
  try {
    if (isStopped && stopLossLimit !== undefined) alone(limit(stopLossLimit));
    else if (isStopped) alone({ ...exit, ...whole, type: 'market', timeInForce: 'IOC' }, reference);
    else if (stopLoss === undefined || isTaken) alone(limit(takeProfit!));
    else if (takeProfit === undefined && stopLossLimit === undefined)
      alone({ ...exit, ...whole, stopPrice: stopLoss, type: 'stopMarket', timeInForce: 'IOC' });
    else if (takeProfit === undefined) {
      const terms = { ...limit(stopLossLimit!), stopPrice: stopLoss };
      alone({ ...terms, type: 'stopLimit' });
    } else {
      const amount = amountFor({ takeProfit, stopLoss, stopLossLimit });
      const prices = { limitPrice: takeProfit, stopPrice: stopLoss, stopLimitPrice: stopLossLimit };
      bothLegs(step, { kind: 'oco', ...entering, side, amount, ...prices, reference: undefined });
    }
    entry.exitStatus = 'placed';
  } catch (cause) {
    if (!(cause instanceof NaiveRefusal)) throw cause;
    entry.exitStatus = WHY_NOT[cause.key] ?? 'noLiquidity';
  }
  for (const order of step.changed)
    if (order.label.startsWith(labelOf(step.sequence))) order.entry = entry.label;
}

const WHY_NOT: Readonly<Record<string, string>> = {
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
  const seen = seenBy(step, symbol, request, reference);
  checkPlacing(listed, request, seen);
  checkExits(listed, request, seen);
  checkRoom(step, command, isStop(request.type) ? 'stops' : request.type === 'limit' ? 'orders' : 'none');
  const order = newOrder(step, listed, command, seen.last);
  if (isStop(request.type)) {
    at.holdFor(step, order, needFor(order, remainingOf(order)));
    step.state.orders.push(order);
    step.changed.add(order);
    return;
  }
  const worst = order.type === 'limit' ? order.price : guarded(listed, order.side, seen.best!, reference);
  at.holdFor(step, order, toHold(step, order, worst!));
  step.state.orders.push(order);
  enterMarket(step, order, worst);
}

/** What an order for the market needs set aside; refuses one that could not do what it must do at once. */
function toHold(step: at.NaiveStep, order: NaiveOrder, worst: Decimal): Decimal {
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
  return sumOf(plan.meetings, 'trade').plus(sumOf(plan.meetings, 'decrement'));
}

/** Each owner has so many open orders and so many waiting stops on a pair, and no more. */
function checkRoom(
  step: at.NaiveStep,
  { owner, symbol }: { owner: string; symbol: string },
  what: 'orders' | 'stops' | 'both' | 'none',
): void {
  const { filters } = at.marketOf(step.state, symbol).listed;
  const own = at.ordersOn(step.state, symbol).filter((order) => order.owner === owner);
  const resting = own.filter((order) => order.resting).length;
  const waiting = own.filter((order) => order.stopStatus === 'waiting' || order.stopStatus === 'due').length;
  if ((what === 'orders' || what === 'both') && resting >= filters.maxOpenOrders) refuse('l.open_orders_max');
  if ((what === 'stops' || what === 'both') && waiting >= filters.maxStopOrders) refuse('l.stop_orders_max');
}

function placeOco(step: at.NaiveStep, command: OcoCommand): void {
  const { symbol, limitPrice, reference } = command;
  const { listed } = at.marketOf(step.state, symbol);
  at.expire(step, symbol);
  const seen = seenBy(step, symbol, command, reference);
  checkOco(listed, command, seen);
  const [limit, stop] = [newLeg(step, listed, command, 'limit'), newLeg(step, listed, command, 'stop')];
  if (seen.best !== undefined && accepts(limit, limitPrice, seen.best)) refuse('l.post_only_crosses');
  rest(step, command, limit, stop);
}

/** The exits of an entry as an OCO: the take-profit may lie below the last price while nobody bids it. */
function bothLegs(step: at.NaiveStep, command: OcoCommand): void {
  const { symbol, amount, limitPrice, stopPrice, stopLimitPrice } = command;
  const { listed, status } = at.marketOf(step.state, symbol);
  checkStatus(status);
  checkAmount(listed, amount);
  checkTotal(listed, limitPrice.timesExact(amount));
  checkTotal(listed, (stopLimitPrice ?? stopPrice).timesExact(amount));
  rest(step, command, newLeg(step, listed, command, 'limit'), newLeg(step, listed, command, 'stop'));
}

function rest(step: at.NaiveStep, command: OcoCommand, limit: NaiveOrder, stop: NaiveOrder): void {
  checkRoom(step, command, 'both');
  const [one, other] = [needFor(limit, limit.amount!), needFor(stop, stop.amount!)];
  at.holdFor(step, limit, greatest(one, other));
  limit.resting = true;
  step.state.orders.push(limit, stop);
  step.changed.add(limit).add(stop);
}

function cancel(step: at.NaiveStep, { owner, order: label }: CancelCommand): void {
  const order = step.state.orders.find((open) => open.label === label && open.owner === owner);
  if (order === undefined) refuse('l.order_not_open');
  if (at.marketOf(step.state, order.listed.pair.symbol).status === 'closed') refuse('l.pair_closed');
  at.end(step, order, 'cancelled', 'user');
}

function cancelAll(step: at.NaiveStep, { owner, base, quote, side }: CancelAllCommand): number {
  const chosen = step.state.orders
    .filter((order) => order.owner === owner)
    .filter(({ listed }) => base === undefined || listed.pair.base === base)
    .filter(({ listed }) => quote === undefined || listed.pair.quote === quote)
    .filter((order) => side === undefined || order.side === side)
    .filter(({ listed }) => at.marketOf(step.state, listed.pair.symbol).status !== 'closed')
    // The legs of an OCO have one rank: the limit leg goes first.
    .sort((a, b) => a.rank - b.rank || Number(isStop(a.type)) - Number(isStop(b.type)));
  for (const order of chosen) if (order.state === 'open') at.end(step, order, 'cancelled', 'user');
  return chosen.length;
}
