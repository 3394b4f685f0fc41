import type { Decimal } from '@exchange/core/decimal.ts';
import { Refused, type RefusalKey } from '@exchange/core/refusal.ts';
import { crosses } from '@exchange/core/spot-moment.ts';
import { ocoLegs, type OcoRequest } from '@exchange/core/spot-oco.ts';
import { orderProblem, type OrderRequest } from '@exchange/core/spot.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { save, tellOrder } from './cancellation.ts';
import type { Entering, Outside, TriggerInput } from './command-inputs.ts';
import type { ExitStatus, SpotOrder } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { begin, bestFor, place, placeLegs, viewOf } from './placing.ts';

/**
 * Places the exits of a buy that has ended: sells what it bought, less the fee, at its take-profit and its stop-loss. What
 * cannot be placed is given up, and the entry says why. Nothing happens when they are not owed any more, or while an
 * asset of the pair is halted.
 */
export function placeExits(
  state: ExchangeState,
  step: Step,
  { order: id, ...outside }: TriggerInput,
): SpotOrder | undefined {
  const known = state.owed.get(id);
  if (known === undefined || state.isHalted(known.pair)) return undefined;
  const market = state.market(known.pair.symbol);
  begin(state, step, market);
  state.touched.tell(step, market);
  // What the market leaves no room for is found out first: a refusal of the exit is an answer only before anything changes.
  const status = send(state, step, known, outside);
  step.forbidRefusal();
  const entry = state.owed.remove(id)!;
  entry.exits!.status = status;
  save(step, entry);
  tellOrder(step, entry);
  return entry;
}

/** Places what the market leaves to be placed. Every check of placing comes before it changes anything. */
function send(state: ExchangeState, step: Step, entry: SpotOrder, outside: Outside): ExitStatus {
  const market = state.market(entry.pair.symbol);
  const ties = { entryId: entry.id };
  const entering = enteringOf(entry, outside);
  try {
    const exit = exitOf(market, entry);
    // Its price was measured by that of the entry; the guard of a sale at the market is measured by the index.
    if ('type' in exit) {
      const reference = exit.type === 'market' ? outside.reference : undefined;
      place(state, step, { ...entering, reference, request: exit }, ties);
    } else {
      requireExits(market, step, exit);
      placeLegs(state, step, market, { ...entering, request: exit }, ties);
      state.touched.tell(step, market);
    }
    return 'placed';
  } catch (cause) {
    if (cause instanceof Refused && !step.isRefusalForbidden) return whyNot(cause.refusal.key);
    throw cause;
  }
}

/**
 * What sells the coins at this moment. A stop-loss that was reached meanwhile sells at once; where the take-profit would
 * trade at once it goes alone, since the legs of an OCO have to wait.
 */
function exitOf(market: SpotMarket, entry: SpotOrder): OrderRequest | OcoRequest {
  const { takeProfit, stopLoss, stopLossLimit } = entry.exits!;
  const amount = boughtBy(entry);
  const { last } = market;
  const sale = { side: 'sell', amount, postOnly: false } as const;
  if (stopLoss !== undefined && last !== undefined && !last.isMore(stopLoss))
    return stopLossLimit === undefined
      ? { ...sale, type: 'market', timeInForce: 'IOC' }
      : { ...sale, type: 'limit', price: stopLossLimit, timeInForce: 'GTC' };
  if (takeProfit === undefined) return { ...sale, ...stopLeg(stopLoss!, stopLossLimit) };
  const best = bestFor(market, 'sell');
  const tradesNow = best !== undefined && crosses('sell', takeProfit, best);
  if (stopLoss === undefined || tradesNow)
    return { ...sale, type: 'limit', price: takeProfit, timeInForce: 'GTC' };
  return { side: 'sell', amount, limitPrice: takeProfit, stopPrice: stopLoss, stopLimitPrice: stopLossLimit };
}

function stopLeg(stopPrice: Decimal, price: Decimal | undefined) {
  return price === undefined
    ? ({ type: 'stopMarket', stopPrice, timeInForce: 'IOC' } as const)
    : ({ type: 'stopLimit', stopPrice, price, timeInForce: 'GTC' } as const);
}

/** What the order has bought and was not taken as its fee, in whole steps of the pair. */
function boughtBy({ filledAmount, fee, pair }: SpotOrder): Decimal {
  return filledAmount.minus(fee).rounded(pair.amountDigits, 'down');
}

/** Refuses legs that an OCO could not have; that they lie on both sides of the market follows from how they are chosen. */
function requireExits(market: SpotMarket, step: Step, request: OcoRequest): void {
  const view = viewOf(market, step, undefined, undefined);
  const legs = ocoLegs(request);
  const problem =
    orderProblem(market.pair, market.filters, legs.limit, view) ??
    orderProblem(market.pair, market.filters, legs.stop, view);
  if (problem !== undefined) throw new Refused(problem);
}

function enteringOf(entry: SpotOrder, outside: Outside): Entering {
  const { owner, pair, selfTrade, makerRate, takerRate } = entry;
  const rates = { maker: makerRate, taker: takerRate };
  return { ...outside, owner, symbol: pair.symbol, selfTrade, rates, clientId: '' };
}

function whyNot(key: RefusalKey): ExitStatus {
  if (key === 'l.insufficient_balance') return 'balanceShort';
  if (key === 'l.amount_min' || key === 'l.total_min') return 'tooSmall';
  if (key === 'l.open_orders_max' || key === 'l.stop_orders_max') return 'tooMany';
  if (key === 'l.pair_closed' || key === 'l.pair_cancel_only') return 'pairClosed';
  return 'noLiquidity';
}
