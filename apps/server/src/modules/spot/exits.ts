import type { Decimal } from '@exchange/core/decimal.ts';
import { oppositeSide, type Side } from '@exchange/core/pair.ts';
import { Refused, type RefusalKey } from '@exchange/core/refusal.ts';
import { buyBackAmount, highestExitPrice } from '@exchange/core/spot-exits.ts';
import { crosses } from '@exchange/core/spot-book-rules.ts';
import { ocoLegs, type OcoRequest } from '@exchange/core/spot-oco.ts';
import { orderProblem, type OrderRequest } from '@exchange/core/spot.ts';
import { triggersStop, defaultDirection } from '@exchange/core/stop.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { saveOrder, publishOrder } from './cancellation.ts';
import type { PlacementContext, ExternalInputs, TriggerInput } from './command-inputs.ts';
import type { ExitStatus, SpotOrder } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { prepareMarket, bestFor, place, placeLegs, viewOf } from './placing.ts';

/**
 * Places the take-profit and stop-loss orders (exits) of an ended order, the entry. The exits of a buy sell the bought
 * amount less the fee; the exits of a sale spend its proceeds less the fee. If the placement is refused, no exits are
 * placed, and the entry's exit status contains the reason. Returns the entry; does nothing and returns
 * undefined if the exits are not queued to be placed or an asset of the pair is halted.
 */
export function placeExits(
  state: ExchangeState,
  step: Step,
  { order: id, ...outside }: TriggerInput,
): SpotOrder | undefined {
  const owedEntry = state.owedExits.get(id);
  if (owedEntry === undefined || state.isHalted(owedEntry.pair)) return undefined;
  const market = state.market(owedEntry.pair.symbol);
  prepareMarket(state, step, market);
  state.changedLevels.publish(step, market);
  // The exits are placed before the entry is changed, because a refusal can be caught only before the first change
  // that cannot be undone.
  const status = submitExits(state, step, owedEntry, outside);
  step.forbidRefusal();
  const entry = state.owedExits.remove(id)!;
  entry.exits!.status = status;
  saveOrder(step, entry);
  publishOrder(step, entry);
  return entry;
}

/**
 * Places the take-profit and stop-loss in the form that `exitOf` chooses. Returns their status: `placed`, or the
 * reason of a refusal. All checks run before the first change that cannot be undone.
 */
function submitExits(
  state: ExchangeState,
  step: Step,
  entry: SpotOrder,
  outside: ExternalInputs,
): ExitStatus {
  const market = state.market(entry.pair.symbol);
  const ties = { entryId: entry.id };
  const entering = enteringOf(entry, outside);
  try {
    const exit = exitOf(market, entry);
    // Without a reference price the price band is not checked: the exit's price was checked with the entry.
    // A market order needs the reference for its guard price.
    if ('type' in exit) {
      const reference = exit.type === 'market' ? outside.reference : undefined;
      place(state, step, { ...entering, reference, request: exit }, ties);
    } else {
      requireExits(market, step, exit);
      placeLegs(state, step, market, { ...entering, request: exit }, ties);
      state.changedLevels.publish(step, market);
    }
    return 'placed';
  } catch (cause) {
    if (cause instanceof Refused && !step.isRefusalForbidden) return failureStatus(cause.refusal.key);
    throw cause;
  }
}

/**
 * The take-profit and stop-loss in the form that the current market allows. A stop-loss whose price has been
 * reached is placed alone, as a market order or, with a limit price, as a limit order. A take-profit that would
 * trade at once is placed without the stop-loss, because both orders of an OCO must wait.
 */
function exitOf(market: SpotMarket, entry: SpotOrder): OrderRequest | OcoRequest {
  const { takeProfit, stopLoss, stopLossLimit } = entry.exits!;
  const side = oppositeSide(entry.side);
  const exit = { side, postOnly: false } as const;
  if (stopLoss !== undefined && isReached(market, side, stopLoss)) {
    return stopLossLimit === undefined
      ? { ...exit, ...sizeAtMarket(entry), type: 'market', timeInForce: 'IOC' }
      : limitExit(entry, stopLossLimit);
  }
  if (takeProfit === undefined) return stopExit(entry, stopLoss!, stopLossLimit);
  const best = bestFor(market, side);
  const tradesNow = best !== undefined && crosses(side, takeProfit, best);
  if (stopLoss === undefined || tradesNow) return limitExit(entry, takeProfit);
  const dearest = highestExitPrice(market.pair, market.filters, entry.exits!);
  return {
    side,
    amount: amountAt(entry, dearest),
    limitPrice: takeProfit,
    stopPrice: stopLoss,
    stopLimitPrice: stopLossLimit,
  };
}

