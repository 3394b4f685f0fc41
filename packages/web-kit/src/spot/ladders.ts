import type { DataOf } from '@exchange/wire/endpoint.ts';
import { cancelLadder, createLadder, ladderDetail } from '@exchange/wire/ladder.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useCancelAlgo, usePlaceAlgo, type PlacingOptions } from './algo-calls.ts';
import type { LadderPayload } from './ladder-form.ts';
import { useSpotUpdates } from './live.ts';
import { SPOT } from '../market/spot-keys.ts';

/** A ladder, which consists of several limit orders in a price range. */
export type Ladder = DataOf<typeof ladderDetail>['ladder'];

/**
 * One of the user's ladders, with the limit orders that it has placed; refetched when the private feed reports a
 * change.
 */
export function useLadder(id: string) {
  useSpotUpdates();
  return useRead({
    queryKey: SPOT.use('ladder', id),
    queryFn: ({ signal }) => call(ladderDetail, { id }, { signal }),
  });
}

/** Places the limit orders of a new ladder. */
export function usePlaceLadder({ onDone, refuse }: PlacingOptions) {
  const t = useWords('ladder');
  return usePlaceAlgo({
    form: 'ladder',
    title: t('title'),
    send: (payload: LadderPayload, options) => call(createLadder, payload, options),
    onAnswered: ({ orders }) => notify.success(t('placed', { count: orders.length })),
    onDone,
    refuse,
  });
}

/** Cancels all open orders of a ladder. */
export function useCancelLadder() {
  return useCancelAlgo((id) => call(cancelLadder, { id }));
}
