import type { Step } from '../../platform/sequencer/step.ts';
import type { Fill } from '../matching/index.ts';
import { trailingMoved, type MovedStop } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { moveHoldToStop, save, tellOrder } from './leaving.ts';
import type { SpotOrder } from './order-domain.ts';
import { priceOf } from './scale.ts';

/** Trailing stops are stored again after so many trades, so that a restart has few to look at. */
const STORED_EVERY_TRADES = 10_000;

/** The trades of one step, with the number of the first. */
interface Trades {
  readonly fills: readonly Fill[];
  readonly firstTrade: number;
}

/** Marks the waiting stops that the trades of a step met as due, trade by trade; they execute in steps of their own. */
export function watchTrades(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  { fills, firstTrade }: Trades,
): void {
  const { stops, pair } = market;
  const moved = new Set<SpotOrder>();
  for (let index = 0; index < fills.length && stops.size > 0; index += 1) {
    const met = stops.take(priceOf(pair, fills[index]!.price), moved);
    if (met === undefined) continue;
    for (const order of met) markDue(state, step, order, firstTrade + index);
  }
  tellMoved(step, moved);
  if (!stops.trailing.isEmpty && state.tradeSequence - stops.storedTrailing >= STORED_EVERY_TRADES) {
    storeTrailing(state, step, market);
  }
}

function markDue(state: ExchangeState, step: Step, order: SpotOrder, tradeSequence: number): void {
  const stop = order.stop!;
  stop.status = 'due';
  stop.triggeredAt = step.now;
  stop.tradeSequence = tradeSequence;
  order.updatedAt = step.now;
  state.due.push(order.id);
  if (order.groupId !== '') moveHoldToStop(state, step, order);
  save(step, order);
  tellOrder(step, order);
}

/** Tells where trailing stops trigger now, of those that still wait. */
function tellMoved(step: Step, orders: ReadonlySet<SpotOrder>): void {
  const moved: MovedStop[] = [];
  for (const { id, owner, pair, stop } of orders)
    if (stop!.status === 'waiting') moved.push({ id, owner, pair, price: stop!.price });
  if (moved.length > 0) step.tell(trailingMoved, moved);
}

/** A row for every move would be a row for every trade. */
function storeTrailing(state: ExchangeState, step: Step, { stops }: SpotMarket): void {
  stops.storedTrailing = state.tradeSequence;
  for (const order of stops.trailing.orders()) {
    order.stop!.tradeSequence = state.tradeSequence;
    save(step, order);
  }
}
