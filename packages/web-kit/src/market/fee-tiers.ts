import type { DataOf } from '@exchange/wire/endpoint.ts';
import { feeTiers } from '@exchange/wire/spot.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';

export type FeeTier = DataOf<typeof feeTiers>['list'][number];

const FRESH_MS = 60_000;

/** All fee tiers of spot trading, lowest first. */
export function useFeeTiers() {
  return useRead({
    queryKey: ['fee tiers'],
    queryFn: async ({ signal }) => (await call(feeTiers, {}, { signal })).list,
    staleTime: FRESH_MS,
  });
}
