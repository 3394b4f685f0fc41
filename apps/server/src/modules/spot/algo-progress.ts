import { Decimal } from '@exchange/core/decimal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import { endingFor, type AlgoEnding } from './domain/algo-ending.ts';
import type { Iceberg } from './domain/iceberg.ts';
import type { SpotOrder } from './domain/order.ts';
import { algoChanged } from './events.ts';
import type { ExchangeState } from './exchange-state.ts';
import { addFillToGrid, followEndOfGridOrder, type FillFigures } from './grid-progress.ts';
import { algoNoticeWriter, chaseWriter, icebergWriter } from './writers.ts';

/** Must be called when any order has ended: updates, in the same step, the algo order to which the order belongs. */
export function followEnd(state: ExchangeState, step: Step, order: SpotOrder): void {
  followEndOfLadder(state, step, order);
  if (order.parentId === '') return;
  followEndOfSlice(state, step, order);
  followEndOfChase(state, step, order);
  followEndOfGridOrder(state, step, order);
}

/**
 * If the ended order was the last open order of a ladder, publishes the change of the ladder, and queues a message to
 * its owner unless the owner cancelled the order.
 */
function followEndOfLadder(state: ExchangeState, step: Step, order: SpotOrder): void {
  const ladder = state.ladders.recordEnded(order.id);
  if (ladder === undefined) return;
  const hasNotice = order.reason !== 'user';
  if (hasNotice) step.write(algoNoticeWriter, { id: ladder, algo: ladder, kind: 'ladderEnded' });
  step.publish(algoChanged, { owner: order.owner, id: ladder, hasNotice });
}

/**
 * Must be called after each fill of an order that belongs to an algo order. Adds the fill to the totals of an iceberg
 * or a grid; does nothing for other algo orders.
 */
export function followFill(
  { grids, icebergs }: ExchangeState,
  step: Step,
  { parentId, side }: SpotOrder,
  fill: FillFigures,
): void {
  const grid = grids.get(parentId);
  if (grid !== undefined) addFillToGrid(step, grid, side, fill);
  const iceberg = icebergs.get(parentId);
  if (iceberg === undefined) return;
  iceberg.filledAmount = iceberg.filledAmount.plus(fill.amount);
  iceberg.filledTotal = iceberg.filledTotal.plus(fill.total);
  iceberg.fee = iceberg.fee.plus(fill.fee);
  iceberg.updatedAt = step.now;
  step.write(icebergWriter, iceberg);
}

/** Ends the iceberg whose slice has ended, unless the next slice has already replaced a filled one. */
function followEndOfSlice(state: ExchangeState, step: Step, order: SpotOrder): void {
  const iceberg = state.icebergs.get(order.parentId);
  if (iceberg?.slice !== order.id) return;
  const isWhole = iceberg.filledAmount.equals(iceberg.amount);
  endIceberg(state, step, iceberg, isWhole ? 'filled' : endingFor(order.reason), order);
}

/** Ends the chase order whose order has ended, and notifies its owner unless the owner ended it. */
function followEndOfChase({ chases }: ExchangeState, step: Step, order: SpotOrder): void {
  const chase = chases.get(order.parentId);
  if (chase === undefined) return;
  chase.ending = order.state === 'filled' ? 'filled' : endingFor(order.reason);
  chase.updatedAt = step.now;
  chases.remove(chase);
  step.write(chaseWriter, chase);
  const hasNotice = chase.ending !== 'user';
  if (hasNotice) step.write(algoNoticeWriter, { id: chase.id, algo: chase.id, kind: 'chaseEnded' });
  step.publish(algoChanged, { owner: chase.owner, id: chase.id, hasNotice });
}

/**
 * Ends an iceberg: releases the funds that it has reserved for further slices, and notifies its owner unless the owner
 * ended it.
 */
function endIceberg(
  state: ExchangeState,
  step: Step,
  iceberg: Iceberg,
  ending: AlgoEnding,
  last: SpotOrder,
): void {
  const { owner, heldAsset: asset, reserved: amount } = iceberg;
  if (amount.isPositive()) {
    state.ledger.post(step, 'spot.released', last.id, [
      {
        source: userAddress(owner, 'spot', 'frozen'),
        destination: userAddress(owner, 'spot', 'available'),
        asset,
        amount,
      },
    ]);
  }
  iceberg.reserved = Decimal.zero;
  iceberg.slice = undefined;
  iceberg.ending = ending;
  iceberg.updatedAt = step.now;
  state.icebergs.remove(iceberg);
  step.write(icebergWriter, iceberg);
  const hasNotice = ending !== 'user';
  if (hasNotice) step.write(algoNoticeWriter, { id: iceberg.id, algo: iceberg.id, kind: 'icebergEnded' });
  step.publish(algoChanged, { owner, id: iceberg.id, hasNotice });
}
