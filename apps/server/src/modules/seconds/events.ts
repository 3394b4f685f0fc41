import type { UserId } from '@exchange/core/ids.ts';
import type { SecondsResult } from '@exchange/core/seconds.ts';
import { eventKind } from '../../platform/events.ts';

/** A position was opened or has ended. */
export interface SecondsChanged {
  readonly owner: UserId;
  readonly id: string;
  readonly result: SecondsResult | undefined;
}

export const secondsChanged = eventKind<SecondsChanged>('seconds.changed');
