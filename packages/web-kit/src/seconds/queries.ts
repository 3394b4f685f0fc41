import type { DataOf } from '@exchange/wire/endpoint.ts';
import { parameter } from '@exchange/wire/parameter.ts';
import { proofKeys, proofSettlement, proofStats, proofVoids } from '@exchange/wire/proof.ts';
import {
  durationOf,
  secondsAssets,
  secondsConfig,
  type secondsDetail,
  secondsLimits,
  secondsOrders,
  type DurationTerms,
} from '@exchange/wire/seconds.ts';
import { call } from '../api/client.ts';
import { PAGE_SIZE, useGrowingList } from '../api/list-state.tsx';
import { useRead, refetchActive } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import { feed, receivesPrivateTopic } from '../feed/feed.ts';
import { subscriptionWhileMounted } from '../feed/shared-subscription.ts';
import { onRefresh } from '../refresh.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';

export type SecondsOrder = DataOf<typeof secondsDetail>;
export type SecondsLimits = DataOf<typeof secondsLimits>;
export type Settlement = DataOf<typeof proofSettlement>;
export type Statistics = DataOf<typeof proofStats>;

/** Terms of the seconds contract: durations, limits, and the fee rate as a fraction of the stake. */
export interface SecondsTerms extends Omit<DataOf<typeof secondsConfig>, 'seconds'> {
  readonly durations: readonly DurationTerms<string>[];
  readonly feeRate: string;
}

/** Query keys of the signed-in user's positions, account and limits in the seconds contract. */
export const SECONDS = userKeys('seconds');

/**
 * Query key of the terms of the seconds contract; it contains no user, because the terms are the same for all users.
 */
export const TERMS_KEY = ['seconds', 'terms'] as const;

const TERMS_FRESH_MS = 15_000;

/** Converts the server's terms of the seconds contract. `feeRate` is a fraction of the stake. */
export function termsOf({ seconds, ...terms }: DataOf<typeof secondsConfig>, feeRate: string): SecondsTerms {
  return {
    ...terms,
    feeRate,
    durations: seconds.map(durationOf),
  };
}

/**
 * The terms of the seconds contract, from two requests: the first for durations and limits, the second for the fee
 * rate.
 */
export function useSecondsTerms() {
  return useRead({
    queryKey: TERMS_KEY,
    queryFn: async ({ signal }): Promise<SecondsTerms> => {
      const config = await call(secondsConfig, {}, { signal });
      const { valueName } = await call(parameter, { paramName: 'contract_fee_rate' }, { signal });
      return termsOf(config, valueName === '' ? '0' : valueName);
    },
    staleTime: TERMS_FRESH_MS,
  });
}

/**
 * The user's open or closed positions in the seconds contract, newest first, loaded page by page; not loaded
 * for visitors.
 */
export function useSecondsOrders(status: 'open' | 'over') {
  useSecondsUpdates();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<SecondsOrder>(
    SECONDS.use('orders', status),
    (page, signal) =>
      call(secondsOrders, { entryStatus: status === 'open' ? '0' : '1', ...page }, { signal }),
    { enabled: isSignedIn, pageSize: status === 'open' ? 20 : PAGE_SIZE },
  );
}

/**
 * The balance of a coin in the user's seconds account: the available amount, and the amount that is locked in open
 * positions. Undefined for visitors and until loaded.
 */
export function useSecondsBalance(coin: string) {
  useSecondsUpdates();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: SECONDS.use('assets'),
    queryFn: ({ signal }) => call(secondsAssets, {}, { signal }),
    enabled: isSignedIn,
  }).data?.find(({ currencyName }) => currencyName === coin);
}

/**
 * The user's own limits in the seconds contract, the net loss of positions settled in the current UTC day,
 * and the sum of stakes and fees of open positions. Not loaded for visitors.
 */
export function useSecondsLimits() {
  useSecondsUpdates();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: SECONDS.use('limits'),
    queryFn: ({ signal }) => call(secondsLimits, {}, { signal }),
    enabled: isSignedIn,
  });
}

/** Fetches the settlement record of a seconds contract position. */
export function useSettlement(id: string) {
  return useRead({
    queryKey: ['seconds', 'settlement', id],
    queryFn: ({ signal }) => call(proofSettlement, { id }, { signal }),
  });
}

const STATISTICS_FRESH_MS = 10_000;

/**
 * Public statistics of the seconds contract: results per duration, voided positions by cause, the reserve, the
 * intervals that were declared void, so that their positions were voided or their losses refunded, and the public keys
 * that verify the signatures of the index tape.
 */
export function useStatistics() {
  return useRead({
    queryKey: ['seconds', 'statistics'],
    queryFn: async ({ signal }) => {
      const [figures, voids, { keys }] = await Promise.all([
        call(proofStats, {}, { signal }),
        call(proofVoids, {}, { signal }),
        call(proofKeys, {}, { signal }),
      ]);
      return { ...figures, intervals: voids.list, keys };
    },
    staleTime: STATISTICS_FRESH_MS,
  });
}

/**
 * Refetches the displayed positions, account and limits of the seconds contract, and the user's balances,
 * with each message of the feed topic `contract`; while that topic is not received, every five seconds.
 */
const useSecondsUpdates = subscriptionWhileMounted(() => {
  const stops = [
    feed.subscribe('contract', refetchSeconds),
    onRefresh(() => {
      if (!receivesPrivateTopic('contract')) refetchSeconds();
    }),
  ];
  return () => stops.forEach((stop) => stop());
});

/** Refetches all displayed user data of the seconds contract and the balances that its positions change. */
export function refetchSeconds(): void {
  refetchActive(SECONDS.forCurrentUser());
  refetchBalances();
}
