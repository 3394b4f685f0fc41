import type { Instant } from '@exchange/core/time.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { cancelOrder } from './cancellation.ts';
import type { CountdownEndInput, CountdownInput, SessionEndInput } from './command-inputs.ts';
import type { Countdown } from './domain/countdowns.ts';
import type { EndReason, SpotOrder } from './domain/order.ts';
import type { ExchangeState } from './exchange-state.ts';
import { countdownWriter } from './writers.ts';

/**
 * Cancellation of orders whose program no longer responds: its countdown ran out, or its connection ended. Like an
 * expiry, such a cancellation does not need an open pair, but it needs coins that are not halted.
 */

/**
 * Starts an account's countdown for one pair or all pairs, in place of the running one; a duration of 0 ends the
 * running one. Returns the time at which the orders will be cancelled; undefined if the countdown was ended. Refuses an
 * unknown pair.
 */
export function setCountdown(
  state: ExchangeState,
  step: Step,
  { owner, symbol, durationMs }: CountdownInput,
): { readonly dueAt: Instant | undefined } {
  if (symbol !== '') state.market(symbol);
  const { countdowns } = state;
  const before = countdowns.get(owner, symbol);
  step.onUndo(() => {
    countdowns.remove({ owner, symbol });
    if (before !== undefined) countdowns.set(before);
  });
  if (durationMs === 0) {
    countdowns.remove({ owner, symbol });
    step.write(countdownWriter, { owner, symbol, rank: step.sequence });
    return { dueAt: undefined };
  }
  const expireAt = (step.now + durationMs) as Instant;
  const countdown = { owner, symbol, expireAt, rank: step.sequence };
  countdowns.set(countdown);
  step.write(countdownWriter, countdown);
  return { dueAt: expireAt };
}

/**
 * Executes a countdown that has run out: cancels at most `most` of the orders that it covers. The countdown ends when
 * no such order remains; orders of a pair with a halted coin are cancelled when the halt ends. Does nothing if the
 * countdown was ended or started again. Refuses while the halt of an affected coin is not stored.
 */
export function endCountdown(
  state: ExchangeState,
  step: Step,
  { owner, symbol, rank, most }: CountdownEndInput,
): { readonly count: number } {
  const { countdowns } = state;
  const countdown = countdowns.get(owner, symbol);
  if (countdown?.rank !== rank || countdown.expireAt > step.now) return { count: 0 };
  const covered = coveredOrders(state, countdown);
  const movable = movableOrders(state, covered);
  const count = cancelAutomatically(state, step, movable.slice(0, most), 'countdown');
  const left = covered.filter((order) => order.state === 'open');
  const isHalted = ({ pair }: SpotOrder) => state.isHalted(pair);
  step.forbidRefusal();
  if (left.length === 0) {
    countdowns.remove(countdown);
    step.write(countdownWriter, { owner, symbol, rank });
  } else if (left.every(isHalted)) {
    countdowns.wait(countdown, new Set(left.map(({ pair }) => pair.symbol)));
  }
  return { count };
}

/**
 * Cancels at most `most` of the open orders that were placed under an ended client connection with the option to be
 * cancelled at its end. Skips orders of pairs with a halted coin and of pairs whose stops are still being marked.
 * Returns the number of cancelled orders. Refuses while the halt of an affected coin is not stored.
 */
export function endSession(
  state: ExchangeState,
  step: Step,
  { sessionId, most }: SessionEndInput,
): { readonly count: number } {
  const movable = movableOrders(state, state.orders.ofSession(sessionId));
  return { count: cancelAutomatically(state, step, movable.slice(0, most), 'disconnected') };
}

/**
 * Whether an open order of the pair is covered by a countdown that has run out by `now`, or a countdown that has run
 * out waits until orders of the pair can be cancelled.
 */
export function isCountdownDue(state: ExchangeState, symbol: string, now: Instant): boolean {
  const { countdowns } = state;
  if (!countdowns.isAnyDue(now)) return false;
  for (const countdown of countdowns.due(now)) if (coversOrderOn(state, countdown, symbol)) return true;
  return countdowns.waitingFor(symbol).length > 0;
}

/**
 * The countdowns to execute now: those that have run out by `now`, and those that waited for a pair whose
 * coins are no longer halted.
 */
export function executableCountdowns(state: ExchangeState, now: Instant): Countdown[] {
  const { countdowns } = state;
  const movingAgain = countdowns.waitedFor.filter((symbol) => !state.isStopped(state.market(symbol).pair));
  return [...countdowns.due(now), ...new Set(movingAgain.flatMap((symbol) => countdowns.waitingFor(symbol)))];
}

function coversOrderOn(state: ExchangeState, { owner, symbol: scope, expireAt }: Countdown, symbol: string) {
  if (scope !== '' && scope !== symbol) return false;
  return state.orders
    .ofOwner(owner)
    .some(({ pair, createdAt }) => pair.symbol === symbol && createdAt <= expireAt);
}

/** The open orders that a countdown cancels: those placed not later than its end. */
function coveredOrders({ orders }: ExchangeState, { owner, symbol, expireAt }: Countdown): SpotOrder[] {
  return orders
    .ofOwner(owner)
    .filter(({ pair, createdAt }) => (symbol === '' || pair.symbol === symbol) && createdAt <= expireAt);
}

/** The orders whose pair has no halted coin and no triggered stops that are still being marked as due. */
function movableOrders(state: ExchangeState, orders: readonly SpotOrder[]): SpotOrder[] {
  return orders.filter(
    ({ pair }) => !state.isHalted(pair) && state.market(pair.symbol).marking === undefined,
  );
}

/**
 * Cancels orders and returns their number. Other orders of their OCOs and OTOs that end with them are not counted.
 * Refuses, before the first change, when the ledger refuses postings of a coin of the orders' pairs.
 */
function cancelAutomatically(
  state: ExchangeState,
  step: Step,
  orders: readonly SpotOrder[],
  reason: EndReason,
): number {
  const bySymbol = new Map<string, SpotOrder[]>();
  for (const order of orders) {
    state.requireMoving(order.pair);
    const onPair = bySymbol.get(order.pair.symbol);
    if (onPair === undefined) bySymbol.set(order.pair.symbol, [order]);
    else onPair.push(order);
  }
  let count = 0;
  for (const [symbol, onPair] of bySymbol) {
    state.changedLevels.clear();
    for (const order of onPair) {
      // The order may have ended together with an earlier one of its OCO or OTO, so it is skipped then.
      if (order.state !== 'open') continue;
      cancelOrder(state, step, order, reason);
      count += 1;
    }
    state.changedLevels.publish(step, state.market(symbol));
  }
  return count;
}
