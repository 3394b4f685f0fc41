import type { DataOf } from '@exchange/wire/endpoint.ts';
import { holdings, valueHistory } from '@exchange/wire/portfolio.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { ACCOUNT } from '../balance/keys.ts';
import { useSession } from '../session/session-store.ts';

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
