import { convertCoins } from '@exchange/wire/convert.ts';
import { networkFees } from '@exchange/wire/deposit.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { fundList } from '@exchange/wire/fund.ts';
import { secondsFullConfig } from '@exchange/wire/seconds.ts';
import { feeRates } from '@exchange/wire/spot.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { useLocale } from '../i18n/words.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';

export type NetworkFee = DataOf<typeof networkFees>['list'][number];

const USER_FEES = userKeys('fees');
const FRESH_MS = 60_000;

/**
 * The signed-in user's fee tier of spot trading and the user's trading volume of the last 30 days in USDT;
 * nothing is fetched for visitors.
 */
export function useUserTier() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: USER_FEES.use('tier'),
    queryFn: ({ signal }) => call(feeRates, {}, { signal }),
    enabled: isSignedIn,
  });
}

/** Deposit and withdrawal fees of every network of every coin. */
export function useNetworkFees() {
  return useRead({
    queryKey: ['fees', 'networks'],
    queryFn: async ({ signal }) => (await call(networkFees, {}, { signal })).list,
    staleTime: FRESH_MS,
  });
}

/** Fees of coin conversions, of seconds contracts and of the leveraged funds, in the interface language. */
export function useProductFees() {
  const locale = useLocale();
  return useRead({
    queryKey: ['fees', 'products', locale],
    queryFn: async ({ signal }) => {
      const [convert, seconds, funds] = await Promise.all([
        call(convertCoins, {}, { signal }),
        call(secondsFullConfig, {}, { signal }),
        call(fundList, {}, { signal }),
      ]);
      return { convert, seconds, funds: funds.list };
    },
    staleTime: FRESH_MS,
  });
}
