import { averageCost, openProfit, type Cost } from '@exchange/core/cost.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { valueHistory } from '@exchange/wire/portfolio.ts';
import { call } from '../api/client.ts';
import type { Read } from '../api/query-client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { TOTAL_ASSETS_KEYS, type SpotBalance, useBalances } from '../balance/balances.ts';
import { useCosts } from '../balance/coin-costs.ts';
import { useFeeTier } from '../market/fee-tiers.ts';
import { useSession } from '../session/session-store.ts';
import { type PortfolioSnapshot, useSnapshot } from './queries.ts';

/**
 * Replaces the amounts and values of spot balances by those of the portfolio snapshot, so that the rows add up to the
 * totals that the screen shows beside them. A coin that the snapshot does not contain becomes zero. Without a snapshot
 * the balances are returned unchanged.
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

/**
 * Returns the user's spot balances with the amounts and values of the portfolio snapshot; until the snapshot
 * has loaded, with those of the balances' own response.
 */
export function useValuedBalances(): Read<readonly SpotBalance[]> {
  const balances = useBalances();
  const { data: snapshot } = useSnapshot();
  const list = balances.data?.list;
  return { ...balances, data: list && balancesOfSnapshot(list, snapshot) };
}

/**
 * Average cost and profits of a coin in USDT, after fees. Only bought units have a cost; units that the user received
 * otherwise are not included.
 */
export interface CoinProfit {
  /**
   * Average cost in USDT of one bought unit that the user still has in any account; undefined if there is
   * none.
   */
  readonly average: Decimal | undefined;
  /**
   * Unrealised profit in USDT of the bought units on the spot account, after the estimated fee of their sale.
   * Undefined if the spot account holds no units with a known cost, and until the user's fee rate has loaded.
   */
  readonly open:
    | { readonly profit: Decimal; /** Profit as a fraction of the cost. */ readonly share: Decimal }
    | undefined;
  /** Profit in USDT of all sales of the coin so far, from every account of the user. */
  readonly realized: Decimal;
}

/**
 * Returns average cost and profits by coin, for the given balances of coins with a stored cost. It is empty until the
 * costs have loaded.
 */
export function useCoinProfits(balances: readonly SpotBalance[]): ReadonlyMap<string, CoinProfit> {
  const costs = useCosts();
  const takerRate = useFeeTier()?.taker;
  const sellingFee = takerRate === undefined ? undefined : Decimal.parse(takerRate);
  return new Map(
    (costs ?? []).flatMap(({ currency, ...texts }) => {
      const balance = balances.find((candidate) => candidate.currency === currency);
      return balance === undefined ? [] : [[currency, profitOf(texts, balance, sellingFee)] as const];
    }),
  );
}

/**
 * Computes the average cost of a coin's bought units, the unrealised profit of those on the spot account, as
 * if they were sold at the current price with the fee rate `sellingFee`, and the realised profit of the sold
 * units.
 */
export function profitOf(
  texts: Readonly<Record<keyof Cost, string>>,
  balance: Pick<SpotBalance, 'availableCurrency' | 'frozenCurrency' | 'price'>,
  sellingFee: Decimal | undefined,
): CoinProfit {
  const [amount, cost, realized] = [texts.amount, texts.cost, texts.realized].map((text) =>
    Decimal.parse(text),
  ) as [Decimal, Decimal, Decimal];
  const costTexts = { amount, cost, realized };
  const average = averageCost(costTexts);
  const total = Decimal.parse(balance.availableCurrency).plus(Decimal.parse(balance.frozenCurrency));
  const price = Decimal.parse(balance.price);
  const open = sellingFee && openProfit(costTexts, total, { price, sellingFee });
  if (open === undefined) return { average, realized, open };
  const share = open.cost.isZero() ? Decimal.zero : open.profit.over(open.cost, 'down', 4);
  return { average, realized, open: { profit: open.profit, share } };
}

export const CURVE_DAYS = ['7', '30', '90'] as const;
export type CurveDays = (typeof CURVE_DAYS)[number];

/**
 * Fetches the total value of the user's accounts in USDT at the end of each of the last `days` finished UTC days,
 * oldest first. Days that ended while the exchange's server was down are missing.
 */
export function useValueHistory(days: CurveDays) {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useStoredRead({
    queryKey: TOTAL_ASSETS_KEYS.use('history', days),
    queryFn: ({ signal }) => call(valueHistory, { days }, { signal }),
    enabled: isSignedIn,
  });
}
