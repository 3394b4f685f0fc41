import { useRead } from '../api/query-client.ts';
import { useSession } from '../session/session-store.ts';
import { useEarnKey, useLiveEarn } from './earn.ts';

/** What the own orders come to in USDT: locked, earned so far, arriving within seven days; undefined until known. */
export function useFinanceTotals() {
  const earn = useLiveEarn();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: useEarnKey('totals'),
    queryFn: async ({ signal }) => (await earn.orders({ pageSize: 1 }, signal)).totals,
    enabled: isSignedIn,
  }).data;
}
