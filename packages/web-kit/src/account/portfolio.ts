import { averageCost, openProfit, type Cost } from '@exchange/core/cost.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { valueHistory } from '@exchange/wire/portfolio.ts';
import { call } from '../api/client.ts';
import type { Read } from '../api/query-client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { ACCOUNT, type SpotBalance, useBalances } from '../balance/balances.ts';
import { useCosts } from '../balance/coin-costs.ts';
import { useSession } from '../session/session-store.ts';
import { type PortfolioSnapshot, useSnapshot } from './queries.ts';

/** The key of each account's name among the words of `assets`. */
export const ACCOUNT_NAMES = {
  spot: 'account_coin',
  seconds: 'account_contract',
  finance: 'account_finance',
  mining: 'account_pool',
  fund: 'account_fund',
  subscription: 'account_subscribe',
} as const;

/**
 * The coins of the spot account with the amounts and the worth that the snapshot has of them, so that the rows add up to
 * the totals beside them; coins that it does not name are empty. Without a snapshot, as they are.
 */
export function balancesOfSnapshot(
  balances: readonly SpotBalance[],
  snapshot: PortfolioSnapshot | undefined,
): readonly SpotBalance[] {
  if (snapshot === undefined) return balances;
  const rows = new Map(
    snapshot.list.filter(({ account }) => account === 'spot').map((row) => [row.currency, row]),
  );
  return balances.map((balance): SpotBalance => {
    const row = rows.get(balance.currency);
    return {
      ...balance,
      availableCurrency: row?.available ?? '0',
      frozenCurrency: row?.frozen ?? '0',
      price: row?.price ?? balance.price,
      total: row?.total ?? '0',
    };
  });
}

/** The coins of the spot account as the snapshot has them. */
export function useValuedBalances(): Read<readonly SpotBalance[]> {
  const balances = useBalances();
  const { data: snapshot } = useSnapshot();
  const list = balances.data?.list;
  return { ...balances, data: list && balancesOfSnapshot(list, snapshot) };
}

/** What a coin of the spot account cost on average, and what it would earn now; in USDT. */
export interface CoinProfit {
  /** Undefined, as `open`, where nothing of what was bought is left. */
  readonly average: Decimal | undefined;
  readonly open:
    | { readonly profit: Decimal; /** Of what they cost, a fraction. */ readonly share: Decimal }
    | undefined;
  /** What sales have earned so far. */
  readonly realized: Decimal;
}

/** By coin, as the balances and prices given are; empty until the costs are known. */
export function useCoinProfits(balances: readonly SpotBalance[]): ReadonlyMap<string, CoinProfit> {
  const costs = useCosts();
  return new Map(
    (costs ?? []).flatMap(({ currency, ...texts }) => {
      const balance = balances.find((one) => one.currency === currency);
      return balance === undefined ? [] : [[currency, profitOf(texts, balance)] as const];
    }),
  );
}

/** What those of a coin that were bought earn at its price, and what those have earned that were sold. */
export function profitOf(
  texts: Readonly<Record<keyof Cost, string>>,
  balance: Pick<SpotBalance, 'availableCurrency' | 'frozenCurrency' | 'price'>,
): CoinProfit {
  const [amount, cost, realized] = [texts.amount, texts.cost, texts.realized].map((text) =>
    Decimal.parse(text),
  ) as [Decimal, Decimal, Decimal];
  const of = { amount, cost, realized };
  const average = averageCost(of);
  const held = Decimal.parse(balance.availableCurrency).plus(Decimal.parse(balance.frozenCurrency));
  const open = openProfit(of, held, Decimal.parse(balance.price));
  if (open === undefined) return { average, realized, open };
  const share = open.cost.isZero() ? Decimal.zero : open.profit.over(open.cost, 'down', 4);
  return { average, realized, open: { profit: open.profit, share } };
}

export const CURVE_DAYS = ['7', '30', '90'] as const;
export type CurveDays = (typeof CURVE_DAYS)[number];

/** What everything was worth at the end of each of the last days. */
export function useValueHistory(days: CurveDays) {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useStoredRead({
    queryKey: ACCOUNT.use('history', days),
    queryFn: ({ signal }) => call(valueHistory, { days }, { signal }),
    enabled: isSignedIn,
  });
}
