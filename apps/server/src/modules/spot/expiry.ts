import type { Step } from '../../platform/sequencer/step.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { withdraw } from './leaving.ts';
import { isOffBook, mutableState, remainingAmount, type SpotOrder } from './order-domain.ts';
import { lotsOf, ticksOf } from './scale.ts';

/** Ends the orders of a pair whose time is over, the first to expire first; gives how many. */
export function expireDue(state: ExchangeState, step: Step, market: SpotMarket): number {
  let count = 0;
  while (market.expiries.nextAt <= step.now) {
    const order = market.expiries.next!;
    returnIfUndone(state, step, market, order);
    withdraw(state, step, order, 'expired');
    count += 1;
  }
  return count;
}

/** The same for all pairs but those of which nothing may move. */
export function expireEverywhere(state: ExchangeState, step: Step): { count: number } {
  let count = 0;
  for (const market of state.markets.values()) {
    if (market.expiries.nextAt > step.now || state.isHalted(market.pair)) continue;
    state.touched.clear();
    count += expireDue(state, step, market);
    state.touched.tell(step, market);
  }
  return { count };
}

/** An order that is placed after others expired may be refused, and then they have not expired either. */
function returnIfUndone(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  const before = mutableState(order);
  const turn = state.due.indexOf(order.id);
  step.onUndo(() => {
    Object.assign(order, before);
    state.ended.remove(order.id);
    state.orders.add(order);
    market.expiries.add(order);
    if (!isOffBook(order)) returnToBook(state, market, order);
    else if (order.stop!.status === 'waiting') market.stops.add(order);
    else state.due.splice(turn, 0, order.id);
  });
}

/** Puts an order back between those before and those behind it: the latter leave for a moment. */
function returnToBook({ orders }: ExchangeState, { book, pair }: SpotMarket, order: SpotOrder): void {
  const { id, owner, side } = order;
  const price = ticksOf(pair, order.price!);
  const behind = [...book.resting(side)].filter(
    (resting) => resting.price === price && orders.get(resting.id as SpotOrder['id'])!.rank > order.rank,
  );
  for (const resting of behind) book.cancel(resting.id);
  book.restore({ id, owner, side, price, amount: lotsOf(pair, remainingAmount(order)) });
  for (const resting of behind) book.restore(resting);
}
