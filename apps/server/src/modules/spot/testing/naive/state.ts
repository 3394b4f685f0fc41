import { greatest, type Decimal } from '@exchange/core/decimal.ts';
import type { PairStatus } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import { NaiveAccounts } from './accounts.ts';
import {
  heldAsset,
  needFor,
  remainingOf,
  type Listed,
  type NaiveAmendment,
  type NaiveOrder,
  type NaiveTrade,
} from './order.ts';

/** One pair as it is at the moment. */
export interface NaiveMarket {
  readonly listed: Listed;
  status: PairStatus;
  last: Decimal | undefined;
}

/** Everything the naive exchange knows: plain lists. */
export interface NaiveState {
  readonly markets: NaiveMarket[];
  /** The open orders, in no order that matters. */
  orders: NaiveOrder[];
  accounts: NaiveAccounts;
  /** Labels of stops whose condition was met, first to be executed first. */
  due: string[];
  /** Ended buys whose exits are still to be placed. */
  owed: NaiveOrder[];
}

/** One command being carried out, and what it has done so far. */
export interface NaiveStep {
  readonly state: NaiveState;
  readonly sequence: number;
  readonly now: Instant;
  readonly quoteValue: Decimal | undefined;
  readonly changed: Set<NaiveOrder>;
  /** Trailing stops that came nearer: nothing a person did or is told of. */
  readonly followed: Set<NaiveOrder>;
  readonly trades: NaiveTrade[];
  readonly amendments: NaiveAmendment[];
}

export function emptyState(listings: readonly Listed[]): NaiveState {
  const markets = listings.map((listed) => ({ listed, status: 'open' as const, last: undefined }));
  return { markets, orders: [], accounts: new NaiveAccounts(), due: [], owed: [] };
}

export function copyOf({ markets, orders, accounts, due, owed }: NaiveState): NaiveState {
  return {
    markets: markets.map((market) => ({ ...market })),
    orders: orders.map((order) => ({ ...order })),
    accounts: accounts.copy(),
    due: [...due],
    owed: owed.map((order) => ({ ...order })),
  };
}

export function marketOf(state: NaiveState, symbol: string): NaiveMarket {
  const found = state.markets.find((market) => market.listed.pair.symbol === symbol);
  if (found === undefined) throw new Error(`naive: no pair ${symbol}`);
  return found;
}

export function ordersOn(state: NaiveState, symbol: string): NaiveOrder[] {
  return state.orders.filter((order) => order.listed.pair.symbol === symbol);
}

/** The other leg of an OCO while it is open. */
export function partnerOf(state: NaiveState, order: NaiveOrder): NaiveOrder | undefined {
  if (order.group === '') return undefined;
  return state.orders.find((other) => other.group === order.group && other.label !== order.label);
}

/** What an order in the book must have set aside now; the limit leg of an OCO holds for the dearer leg. */
export function needed(state: NaiveState, order: NaiveOrder): Decimal {
  const own = needFor(order, remainingOf(order));
  const partner = partnerOf(state, order);
  return partner === undefined ? own : greatest(own, needFor(partner, remainingOf(partner)));
}

/** Sets `amount` aside for an order; refuses when its owner has too little. */
export function holdFor(step: NaiveStep, order: NaiveOrder, amount: Decimal): void {
  step.state.accounts.hold(order.owner, heldAsset(order), amount);
  order.held = order.held.plus(amount);
}

export function releaseFrom(step: NaiveStep, order: NaiveOrder, amount: Decimal): void {
  step.state.accounts.release(order.owner, heldAsset(order), amount);
  order.held = order.held.minus(amount);
}

/** Ends an order, and the other leg of its OCO with it. */
export function end(step: NaiveStep, order: NaiveOrder, state: 'filled' | 'cancelled', reason: string): void {
  const partner = partnerOf(step.state, order);
  endAlone(step, order, state, reason);
  if (partner !== undefined) endAlone(step, partner, 'cancelled', 'oco');
}

/** Ends an order and gives back what it held. */
export function endAlone(
  step: NaiveStep,
  order: NaiveOrder,
  state: 'filled' | 'cancelled',
  reason: string,
): void {
  order.state = state;
  order.reason = reason;
  order.resting = false;
  order.updatedAt = step.now;
  step.changed.add(order);
  step.state.orders = step.state.orders.filter((other) => other.label !== order.label);
  step.state.due = step.state.due.filter((label) => label !== order.label);
  releaseFrom(step, order, order.held);
  if (order.exitStatus === undefined) return;
  if (order.filledAmount.isZero()) order.exitStatus = 'unfilled';
  else step.state.owed.push(order);
}

/** Whether an open order has outlived its time. */
export function isAnyLate({ orders }: NaiveState, now: Instant): boolean {
  return orders.some(({ expireAt }) => expireAt !== undefined && expireAt <= now);
}

/** Ends what has outlived its time on a pair, or on all, by time and then rank. */
export function expire(step: NaiveStep, symbol: string | undefined): void {
  const late = step.state.orders
    .filter(({ expireAt }) => expireAt !== undefined && expireAt <= step.now)
    .filter((order) => symbol === undefined || order.listed.pair.symbol === symbol)
    .sort((a, b) => a.expireAt! - b.expireAt! || a.rank - b.rank);
  for (const order of late) if (order.state === 'open') end(step, order, 'cancelled', 'expired');
}
