import { ACCOUNT_NAMES, type AccountName } from '@exchange/core/accounts.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import { claimFaucet, faucetState } from '@exchange/wire/account.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { holdings } from '@exchange/wire/portfolio.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { refetchActive, useRead } from '../api/query-client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { TOTAL_ASSETS_KEYS, refetchBalances } from '../balance/balances.ts';
import { subscriptionWhileMounted } from '../feed/shared-subscription.ts';
import { onRefresh } from '../refresh.ts';
import { signedIn, useSession } from '../session/session-store.ts';

export type PortfolioSnapshot = DataOf<typeof holdings>;
export type Holding = PortfolioSnapshot['list'][number];

/**
 * Requests the portfolio snapshot again every five seconds while a component uses it and the page is visible, because
 * its values change with every price.
 */
const useSnapshotUpdates = subscriptionWhileMounted(() =>
  onRefresh(() => {
    if (signedIn()) refetchActive(TOTAL_ASSETS_KEYS.forCurrentUser('holdings'));
  }),
);

/**
 * Returns the part of the user's portfolio snapshot that `select` selects. The server reads all balances and prices of
 * a snapshot at one time, so all totals, rows, shares and changes on a screen agree. `select` must be the same function
 * at every call.
 */
export function usePortfolio<Part>(select: (snapshot: PortfolioSnapshot) => Part) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSnapshotUpdates();
  return useStoredRead({
    queryKey: TOTAL_ASSETS_KEYS.use('holdings'),
    queryFn: ({ signal }) => call(holdings, {}, { signal }),
    enabled: isSignedIn,
    select,
  });
}

const whole = (snapshot: PortfolioSnapshot) => snapshot;
const listOf = ({ list }: PortfolioSnapshot) => list;

export function useSnapshot() {
  return usePortfolio(whole);
}

/** Returns the user's balances in all accounts, without those of zero, each with its value in USDT. */
export function useHoldings() {
  return usePortfolio(listOf);
}

/** Value of each account in USDT, and the total value in USDT and in BTC. */
interface Overview {
  readonly total: string;
  readonly totalBtc: string;
  readonly byAccount: Readonly<Record<AccountName, string>>;
}

/**
 * Computes a user's totals from a portfolio snapshot: in USDT for each account and for all together, and for
 * all together also in BTC.
 */
export function overviewOf({ list, total, totalBtc }: PortfolioSnapshot): Overview {
  const worthOf = (account: AccountName) =>
    sum(list.filter((row) => row.account === account).map((row) => Decimal.parse(row.total))).toString();
  return {
    total,
    totalBtc,
    byAccount: Object.fromEntries(ACCOUNT_NAMES.map((account) => [account, worthOf(account)])) as Record<
      AccountName,
      string
    >,
  };
}

/**
 * Returns the totals of the portfolio snapshot in USDT and BTC. The snapshot is requested again every five
 * seconds while the page is visible.
 */
export function useOverview() {
  return usePortfolio(overviewOf);
}

/**
 * Fetches the time (milliseconds UTC) from which the signed-in user can claim demo funds again; a time in the
 * past, or 0, if the user can claim them now. The endpoint exists only in demo mode.
 */
export function useFaucetState() {
  const userId = useSession(({ session }) => session?.userId);
  return useRead({
    queryKey: ['account', 'faucet', userId],
    queryFn: ({ signal }) => call(faucetState, {}, { signal }),
    enabled: userId !== undefined,
  });
}

/**
 * Hook that claims demo funds for the signed-in user. The mutation resolves to the credited amounts, and
 * rejects with a refusal if the user has claimed demo funds within the last 24 hours. The endpoint exists
 * only in demo mode.
 */
export function useClaimFaucet() {
  return useMutation({
    mutationFn: () => call(claimFaucet),
    onSuccess: refetchBalances,
  });
}
