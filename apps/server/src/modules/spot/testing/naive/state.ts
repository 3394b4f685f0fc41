import { greatest, type Decimal } from '@exchange/core/decimal.ts';
import type { PairStatus } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import { NaiveAccounts } from './accounts.ts';
import {
  heldAsset,
  requiredHold,
  remainingOf,
  type Listed,
  type NaiveAmendment,
  type NaiveOrder,
  type NaiveTrade,
} from './order.ts';

/** The current state of a pair in the reference exchange. */
export interface NaiveMarket {
  readonly listed: Listed;
  status: PairStatus;
  last: Decimal | undefined;
}

/** The complete state of the naive exchange, as plain lists. */
export interface NaiveState {
  readonly markets: NaiveMarket[];
  /** The open orders, in no defined order. */
  orders: NaiveOrder[];
  accounts: NaiveAccounts;
  /** The labels of due stops in execution order; their price was reached and they are not placed yet. */
  due: string[];
  /** Ended orders whose take-profit and stop-loss are still to be placed. */
  owed: NaiveOrder[];
}

/** A command in progress on the reference exchange and its effects so far. */
export interface NaiveStep {
  readonly state: NaiveState;
  readonly sequence: number;
  readonly now: Instant;
  readonly quoteValue: Decimal | undefined;
  readonly changed: Set<NaiveOrder>;
  /** Trailing stops whose trigger price moved. They are not in `changed` for this reason alone. */
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
  const market = state.markets.find((candidate) => candidate.listed.pair.symbol === symbol);
  if (market === undefined) throw new Error(`naive: no pair ${symbol}`);
  return market;
}

export function ordersOn(state: NaiveState, symbol: string): NaiveOrder[] {
  return state.orders.filter((order) => order.listed.pair.symbol === symbol);
}

/** The other order (leg) of an OCO while it is open; undefined if there is none. */
export function partnerOf(state: NaiveState, order: NaiveOrder): NaiveOrder | undefined {
  if (order.group === '') return undefined;
  return state.orders.find((leg) => leg.group === order.group && leg.label !== order.label);
}

/**
 * The funds that an order on the book must hold. The limit leg of an OCO holds the funds of the more
 * expensive leg.
 */
export function requiredHoldNow(state: NaiveState, order: NaiveOrder): Decimal {
  const ownNeed = requiredHold(order, remainingOf(order));
  const partner = partnerOf(state, order);
  return partner === undefined ? ownNeed : greatest(ownNeed, requiredHold(partner, remainingOf(partner)));
}

/** Increases the funds held for an order. Refuses if the owner's balance is too small. */
export function holdFor(step: NaiveStep, order: NaiveOrder, amount: Decimal): void {
  step.state.accounts.hold(order.owner, heldAsset(order), amount);
  order.held = order.held.plus(amount);
}

export function releaseFrom(step: NaiveStep, order: NaiveOrder, amount: Decimal): void {
  step.state.accounts.release(order.owner, heldAsset(order), amount);
  order.held = order.held.minus(amount);
}

/** Ends an order together with the other order of its OCO. */
export function endWithPartner(
  step: NaiveStep,
  order: NaiveOrder,
  state: 'filled' | 'cancelled',
  reason: string,
): void {
  const partner = partnerOf(step.state, order);
  endAlone(step, order, state, reason);
  if (partner?.state === 'open') endAlone(step, partner, 'cancelled', 'oco');
}

/**
 * Ends an order without its OCO partner and releases its held funds. If the order belongs to an OTO whose pending
 * orders are not placed yet, the other orders of the OTO end too, except when the working order is filled.
 */
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
  step.state.orders = step.state.orders.filter((open) => open.label !== order.label);
  step.state.due = step.state.due.filter((label) => label !== order.label);
  releaseFrom(step, order, order.held);
  if (order.oto !== '') endOto(step, order);
  if (order.exitStatus === undefined) return;
  if (order.filledAmount.isZero()) order.exitStatus = 'unfilled';
  else step.state.owed.push(order);
}

function endOto(step: NaiveStep, { oto, otoRole, isPending, state }: NaiveOrder): void {
  if (otoRole === 'working' && state === 'filled') return;
  const others = step.state.orders.filter((order) => order.oto === oto);
  if (!isPending && !others.some((order) => order.isPending)) return;
  for (const other of others) if (other.state === 'open') endAlone(step, other, 'cancelled', 'oto');
}

/** Whether any open order has expired. */
export function isAnyLate({ orders }: NaiveState, now: Instant): boolean {
  return orders.some(({ expireAt }) => expireAt !== undefined && expireAt <= now);
}

/** Ends the expired orders of a pair, or of all pairs, by expiry and then rank. */
export function expire(step: NaiveStep, symbol: string | undefined): void {
  const expired = step.state.orders
    .filter(({ expireAt }) => expireAt !== undefined && expireAt <= step.now)
    .filter((order) => symbol === undefined || order.listed.pair.symbol === symbol)
    .sort((a, b) => a.expireAt! - b.expireAt! || a.rank - b.rank);
  for (const order of expired)
    if (order.state === 'open') endWithPartner(step, order, 'cancelled', 'expired');
}
