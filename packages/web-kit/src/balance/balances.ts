import type { SpotBalance as BalanceSent } from '@exchange/wire/feed.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { useSession } from '../session/session-store.ts';
import { BALANCES } from './keys.ts';
import { balancesWithNews, useBalanceUpdates } from './live-balances.ts';
import type { SpotBalance } from './shapes.ts';

export type { SpotBalance };

/** The coin account, kept fresh by the private feed. */
export function useBalances() {
  const isSignedIn = useSession(({ session }) => session !== null);
  useBalanceUpdates();
  return useRead({
    queryKey: BALANCES.use(),
    queryFn: ({ signal }) =>
      balancesWithNews(async () => {
        const { list, total } = await call(spotAssets, { pageSize: 100 }, { signal });
        return { list: list.map(byTicker), total };
      }),
    enabled: isSignedIn,
  });
}

/** Available and frozen of one coin; undefined until known. */
export function useBalance(coin: string): SpotBalance | undefined {
  return useBalances().data?.list.find(({ currency }) => currency === coin);
}

function byTicker(balance: BalanceSent): SpotBalance {
  return { ...balance, currency: balance.currencyName, currencyName: balance.currency };
}