/** Whether the last trade has reached the price of a stop-loss order on `side`. */
function isReached({ last }: SpotMarket, side: Side, stopLoss: Decimal): boolean {
  return last !== undefined && triggersStop(defaultDirection('stopMarket', side), stopLoss, last);
}

function limitExit(entry: SpotOrder, price: Decimal): OrderRequest {
  return {
    side: oppositeSide(entry.side),
    type: 'limit',
    price,
    amount: amountAt(entry, price),
    timeInForce: 'GTC',
    postOnly: false,
  };
}

function stopExit(entry: SpotOrder, stopPrice: Decimal, price: Decimal | undefined): OrderRequest {
  const exit = { side: oppositeSide(entry.side), postOnly: false, stopPrice } as const;
  return price === undefined
    ? { ...exit, ...sizeAtMarket(entry), type: 'stopMarket', timeInForce: 'IOC' }
    : { ...exit, amount: amountAt(entry, price), type: 'stopLimit', price, timeInForce: 'GTC' };
}

/**
 * The size of an exit that trades at market: the bought amount of a buy, or the proceeds of a sale as a total, both
 * rounded down to the pair's digits.
 */
function sizeAtMarket(entry: SpotOrder): Pick<OrderRequest, 'amount' | 'total'> {
  if (entry.side === 'buy') return { amount: boughtBy(entry) };
  const { priceDigits, amountDigits } = entry.pair;
  return { total: proceedsOf(entry).rounded(priceDigits + amountDigits, 'down') };
}

/**
 * The amount of a take-profit or stop-loss at `price`, rounded down to the pair's amount step: what a buy received, or
 * what the proceeds of a sale buy back, at most the sold amount.
 */
function amountAt(entry: SpotOrder, price: Decimal): Decimal {
  if (entry.side === 'buy') return boughtBy(entry);
  return buyBackAmount(entry.pair, { sold: entry.filledAmount, proceeds: proceedsOf(entry) }, price);
}

/** The amount that a buy received after fees, rounded down to the pair's amount step. */
function boughtBy({ filledAmount, fee, pair }: SpotOrder): Decimal {
  return filledAmount.minus(fee).rounded(pair.amountDigits, 'down');
}

/** The proceeds of a sale after fees, in the quote asset. */
function proceedsOf({ filledTotal, fee }: SpotOrder): Decimal {
  return filledTotal.minus(fee);
}

/**
 * Refuses exit orders that break a rule of the pair. Their position on both sides of the market price
 * is not checked, because `exitOf` ensures it.
 */
function requireExits(market: SpotMarket, step: Step, request: OcoRequest): void {
  const view = viewOf(market, step, undefined, undefined);
  const legs = ocoLegs(request);
  const problem =
    orderProblem(market.pair, market.filters, legs.limit, view) ??
    orderProblem(market.pair, market.filters, legs.stop, view);
  if (problem !== undefined) throw new Refused(problem);
}

function enteringOf(entry: SpotOrder, outside: ExternalInputs): PlacementContext {
  const { owner, trader, pair, selfTrade, makerRate, takerRate } = entry;
  const rates = { maker: makerRate, taker: takerRate };
  return {
    ...outside,
    owner,
    master: trader === owner ? undefined : trader,
    symbol: pair.symbol,
    selfTrade,
    rates,
    clientId: '',
  };
}

function failureStatus(key: RefusalKey): ExitStatus {
  if (key === 'l.insufficient_balance') return 'balanceShort';
  if (key === 'l.amount_min' || key === 'l.total_min') return 'tooSmall';
  if (key === 'l.open_orders_max' || key === 'l.stop_orders_max') return 'tooMany';
  if (key === 'l.pair_closed' || key === 'l.pair_cancel_only') return 'pairClosed';
  return 'noLiquidity';
}
