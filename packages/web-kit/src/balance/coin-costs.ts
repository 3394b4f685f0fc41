import type { Cost } from '@exchange/core/cost.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { coinCosts } from '@exchange/wire/portfolio.ts';
import { useMemo } from 'react';
import { call } from '../api/client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { useSession } from '../session/session-store.ts';
import { ACCOUNT } from './balances.ts';

/** What the coins cost that were bought and are still there, one entry for each coin; undefined until known. */
export function useCosts() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useStoredRead({
    queryKey: ACCOUNT.use('costs'),
    queryFn: async ({ signal }) => (await call(coinCosts, {}, { signal })).list,
    enabled: isSignedIn,
  }).data;
}

/** What the own coins of one kind cost that were bought, in USDT; undefined until known, and where none was bought. */
export function useCoinCost(coin: string): Cost | undefined {
  const texts = useCosts()?.find(({ currency }) => currency === coin);
  return useMemo(
    () =>
      texts && {
        amount: Decimal.parse(texts.amount),
        cost: Decimal.parse(texts.cost),
        realized: Decimal.parse(texts.realized),
      },
    [texts],
  );
}
