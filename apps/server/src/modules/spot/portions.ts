import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Postponement } from '../../platform/sequencer/command.ts';
import { isCountdownDue } from './dead-man.ts';
import type { SpotOrder } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';

/** Maximum number of triggered stops that one command marks as due. */
export const MARKED_MOST = 256;
/** Maximum number of expired orders that one command ends. */
export const EXPIRED_MOST = 256;

/** Maximum number of orders that one command cancels for a program that no longer responds. */
export const CANCELLED_MOST = 256;

/**
 * Functions that decide by a command's input whether the command must wait for earlier work on its pairs.
 * `onCountdownDue` is called when a command must wait until the orders of a countdown that has run out are cancelled,
 * so that the caller has them cancelled.
 */
export function postponements(state: ExchangeState, onCountdownDue: (now: Instant) => void) {
  const postponedOn = (market: SpotMarket | undefined, now: Instant) =>
    postponed(state, market, now) ?? postponedByCountdown(state, market, now, onCountdownDue);
  const marketOf = (order: SpotOrder | undefined): SpotMarket | undefined =>
    order === undefined ? undefined : state.markets.get(order.pair.symbol);
  return {
    symbol: ({ symbol }: { symbol: string }, now: Instant) => postponedOn(state.markets.get(symbol), now),
    openOrder: ({ order }: { order: OrderId }, now: Instant) =>
      postponedOn(marketOf(state.orders.get(order)), now),
    dueOrder: ({ order }: { order: OrderId }, now: Instant) =>
      postponedOn(marketOf(state.due.get(order)), now),
    owedOrder: ({ order }: { order: OrderId }, now: Instant) =>
      postponedOn(marketOf(state.owedExits.get(order)), now),
    owedOto: ({ order }: { order: OrderId }, now: Instant) =>
      postponedOn(marketOf(state.owedOtos.get(order)), now),
    cancelledOrder: ({ order }: { order: OrderId }) =>
      postponedByMarks(state, marketOf(state.orders.get(order))),
    cancelledOn: ({ symbol }: { symbol: string }) => postponedByMarks(state, state.markets.get(symbol)),
    iceberg: ({ id }: { id: string }) =>
      postponedByMarks(state, state.markets.get(state.icebergs.get(id)?.symbol ?? '')),
    chase: ({ id }: { id: string }) =>
      postponedByMarks(state, state.markets.get(state.chases.get(id)?.symbol ?? '')),
    grid: ({ id, sells }: { id: string; sells?: boolean | undefined }, now: Instant) => {
      const market = state.markets.get(state.grids.get(id)?.symbol ?? '');
      return sells === true ? postponedOn(market, now) : postponedByMarks(state, market);
    },
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
 * Postpones a command that places, changes or executes an order of a pair while triggered stops are still to be
 * marked, or more expired orders are due than one command may end. `now` is the time of the command. Undefined if
 * the command need not wait.
 */
export function postponed(
  state: ExchangeState,
  market: SpotMarket | undefined,
  now: Instant,
): Postponement | undefined {
  // A command on a pair with a halted asset need not wait, because the ledger refuses it.
  if (market === undefined || state.isStopped(market.pair)) return undefined;
  if (!isBusy(market, now)) return undefined;
  return { key: market.pair.symbol, isOver: () => state.isStopped(market.pair) || !isBusy(market, now) };
}

/**
 * Postpones a command that may trade on a pair while a countdown that has run out covers orders of the
 * pair, so that none of them trades after the countdown's end. `now` is the time of the command.
 */
function postponedByCountdown(
  state: ExchangeState,
  market: SpotMarket | undefined,
  now: Instant,
  onCountdownDue: (now: Instant) => void,
): Postponement | undefined {
  if (market === undefined || state.isStopped(market.pair)) return undefined;
  const { symbol } = market.pair;
  if (!isCountdownDue(state, symbol, now)) return undefined;
  onCountdownDue(now);
  return {
    key: `countdown ${symbol}`,
    isOver: () => state.isStopped(market.pair) || !isCountdownDue(state, symbol, now),
  };
}

/**
 * Postpones a command that cancels orders of a pair or sets its status while triggered stops are still to be
 * marked. Undefined if the command need not wait.
 */
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
