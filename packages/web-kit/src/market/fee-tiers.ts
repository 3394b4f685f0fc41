import { Decimal } from '@exchange/core/decimal.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { feeRates, feeTiers } from '@exchange/wire/spot.ts';
import { useMemo } from 'react';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { useSession } from '../session/session-store.ts';
import { SPOT } from './spot-keys.ts';

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

/**
 * The user's fee tier: maker and taker rate as fractions, 30-day volume in USDT, and volume and rates of the
 * next tier; undefined until loaded, and for visitors.
 */
export function useFeeTier() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: SPOT.use('fees'),
    queryFn: ({ signal }) => call(feeRates, {}, { signal }),
    staleTime: FRESH_MS,
    enabled: isSignedIn,
  }).data;
}

/**
 * The pair with the fee rates of the user's tier instead of the public ones; the pair unchanged until the tier is
 * loaded, and for visitors.
 */
export function useOwnRates<P extends { makerFee: Decimal; takerFee: Decimal }>(pair: P): P {
  const tier = useFeeTier();
  return useMemo(
    () =>
      tier === undefined
        ? pair
        : { ...pair, makerFee: Decimal.parse(tier.maker), takerFee: Decimal.parse(tier.taker) },
    [pair, tier],
  );
}
