import { Decimal, sum } from '@exchange/core/decimal.ts';
import { claimFaucet, faucetState } from '@exchange/wire/account.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { holdings } from '@exchange/wire/portfolio.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { askAnew, useRead } from '../api/query-client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { ACCOUNT, askForBalances } from '../balance/balances.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import { onRefresh } from '../refresh.ts';
import { signedIn, useSession } from '../session/session-store.ts';

export type PortfolioSnapshot = DataOf<typeof holdings>;
export type Holding = PortfolioSnapshot['list'][number];

/** Refetches the snapshot with every heartbeat while somebody looks at it: it moves with every price. */
const useSnapshotUpdates = joinedWhileShown(() =>
  onRefresh(() => {
    if (signedIn()) askAnew(ACCOUNT.now('holdings'));
  }),
);

/**
 * Everything the person has, read and priced as of one instant: every total, row, share and change on a screen is made of
 * this one answer, so that they agree. `select` narrows it; it has to be the same function at each call.
 */
export function usePortfolio<Part>(select: (snapshot: PortfolioSnapshot) => Part) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSnapshotUpdates();
  return useStoredRead({
    queryKey: ACCOUNT.use('holdings'),
    queryFn: ({ signal }) => call(holdings, {}, { signal }),
    enabled: isSignedIn,
    select,
  });
}

const whole = (snapshot: PortfolioSnapshot) => snapshot;
const listOf = ({ list }: PortfolioSnapshot) => list;

/** The whole snapshot. */
export function useSnapshot() {
  return usePortfolio(whole);
}

/** Every coin of every account that holds something, with its worth. */
export function useHoldings() {
  return usePortfolio(listOf);
}

/** Worth in USDT by account, and of everything in USDT and BTC. */
interface Overview {
  readonly total: string;
  readonly totalBtc: string;
  readonly byAccount: Readonly<Record<Holding['account'], string>>;
}

/** The sums of a snapshot. */
export function overviewOf({ list, total, totalBtc }: PortfolioSnapshot): Overview {
  const worthOf = (account: Holding['account']) =>
    sum(list.filter((row) => row.account === account).map((row) => Decimal.parse(row.total))).toString();
  return {
    total,
    totalBtc,
    byAccount: {
      spot: worthOf('spot'),
      seconds: worthOf('seconds'),
      finance: worthOf('finance'),
      mining: worthOf('mining'),
      fund: worthOf('fund'),
      subscription: worthOf('subscription'),
    },
  };
}

/** The worth of everything the person has, live. */
export function useOverview() {
  return usePortfolio(overviewOf);
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
