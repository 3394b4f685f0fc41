import { least, type Decimal } from '@exchange/core/decimal.ts';
import { oppositeSide } from '@exchange/core/pair.ts';
import { guardPrice } from '@exchange/core/spot.ts';
import { resultingType } from '@exchange/core/stop.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { MarkInput, ExternalInputs, TriggerInput } from './command-inputs.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { endOrder, expireDue, cancelOrder } from './cancellation.ts';
import { incomingOf } from './resting.ts';
import type { SpotOrder } from './domain/order.ts';
import { priceOf } from './settlement.ts';
import { enterBook, markMet } from './trading.ts';

/**
 * Executes a due stop: places it on the book as a limit or market order with a new rank. If the stop has
 * expired, its pair is not open, or a market order finds no opposite order, ends it instead. Does nothing if
 * `order` is no longer due or an asset of its pair is halted. Returns the order, or undefined if it did
 * nothing. Refuses while a halt is not stored yet, so that the stop stays due. The order's limits were
 * checked at its placement and are not checked again.
 */
export function trigger(
  state: ExchangeState,
  step: Step,
  { order: id, ...outside }: TriggerInput,
): SpotOrder | undefined {
  const order = state.due.get(id);
  if (order === undefined || state.isHalted(order.pair)) return undefined;
  state.requireMoving(order.pair);
  const market = state.market(order.pair.symbol);
  state.changedLevels.clear();
  expireDue(state, step, market);
  if (order.state === 'open') execute(state, step, market, order, outside);
  state.changedLevels.publish(step, market);
  return order;
}

function execute(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  order: SpotOrder,
  outside: ExternalInputs,
): void {
  step.forbidRefusal();
  const { book, pair } = market;
  if (market.status !== 'open') {
    cancelOrder(state, step, order, 'pairHalted');
    return;
  }
  state.due.remove(order.id);
  state.orders.remove(order);
  market.expiries.remove(order);
  order.stop!.status = 'triggered';
  order.rank = step.sequence;
  const best = book.best(oppositeSide(order.side));
  if (resultingType(order.type) === 'market' && best === null) {
    endOrder(state, step, order, 'noLiquidity');
    return;
  }
  const guard =
    resultingType(order.type) === 'market'
      ? guardFor(market, order, priceOf(pair, best!.price), outside.reference)
      : undefined;
  enterBook(state, { step, market, order, outside }, incomingOf(order, guard));
}

/**
 * Processes at most `most` of a pair's stop orders that recent trades have reached: triggered stops become due, and
 * trailing stops whose activation price was reached become active. Returns the number of both together. Does nothing if
 * no such stop is left or an asset of the pair is halted. Refuses while a halt is not stored yet.
 */
export function mark(state: ExchangeState, step: Step, { symbol, most }: MarkInput): { count: number } {
  const market = state.market(symbol);
  if (market.marking === undefined || state.isHalted(market.pair)) return { count: 0 };
  state.requireMoving(market.pair);
  step.forbidRefusal();
  state.changedLevels.clear();
  const count = markMet(state, step, market, most);
  // The price levels may have changed, because the limit legs of OCOs whose stop was triggered have left the
  // book; the changed levels are published.
  state.changedLevels.publish(step, market);
  return { count };
}

/**
 * The worst price at which a market order may trade at the current market. For a buy by amount it also is at most the
 * price at which the reserved funds pay for the whole amount.
 */
function guardFor(
  { filters }: SpotMarket,
  order: SpotOrder,
  best: Decimal,
  reference: Decimal | undefined,
): Decimal {
  const { pair, side, amount, held } = order;
  const guard = guardPrice(pair, filters, side, best, reference);
  if (side === 'sell' || amount === undefined) return guard;
  return least(guard, held.over(amount, 'down', pair.priceDigits));
}
