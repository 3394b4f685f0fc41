import { claimFaucet, faucetState, holdings, overview, valueHistory } from '@exchange/wire/account.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { ACCOUNT } from '../balance/keys.ts';
import { askForBalances } from '../balance/live-balances.ts';
import { useSession } from '../session/session-store.ts';

/** The worth of everything the user has, in USDT and in BTC. */
export function useOverview() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: ACCOUNT.use('overview'),
    queryFn: ({ signal }) => call(overview, {}, { signal }),
    enabled: isSignedIn,
  });
}

export type Holding = DataOf<typeof holdings>['list'][number];

/** Every coin of every account that holds something, with its worth. */
export function useHoldings() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: ACCOUNT.use('holdings'),
    queryFn: async ({ signal }) => (await call(holdings, {}, { signal })).list,
    enabled: isSignedIn,
  });
}

export const CURVE_DAYS = ['7', '30', '90'] as const;
export type CurveDays = (typeof CURVE_DAYS)[number];

/** What everything was worth at the end of each of the last days. */
export function useValueHistory(days: CurveDays) {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: ACCOUNT.use('history', days),
    queryFn: async ({ signal }) => (await call(valueHistory, { days }, { signal })).list,
    enabled: isSignedIn,
  });
}

/** Demo mode: when the person who is signed in can claim play money next. */
export function useFaucetState() {
  const userId = useSession(({ session }) => session?.userId);
  return useRead({
    queryKey: ['account', 'faucet', userId],
    queryFn: ({ signal }) => call(faucetState, {}, { signal }),
    enabled: userId !== undefined,
  });
}

/** Demo mode: claims play money, once a day. Gives what was credited. */
export function useClaimFaucet() {
  return useMutation({
    mutationFn: () => call(claimFaucet),
    onSuccess: askForBalances,
  });
}
