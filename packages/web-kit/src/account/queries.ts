import { claimFaucet, faucetState, overview } from '@exchange/wire/account.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { ACCOUNT, askForBalances } from '../balance/balances.ts';
import { useSession } from '../session/session-store.ts';

/** The worth of everything the user has, in USDT and in BTC. */
export function useOverview() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: ACCOUNT.use('overview'),
    queryFn: ({ signal }) => call(overview, {}, { signal }),
    enabled: isSignedIn,
  });
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
