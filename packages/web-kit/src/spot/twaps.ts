import type { DataOf } from '@exchange/wire/endpoint.ts';
import { cancelTwap, createTwap, twapDetail } from '@exchange/wire/twap.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useCancelAlgo, usePlaceAlgo, type PlacingOptions } from './algo-calls.ts';
import { useSpotUpdates } from './live.ts';
import { SPOT } from '../market/spot-keys.ts';
import type { TwapPayload } from './twap-form.ts';

/** A TWAP order, which places its amount in several orders over a time. */
export type Twap = DataOf<typeof twapDetail>['twap'];

/** A TWAP order with the orders that it has placed; refetched when the private feed reports a change. */
export function useTwap(id: string) {
  useSpotUpdates();
  return useRead({
    queryKey: SPOT.use('twap', id),
    queryFn: ({ signal }) => call(twapDetail, { id }, { signal }),
  });
}

/** Starts a new TWAP order. */
export function useStartTwap({ onDone, refuse }: PlacingOptions) {
  const t = useWords('algo');
  return usePlaceAlgo({
    form: 'twap',
    title: t('title'),
    send: (payload: TwapPayload, options) => call(createTwap, payload, options),
    onAnswered: () => notify.success(t('started')),
    onDone,
    refuse,
  });
}

/** Cancels a TWAP order, which then places no further orders. */
export function useCancelTwap() {
  return useCancelAlgo((id) => call(cancelTwap, { id }));
}
