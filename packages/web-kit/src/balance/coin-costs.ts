import type { Cost } from '@exchange/core/cost.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { coinCosts } from '@exchange/wire/portfolio.ts';
import { useMemo } from 'react';
import { call } from '../api/client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { useSession } from '../session/session-store.ts';
import { TOTAL_ASSETS_KEYS } from './balances.ts';

/**
 * Returns for each coin that the user has bought the amount that the user still has, its cost and the realised profit,
 * the latter two in USDT, for the main account and all sub-accounts together. Undefined for visitors and until loaded.
 */
export function useCosts() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useStoredRead({
    queryKey: TOTAL_ASSETS_KEYS.use('costs'),
    queryFn: async ({ signal }) => (await call(coinCosts, {}, { signal })).list,
    enabled: isSignedIn,
  }).data;
}

/**
 * Returns the bought amount of `coin` that the user still has, its cost, and the realised profit, the latter two in
 * USDT. Returns undefined for visitors, until loaded, and for a coin that the user has never bought.
 */
export function useCoinCost(coin: string): Cost | undefined {
  const costTexts = useCosts()?.find(({ currency }) => currency === coin);
  return useMemo(
    () =>
      costTexts && {
        amount: Decimal.parse(costTexts.amount),
        cost: Decimal.parse(costTexts.cost),
        realized: Decimal.parse(costTexts.realized),
      },
    [costTexts],
  );
}
