import { Decimal } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { restingProblem } from '@exchange/core/spot-book-rules.ts';
import { holdFor, orderProblem, type OrderRequest } from '@exchange/core/spot.ts';
import {
  TWAP_OPEN_MAX,
  twapChildAmount,
  twapChildAt,
  twapChildPrice,
  twapChildRequest,
  twapFunds,
  twapProblem,
} from '@exchange/core/spot-twap.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import type { EndTwapInput, PauseTwapInput, TwapChildInput, TwapInput } from './command-inputs.ts';
import {
  isOver,
  nextChildAt,
  remainingOf,
  type Twap,
  type TwapEnding,
  type TwapPause,
} from './domain/twap.ts';
import type { AlgoNotice } from './domain/algo-notice.ts';
import { algoChanged } from './events.ts';
import type { ExchangeState } from './exchange-state.ts';
import { bestFor, place, prepareMarket, viewOf } from './placing.ts';
import { algoNoticeWriter, twapChildWriter, twapWriter } from './writers.ts';

/**
 * Starts a TWAP order; its first child order is due at once. Refuses if the pair is not open, the opposite
 * side of the book is empty, the request or a child of an equal part of the amount is invalid, the account
 * already runs the maximum number of TWAP orders, or the available spot balance of the coin that the order
 * spends is less than all children need at their worst price now. Nothing is reserved.
 */
export function startTwap(state: ExchangeState, step: Step, input: TwapInput): Twap {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  const { owner, request } = input;
  prepareMarket(state, step, market);
  const best = bestFor(market, request.side);
  const problem = twapProblem(pair, filters, request, viewOf(market, step, input.reference, best));
  if (problem !== undefined) throw new Refused(problem);
  if (state.twaps.countOf(owner) >= TWAP_OPEN_MAX) throw new Refused(tooMany());
  const price = twapChildPrice(pair, request, best!) ?? request.limitPrice!;
  const { asset, amount: needed } = twapFunds(pair, request, price);
  const available = state.ledger.balance(userAddress(owner, 'spot', 'available'), asset);
  const shortage = shortOf({ needed, available, asset, field: 'amount' });
  if (shortage !== undefined) throw new Refused(shortage);
  step.forbidRefusal();
  const twap: Twap = {
    id: step.newId(),
    owner,
    symbol: pair.symbol,
    side: request.side,
    amount: request.amount,
    minutes: request.minutes,
    count: request.count,
    bound: request.bound,
    limitPrice: request.limitPrice,
    startPrice: best!,
    createdAt: step.now,
    next: 0,
    placed: 0,
    filledAmount: Decimal.zero,
    filledTotal: Decimal.zero,
    fee: Decimal.zero,
    pause: undefined,
    notified: '',
    ending: undefined,
    updatedAt: step.now,
  };
  save(state, step, twap);
  return twap;
}

/**
 * The next child order of a TWAP order (`order`), the reason why it cannot be placed now (`wait`), or `rest` if the
 * amount left is too small for an order.
 */
type NextChild =
  | { readonly kind: 'order'; readonly index: number; readonly request: OrderRequest }
  | { readonly kind: 'wait'; readonly pause: TwapPause }
  | { readonly kind: 'rest' };

/**
 * Returns the next child order of a TWAP order at the present book and balances, or why none can be placed
 * now. Whether the account may trade is not checked.
 */
export function nextChildOf(
  state: ExchangeState,
  twap: Twap,
  now: Instant,
  reference: Decimal | undefined,
): NextChild {
  const market = state.market(twap.symbol);
  const { pair, filters } = market;
  if (market.status !== 'open' || state.isHalted(pair)) return { kind: 'wait', pause: 'halted' };
  const best = bestFor(market, twap.side);
  if (best === undefined) return { kind: 'wait', pause: 'book' };
  const price = twapChildPrice(pair, twap, best);
  if (price === undefined) return { kind: 'wait', pause: 'limit' };
  const index = twapChildAt(twap, twap.createdAt, now);
  const remainder = { remaining: remainingOf(twap), left: twap.count - index, price };
  const amount = twapChildAmount(pair, filters, twap, remainder);
  if (amount === undefined) return { kind: 'rest' };
  const request = twapChildRequest(twap.side, price, amount);
  const view = { status: market.status, reference, best, last: market.last, now };
  if (orderProblem(pair, filters, request, view) !== undefined) return { kind: 'wait', pause: 'band' };
  const { resting } = state.orders.countsOf(twap.owner, pair.symbol);
  if (restingProblem(filters, resting) !== undefined) return { kind: 'wait', pause: 'orders' };
  const { asset, amount: needed } = holdFor(pair, request, undefined);
  const available = state.ledger.balance(userAddress(twap.owner, 'spot', 'available'), asset);
  if (needed.isMore(available)) return { kind: 'wait', pause: 'funds' };
  return { kind: 'order', index, request };
}

/**
 * Places the next child order of a TWAP order. Does nothing if `child` is not the index of the next child order, or its
 * time has not come. If the child cannot be placed, pauses the TWAP order, or ends it if its time is over or the rest
 * is too small for an order. Children whose whole interval has passed are skipped; their amount is spread over the
 * remaining children. Returns 1 if a child was placed, otherwise 0.
 */
