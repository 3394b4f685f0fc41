import type { DataOf } from '@exchange/wire/endpoint.ts';
import { cancelIceberg, createIceberg, icebergDetail } from '@exchange/wire/iceberg.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useCancelAlgo, usePlaceAlgo, type PlacingOptions } from './algo-calls.ts';
import type { IcebergPayload } from './iceberg-form.ts';
import { useSpotUpdates } from './live.ts';
import { SPOT } from '../market/spot-keys.ts';

/** An iceberg order, which shows only a slice of its amount in the book. */
export type Iceberg = DataOf<typeof icebergDetail>['iceberg'];

/** An iceberg order with the orders that it has placed; refetched when the private feed reports a change. */
export function useIceberg(id: string) {
  useSpotUpdates();
  return useRead({
    queryKey: SPOT.use('iceberg', id),
    queryFn: ({ signal }) => call(icebergDetail, { id }, { signal }),
  });
}

/** Places a new iceberg order. */
export function usePlaceIceberg({ onDone, refuse }: PlacingOptions) {
  const t = useWords('iceberg');
  return usePlaceAlgo({
    form: 'iceberg',
    title: t('title'),
    send: (payload: IcebergPayload, options) => call(createIceberg, payload, options),
    onAnswered: () => notify.success(t('placed')),
    onDone,
    refuse,
  });
}

/** Cancels an iceberg order and its slice that is open in the book. */
export function useCancelIceberg() {
  return useCancelAlgo((id) => call(cancelIceberg, { id }));
}
