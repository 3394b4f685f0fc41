import { financeOrders } from '@exchange/wire/finance.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { useSession } from '../session/session-store.ts';
import { FINANCE } from './keys.ts';
import { useFinanceUpdates } from './live.ts';

/** What the own orders come to in USDT: locked, earned so far, arriving within seven days; undefined until known. */
export function useFinanceTotals() {
  const isSignedIn = useSession(({ session }) => session !== null);
  useFinanceUpdates();
  return useRead({
    queryKey: FINANCE.use('totals'),
    queryFn: async ({ signal }) => (await call(financeOrders, { pageSize: 1 }, { signal })).totals,
    enabled: isSignedIn,
  }).data;
}