export function placeTwapChild(
  state: ExchangeState,
  step: Step,
  input: TwapChildInput,
): { readonly count: number } {
  const twap = ownTwap(state, input);
  if (twap === undefined || twap.next !== input.child || nextChildAt(twap) > step.now) return { count: 0 };
  if (isOver(twap, step.now)) return endWith(state, step, twap, 'time');
  const next = nextChildOf(state, twap, step.now, input.reference);
  if (next.kind === 'rest') return endWith(state, step, twap, 'rest');
  if (next.kind === 'wait') return pauseFor(state, step, twap, next.pause);
  const order = place(state, step, {
    owner: twap.owner,
    master: input.master,
    symbol: twap.symbol,
    selfTrade: input.selfTrade,
    rates: input.rates,
    clientId: twap.id,
    reference: input.reference,
    quoteValue: input.quoteValue,
    mostMarked: input.mostMarked,
    request: next.request,
  });
  step.write(twapChildWriter, { twap: twap.id, child: next.index, orderId: order.id });
  twap.next = next.index + 1;
  twap.placed += 1;
  twap.filledAmount = twap.filledAmount.plus(order.filledAmount);
  twap.filledTotal = twap.filledTotal.plus(order.filledTotal);
  twap.fee = twap.fee.plus(order.fee);
  twap.pause = undefined;
  if (remainingOf(twap).isZero()) end(state, step, twap, 'filled');
  else if (twap.next === twap.count) end(state, step, twap, 'time');
  else save(state, step, twap);
  return { count: 1 };
}

/**
 * Pauses a TWAP order whose account may not trade, and notifies its owner unless it was paused for this reason before.
 * Does nothing if `child` is not the index of the order's next child.
 */
export function pauseTwap(
  state: ExchangeState,
  step: Step,
  input: PauseTwapInput,
): { readonly count: number } {
  const twap = ownTwap(state, input);
  if (twap === undefined || twap.next !== input.child) return { count: 0 };
  return pauseFor(state, step, twap, input.pause);
}

/**
 * Ends a TWAP order by its owner's request (`by` is `user`), or because its time is over (`time`). Returns 1,
 * or 0 if the owner has no running TWAP order with this id or, for `time`, if its time is not over. Its
 * placed children are not changed, because no child stays open in the book.
 */
export function endTwap(state: ExchangeState, step: Step, input: EndTwapInput): { readonly count: number } {
  const twap = ownTwap(state, input);
  if (twap === undefined) return { count: 0 };
  if (input.by === 'time' && !isOver(twap, step.now)) return { count: 0 };
  step.forbidRefusal();
  end(state, step, twap, input.by);
  return { count: 1 };
}

function ownTwap(
  { twaps }: ExchangeState,
  { owner, id }: Pick<EndTwapInput, 'owner' | 'id'>,
): Twap | undefined {
  const twap = twaps.get(id);
  return twap?.owner === owner ? twap : undefined;
}

function pauseFor(
  state: ExchangeState,
  step: Step,
  twap: Twap,
  pause: TwapPause,
): { readonly count: number } {
  if (twap.pause === pause) return { count: 0 };
  step.forbidRefusal();
  twap.pause = pause;
  // A pause because the price is beyond the owner's limit price sends no inbox message, as the owner set that
  // limit. Each other reason of a pause sends at most one inbox message per TWAP order.
  const notified = twap.notified.split(' ');
  const isReported = pause !== 'limit' && !notified.includes(pause);
  if (isReported) twap.notified = `${twap.notified} ${pause}`.trim();
  save(state, step, twap, isReported ? { id: step.newId(), algo: twap.id, kind: pause } : undefined);
  return { count: 0 };
}

function endWith(
  state: ExchangeState,
  step: Step,
  twap: Twap,
  ending: TwapEnding,
): { readonly count: number } {
  step.forbidRefusal();
  end(state, step, twap, ending);
  return { count: 0 };
}

function end(state: ExchangeState, step: Step, twap: Twap, ending: TwapEnding): void {
  twap.pause = undefined;
  twap.ending = ending;
  // If the owner has ended the TWAP order, no inbox message is sent.
  const notice: AlgoNotice | undefined =
    ending === 'user' ? undefined : { id: step.newId(), algo: twap.id, kind: 'twapEnded' };
  save(state, step, twap, notice);
}

/**
 * Stores and publishes a changed TWAP order, and with `notice` enqueues an inbox message to its owner. An
 * ended TWAP order is removed from the running ones in memory.
 */
function save(state: ExchangeState, step: Step, twap: Twap, notice?: AlgoNotice): void {
  twap.updatedAt = step.now;
  if (twap.ending === undefined) state.twaps.set(twap);
  else state.twaps.remove(twap);
  step.write(twapWriter, twap);
  if (notice !== undefined) step.write(algoNoticeWriter, notice);
  step.publish(algoChanged, { owner: twap.owner, id: twap.id, hasNotice: notice !== undefined });
}

function tooMany() {
  return refusal('aboveMaximum', 'l.twap_max', {
    limit: String(TWAP_OPEN_MAX),
    value: String(TWAP_OPEN_MAX + 1),
  });
}
