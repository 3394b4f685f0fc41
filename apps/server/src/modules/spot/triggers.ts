import { least, type Decimal } from '@exchange/core/decimal.ts';
import { oppositeSide } from '@exchange/core/pair.ts';
import { guardPrice } from '@exchange/core/spot.ts';
import { becomes } from '@exchange/core/stop.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { MarkInput, Outside, TriggerInput } from './command-inputs.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { end, expireDue, cancelOrder } from './cancellation.ts';
import { incomingOf } from './placing.ts';
import type { SpotOrder } from './domain/order.ts';
import { priceOf } from './settlement.ts';
import { follow, markMet } from './trading.ts';

/**
 * Executes a stop that is due: it goes to the book as the order it becomes, in a place of its own. Nothing
 * happens when `order` is not due any more, or while an asset of its pair is halted; while a halt is not stored yet the
 * step is refused, so that the stop stays due. Limits were checked at entry and are not again.
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
  state.touched.clear();
  expireDue(state, step, market);
  if (order.state === 'open') execute(state, step, market, order, outside);
  state.touched.tell(step, market);
  return order;
}

function execute(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  order: SpotOrder,
  { reference, quoteValue, mostMarked }: Outside,
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
  if (becomes(order.type) === 'market' && best === null) {
    end(state, step, order, 'noLiquidity');
    return;
  }
  const guard =
    becomes(order.type) === 'market'
      ? guardFor(market, order, priceOf(pair, best!.price), reference)
      : undefined;
  const incoming = incomingOf(order, guard);
  const placement = market.changeBook(step).place(incoming);
  const meeting = {
    step,
    market,
    taker: order,
    ticks: incoming.price,
    quoteValue,
    mostMarked,
  };
  follow(state, meeting, placement);
}

/**
 * Marks the next stops that trades of a pair met, at most `most`. Nothing happens when none is left or while an asset of
 * the pair is halted; while a halt is not stored yet the step is refused. Returns how many were marked.
 */
export function mark(state: ExchangeState, step: Step, { symbol, most }: MarkInput): { count: number } {
  const market = state.market(symbol);
  if (market.marking === undefined || state.isHalted(market.pair)) return { count: 0 };
  state.requireMoving(market.pair);
  step.forbidRefusal();
  state.touched.clear();
  const count = markMet(state, step, market, most);
  // The limit legs of OCOs whose stop legs were met have left the book.
  state.touched.tell(step, market);
  return { count };
}

/** The guard of the moment; a buy by amount can moreover pay no more than was set aside for it. */
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
