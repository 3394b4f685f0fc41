import type { UserId } from '@exchange/core/ids.ts';
import type { SecondsResult } from '@exchange/core/seconds.ts';
import { SECONDS_STATUS, type SecondsMessage } from '@exchange/wire/seconds.ts';
import { privateEvent } from '../../platform/feed/private-event.ts';

/** Published when a seconds position was opened, settled or refunded; `result` is undefined for an opened one. */
interface SecondsChanged {
  readonly owner: UserId;
  readonly id: string;
  readonly result: SecondsResult | undefined;
}

export const secondsChanged = privateEvent<SecondsChanged, SecondsMessage>({
  name: 'seconds.changed',
  topic: 'contract',
  message: ({ id, result }) => {
    const { holding, completed, returned } = SECONDS_STATUS;
    if (result === undefined) return [{ id, status: holding }];
    return [{ id, status: result === 'void' ? returned : completed, result }];
  },
});
