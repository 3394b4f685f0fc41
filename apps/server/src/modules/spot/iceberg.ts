import { Decimal } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { crosses } from '@exchange/core/spot-book-rules.ts';
import {
  ICEBERG_OPEN_MAX,
  icebergHold,
  icebergProblem,
  nextSlice,
  sliceRequest,
  slicesOf,
} from '@exchange/core/spot-iceberg.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import type { HiddenAmounts, NextSlice } from '../matching/index.ts';
import { cancelPart, publishOrder, saveOrder } from './cancellation.ts';
import type { CancelIcebergInput, IcebergInput, PlacementContext } from './command-inputs.ts';
import { hiddenAmount, type Iceberg } from './domain/iceberg.ts';
import { neededHold, type SpotOrder } from './domain/order.ts';
import { algoChanged } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { bestFor, place, prepareMarket, requireRoom, viewOf } from './placing.ts';
import { contextOfFormer, newOrder, restOnBook } from './resting.ts';
import { lotsOf } from './settlement.ts';
import { icebergWriter, sliceWriter } from './writers.ts';

/**
 * Places an iceberg. The part that matches at once trades as an order of its own. Of the remaining amount the
 * first slice rests on the book, and the funds of the whole remaining amount are held. Refuses an invalid
 * request, more than `ICEBERG_OPEN_MAX` running icebergs of the account, more open orders than the pair
 * permits, and a balance below what a limit order over the whole amount would hold.
 */
export function placeIceberg(state: ExchangeState, step: Step, input: IcebergInput): Iceberg {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  const { owner, request } = input;
  prepareMarket(state, step, market);
  const best = bestFor(market, request.side);
  const problem = icebergProblem(pair, filters, request, viewOf(market, step, input.reference, best));
  if (problem !== undefined) throw new Refused(problem);
  if (state.icebergs.countOf(owner) >= ICEBERG_OPEN_MAX) throw new Refused(tooMany());
  requireRoom(state, owner, market);
  const { asset, amount: needed } = icebergHold(pair, request);
  const available = state.ledger.balance(userAddress(owner, 'spot', 'available'), asset);
  const shortage = shortOf({ needed, available, asset, field: 'amount' });
  if (shortage !== undefined) throw new Refused(shortage);
  step.forbidRefusal();
  const iceberg: Iceberg = {
    id: step.newId(),
    owner,
    symbol: pair.symbol,
    side: request.side,
    price: request.price,
    amount: request.amount,
    visible: request.visible,
    postOnly: request.postOnly,
    heldAsset: asset,
    createdAt: step.now,
    placed: 0,
    placedAmount: Decimal.zero,
    reserved: Decimal.zero,
    slice: undefined,
    sliceTurn: 0,
    filledAmount: Decimal.zero,
    filledTotal: Decimal.zero,
    fee: Decimal.zero,
    ending: undefined,
    updatedAt: step.now,
  };
  if (best !== undefined && crosses(request.side, request.price, best))
    tradeAtOnce(state, step, input, iceberg);
  if (iceberg.ending === undefined) restFirstSlice(state, step, market, input, iceberg);
  step.write(icebergWriter, iceberg);
  step.publish(algoChanged, { owner, id: iceberg.id, hasNotice: false });
  return iceberg;
}

/**
 * Trades with the opposite side of the book at the iceberg's price or better, by an order over the whole amount that
 * does not rest. The iceberg ends if this order is filled or stopped by self-trade prevention.
 */
function tradeAtOnce(state: ExchangeState, step: Step, input: IcebergInput, iceberg: Iceberg): void {
  const request = { ...sliceRequest(iceberg, iceberg.amount), timeInForce: 'IOC' as const };
  const order = place(state, step, { ...contextOf(input, iceberg), request });
  const done = order.filledAmount.plus(order.cancelledAmount);
  recordOrder(step, iceberg, order, done);
  iceberg.filledAmount = order.filledAmount;
  iceberg.filledTotal = order.filledTotal;
  iceberg.fee = order.fee;
  if (order.filledAmount.equals(iceberg.amount)) iceberg.ending = 'filled';
  // Self-trade prevention stopped the order, which ends the whole iceberg, as it would end a limit order.
  else if (order.reason === 'selfTrade') iceberg.ending = 'selfTrade';
}

/** Holds the funds of the amount that has not traded, and places the first slice on the book. */
function restFirstSlice(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  input: IcebergInput,
  iceberg: Iceberg,
): void {
  const { pair } = market;
  const { owner } = iceberg;
  const { asset, amount } = icebergHold(pair, { ...input.request, amount: hiddenAmount(iceberg) });
  const slice = newSlice(step, market, iceberg, contextOf(input, iceberg));
  state.ledger.post(step, 'spot.held', slice.id, [
    {
      source: userAddress(owner, 'spot', 'available'),
      destination: userAddress(owner, 'spot', 'frozen'),
      asset,
      amount,
    },
  ]);
  iceberg.reserved = amount;
  state.icebergs.add(iceberg);
  reserveForSlice(step, iceberg, slice, 0);
  restOnBook(state, step, market, slice);
  state.changedLevels.publish(step, market);
}

