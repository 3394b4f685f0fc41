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

/** API calls of TWAP orders. */

export type Twap = DataOf<typeof twapDetail>['twap'];

/** A TWAP order with its placed children, kept up to date. */
export function useTwap(id: string) {
  useSpotUpdates();
  return useRead({
    queryKey: SPOT.use('twap', id),
    queryFn: ({ signal }) => call(twapDetail, { id }, { signal }),
  });
}

/** Starts a TWAP order. */
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

/** Ends a TWAP order. */
export function useCancelTwap() {
  return useCancelAlgo((id) => call(cancelTwap, { id }));
}
