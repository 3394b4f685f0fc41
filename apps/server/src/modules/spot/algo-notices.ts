import type { Step } from '../../platform/sequencer/step.ts';
import type { SpotOrder } from './domain/order.ts';
import { algoChanged } from './events.ts';
import type { ExchangeState } from './exchange-state.ts';
import { algoNoticeWriter } from './writers.ts';

/**
 * To be called after the end of any order. If it was the last open order of a ladder, the owner is notified, unless the
 * owner cancelled it.
 */
export function followEndOfLadder(state: ExchangeState, step: Step, order: SpotOrder): void {
  const ladder = state.ladders.recordEnded(order.id);
  if (ladder === undefined) return;
  const hasNotice = order.reason !== 'user';
  if (hasNotice) step.write(algoNoticeWriter, { id: ladder, algo: ladder, kind: 'ladderEnded' });
  step.publish(algoChanged, { owner: order.owner, id: ladder, hasNotice });
}