/**
 * Cancels an iceberg: ends its open slice, releases the funds reserved for further slices, and returns 1. Returns 0 if
 * the owner has no running iceberg with this id. Refuses when the pair is closed or the released asset is halted.
 */
export function cancelIceberg(
  state: ExchangeState,
  step: Step,
  input: CancelIcebergInput,
): { readonly count: number } {
  const iceberg = state.icebergs.ofOwner(input);
  if (iceberg === undefined) return { count: 0 };
  return cancelPart(state, step, iceberg.slice!);
}

/** The hidden amounts of the icebergs of a pair, from which its book takes the next slice when one is filled. */
export class HiddenSlices implements HiddenAmounts {
  private readonly state: ExchangeState;
  private readonly market: SpotMarket;
  /** The step that placed the last slice, and the number of slices that this step has placed. */
  private step: Step | undefined;
  private turn = 0;

  constructor(state: ExchangeState, market: SpotMarket) {
    this.state = state;
    this.market = market;
  }

  get size(): number {
    return this.state.icebergs.size;
  }

  slicesAfter(id: string): readonly bigint[] {
    const iceberg = this.icebergOf(id);
    if (iceberg === undefined) return [];
    const { pair, filters } = this.market;
    return slicesOf(pair, filters, iceberg, hiddenAmount(iceberg)).map((amount) => lotsOf(pair, amount));
  }

  /**
   * Creates the next slice of an iceberg as an open order with funds from the iceberg's reserve, stores and publishes
   * it; the book appends it to its price level afterwards. The slice has the fee rates of the iceberg's start. Returns
   * null if `id` is no slice of an iceberg or nothing is hidden.
   */
  replace(id: string): NextSlice | null {
    const iceberg = this.icebergOf(id);
    if (iceberg === undefined || hiddenAmount(iceberg).isZero()) return null;
    const { state, market } = this;
    const step = market.changing!;
    this.turn = this.step === step ? this.turn + 1 : 1;
    this.step = step;
    const former = state.orders.get(id as SpotOrder['id'])!;
    const slice = newSlice(step, market, iceberg, contextOfFormer(former));
    reserveForSlice(step, iceberg, slice, this.turn);
    state.orders.add(slice);
    saveOrder(step, slice);
    publishOrder(step, slice);
    return { id: slice.id, amount: lotsOf(market.pair, slice.amount!) };
  }

  private icebergOf(id: string): Iceberg | undefined {
    const { icebergs, orders } = this.state;
    return icebergs.get(orders.get(id as SpotOrder['id'])?.parentId ?? '');
  }
}

/** Builds the next slice; no funds are held for it yet. */
function newSlice(
  step: Step,
  { pair, filters }: SpotMarket,
  iceberg: Iceberg,
  context: PlacementContext,
): SpotOrder {
  const amount = nextSlice(pair, filters, iceberg, hiddenAmount(iceberg));
  return newOrder(step, pair, context, sliceRequest(iceberg, amount), { parentId: iceberg.id });
}

/**
 * Moves the funds of a slice from the iceberg's reserve to the slice's hold, and makes the slice the current one of the
 * iceberg.
 */
function reserveForSlice(step: Step, iceberg: Iceberg, slice: SpotOrder, turn: number): void {
  slice.held = neededHold(slice);
  iceberg.reserved = iceberg.reserved.minus(slice.held);
  iceberg.slice = slice.id;
  iceberg.sliceTurn = turn;
  recordOrder(step, iceberg, slice, slice.amount!);
}

function recordOrder(step: Step, iceberg: Iceberg, order: SpotOrder, amount: Decimal): void {
  step.write(sliceWriter, { iceberg: iceberg.id, position: iceberg.placed, orderId: order.id });
  iceberg.placed += 1;
  iceberg.placedAmount = iceberg.placedAmount.plus(amount);
  iceberg.updatedAt = step.now;
  step.write(icebergWriter, iceberg);
}

/** The context of an iceberg's orders at its start: their client order id is the id of the iceberg. */
function contextOf(input: IcebergInput, { id }: Iceberg): PlacementContext {
  return {
    owner: input.owner,
    master: input.master,
    symbol: input.symbol,
    selfTrade: input.selfTrade,
    rates: input.rates,
    clientId: id,
    reference: input.reference,
    quoteValue: input.quoteValue,
    mostMarked: input.mostMarked,
  };
}

function tooMany() {
  return refusal('aboveMaximum', 'l.iceberg_max', {
    limit: String(ICEBERG_OPEN_MAX),
    value: String(ICEBERG_OPEN_MAX + 1),
  });
}
