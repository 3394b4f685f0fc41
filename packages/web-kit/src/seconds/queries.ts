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
import { useRead, askAnew } from '../api/query-client.ts';
import { askForBalances } from '../balance/balances.ts';
import { feed, receivesOwn } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import { onRefresh } from '../refresh.ts';
import { ownKeys } from '../session/own-key.ts';
import { useSession } from '../session/session-store.ts';

export type SecondsOrder = DataOf<typeof secondsDetail>;
export type SecondsLimits = DataOf<typeof secondsLimits>;
export type Settlement = DataOf<typeof proofSettlement>;
export type Statistics = DataOf<typeof proofStats>;

/** What the ticket is made of: durations, limits, and the fee rate that is asked for after them. */
export interface SecondsTerms extends Omit<DataOf<typeof secondsConfig>, 'seconds'> {
  readonly durations: readonly DurationTerms<string>[];
  readonly feeRate: string;
}

/** A person's positions, seconds account and limits in the cache. */
export const SECONDS = ownKeys('seconds');

/** The terms that everybody has. */
export const TERMS_KEY = ['seconds', 'terms'] as const;

const TERMS_FRESH_MS = 15_000;

/** The configuration in its two steps: durations and limits first, then the fee. */
export function useSecondsTerms() {
  return useRead({
    queryKey: TERMS_KEY,
    queryFn: async ({ signal }): Promise<SecondsTerms> => {
      const { seconds, ...rest } = await call(secondsConfig, {}, { signal });
      const { valueName } = await call(parameter, { paramName: 'contract_fee_rate' }, { signal });
      return { ...rest, durations: seconds.map(durationOf), feeRate: valueName === '' ? '0' : valueName };
    },
    staleTime: TERMS_FRESH_MS,
  });
}

/** Positions that run, or those that are over: newest first, page by page. */
export function useSecondsOrders(which: 'open' | 'over') {
  useSecondsUpdates();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<SecondsOrder>(
    SECONDS.use('orders', which),
    (page, signal) => call(secondsOrders, { entryStatus: which === 'open' ? '0' : '1', ...page }, { signal }),
    { enabled: isSignedIn, pageSize: which === 'open' ? 20 : PAGE_SIZE },
  );
}

/** What is available and in open positions, of the coin that positions are staked in. */
export function useSecondsBalance(coin: string) {
  useSecondsUpdates();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: SECONDS.use('assets'),
    queryFn: ({ signal }) => call(secondsAssets, {}, { signal }),
    enabled: isSignedIn,
  }).data?.find(({ currencyName }) => currencyName === coin);
}

/** The own limits and where the day stands. */
export function useSecondsLimits() {
  useSecondsUpdates();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: SECONDS.use('limits'),
    queryFn: ({ signal }) => call(secondsLimits, {}, { signal }),
    enabled: isSignedIn,
  });
}

/** What a settled position was settled by. */
export function useSettlement(id: string) {
  return useRead({
    queryKey: ['seconds', 'settlement', id],
    queryFn: ({ signal }) => call(proofSettlement, { id }, { signal }),
  });
}

const STATISTICS_FRESH_MS = 10_000;

/** Results per duration, voids and the reserve, with the declared intervals. */
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

/** Keeps positions, the account and limits that are shown in step with the private feed. */
const useSecondsUpdates = joinedWhileShown(() => {
  const stops = [
    feed.subscribe('contract', askForSeconds),
    onRefresh(() => {
      if (!receivesOwn('contract')) askForSeconds();
    }),
  ];
  return () => stops.forEach((stop) => stop());
});

/** Asks again for everything of the seconds contract that is on screen, and for the balances it moves. */
export function askForSeconds(): void {
  askAnew(SECONDS.now());
  askForBalances();
}
