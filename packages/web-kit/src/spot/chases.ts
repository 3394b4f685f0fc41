import { cancelChase, chaseDetail, createChase } from '@exchange/wire/chase.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useCancelAlgo, usePlaceAlgo, type PlacingOptions } from './algo-calls.ts';
import type { ChasePayload } from './chase-form.ts';
import { useSpotUpdates } from './live.ts';
import { SPOT } from '../market/spot-keys.ts';

/** A chase order: a limit order whose price follows the best price of its side. */
export type Chase = DataOf<typeof chaseDetail>['chase'];

/** A chase order with the order that it has placed; refetched when the private feed reports a change. */
export function useChase(id: string) {
  useSpotUpdates();
  return useRead({
    queryKey: SPOT.use('chase', id),
    queryFn: ({ signal }) => call(chaseDetail, { id }, { signal }),
  });
}

/** Starts a new chase order. */
export function useStartChase({ onDone, refuse }: PlacingOptions) {
  const t = useWords('chase');
  return usePlaceAlgo({
    form: 'chase',
    title: t('title'),
    send: (payload: ChasePayload, options) => call(createChase, payload, options),
    onAnswered: () => notify.success(t('started')),
    onDone,
    refuse,
  });
}

/** Cancels a chase order and the order that it has placed. */
export function useCancelChase() {
  return useCancelAlgo((id) => call(cancelChase, { id }));
}
