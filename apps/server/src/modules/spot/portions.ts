import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Postponement } from '../../platform/sequencer/command.ts';
import type { SpotOrder } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';

/** The most triggered stops that one step marks. */
export const MARKED_MOST = 256;
/** The most expired orders that one step ends. */
export const EXPIRED_MOST = 256;

/** For each kind of command input, whether its step must wait for earlier work on the pair. */
export function postponements(state: ExchangeState) {
  const marketOf = (order: SpotOrder | undefined): SpotMarket | undefined =>
    order === undefined ? undefined : state.markets.get(order.pair.symbol);
  return {
    symbol: ({ symbol }: { symbol: string }, now: Instant) =>
      postponed(state, state.markets.get(symbol), now),
    openOrder: ({ order }: { order: OrderId }, now: Instant) =>
      postponed(state, marketOf(state.orders.get(order)), now),
    dueOrder: ({ order }: { order: OrderId }, now: Instant) =>
      postponed(state, marketOf(state.due.get(order)), now),
    owedOrder: ({ order }: { order: OrderId }, now: Instant) =>
      postponed(state, marketOf(state.owedExits.get(order)), now),
    cancelledOrder: ({ order }: { order: OrderId }) =>
      postponedByMarks(state, marketOf(state.orders.get(order))),
    pairStatus: ({ symbol }: { symbol: string }) => postponedByMarks(state, state.markets.get(symbol)),
    owner: ({ owner }: { owner: UserId }) => {
      if (state.unmarked.size === 0) return undefined;
      for (const order of state.orders.ofOwner(owner)) {
        const postponement = postponedByMarks(state, marketOf(order));
        if (postponement !== undefined) return postponement;
      }
      return undefined;
    },
  };
}

/**
 * Postpones a step that places, changes or executes an order of a pair while stops are still to be marked or
 * more expired orders are due than one step may end. `now` is the time of the step.
 */
export function postponed(
  state: ExchangeState,
  market: SpotMarket | undefined,
  now: Instant,
): Postponement | undefined {
  // A step on a halted asset need not wait, because the ledger refuses it.
  if (market === undefined || state.isStopped(market.pair)) return undefined;
  if (!isBusy(market, now)) return undefined;
  return { key: market.pair.symbol, isOver: () => state.isStopped(market.pair) || !isBusy(market, now) };
}

/** Postpones a step that cancels orders of a pair or halts it while stops are still to be marked. */
export function postponedByMarks(
  state: ExchangeState,
  market: SpotMarket | undefined,
): Postponement | undefined {
  if (market?.marking === undefined || state.isStopped(market.pair)) return undefined;
  return {
    key: market.pair.symbol,
    isOver: () => market.marking === undefined || state.isStopped(market.pair),
  };
}

function isBusy({ marking, expiries }: SpotMarket, now: Instant): boolean {
  return marking !== undefined || (expiries.nextAt <= now && expiries.isMoreDue(now, EXPIRED_MOST));
}
