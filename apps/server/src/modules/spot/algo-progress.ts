import { Decimal } from '@exchange/core/decimal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import { endingFor, type Iceberg, type IcebergEnding } from './domain/iceberg.ts';
import type { SpotOrder } from './domain/order.ts';
import { algoChanged } from './events.ts';
import type { ExchangeState } from './exchange-state.ts';
import { algoNoticeWriter, icebergWriter } from './writers.ts';

/**
 * To be called after the end of any order, so that the ladder or the iceberg to which it belongs follows in the same step.
 */
export function followEnd(state: ExchangeState, step: Step, order: SpotOrder): void {
  followEndOfLadder(state, step, order);
  if (order.icebergId !== '') followEndOfSlice(state, step, order);
}

/** If the order was the last open order of a ladder, the owner is notified, unless the owner cancelled it. */
function followEndOfLadder(state: ExchangeState, step: Step, order: SpotOrder): void {
  const ladder = state.ladders.recordEnded(order.id);
  if (ladder === undefined) return;
  const hasNotice = order.reason !== 'user';
  if (hasNotice) step.write(algoNoticeWriter, { id: ladder, algo: ladder, kind: 'ladderEnded' });
  step.publish(algoChanged, { owner: order.owner, id: ladder, hasNotice });
}

/** The figures of one fill of an order. */
interface FillFigures {
  readonly amount: Decimal;
  readonly total: Decimal;
  readonly fee: Decimal;
}

/** To be called after each fill of a resting slice: adds it to its iceberg. */
export function followFillOfSlice(
  { icebergs }: ExchangeState,
  step: Step,
  { icebergId }: SpotOrder,
  fill: FillFigures,
): void {
  const iceberg = icebergs.get(icebergId)!;
  iceberg.filledAmount = iceberg.filledAmount.plus(fill.amount);
  iceberg.filledTotal = iceberg.filledTotal.plus(fill.total);
  iceberg.fee = iceberg.fee.plus(fill.fee);
  iceberg.updatedAt = step.now;
  step.write(icebergWriter, iceberg);
}

/** An iceberg ends with its slice, unless the next slice has taken the place of a filled one. */
function followEndOfSlice(state: ExchangeState, step: Step, order: SpotOrder): void {
  const iceberg = state.icebergs.get(order.icebergId)!;
  if (iceberg.slice !== order.id) return;
  const isWhole = iceberg.filledAmount.equals(iceberg.amount);
  endIceberg(state, step, iceberg, isWhole ? 'filled' : endingFor(order.reason), order);
}

/** Ends an iceberg: releases what it has reserved for further slices, and notifies its owner unless the owner ended it. */
function endIceberg(
  state: ExchangeState,
  step: Step,
  iceberg: Iceberg,
  ending: IcebergEnding,
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
