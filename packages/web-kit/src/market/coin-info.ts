import { coinInfo, type CoinInfo } from '@exchange/wire/coin-info.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/read.ts';

export type { CoinInfo };

/** What a listed coin is, in the language in use; an error where it is not listed. */
export function useCoinInfo(coin: string) {
  return useRead({
    queryKey: ['market', 'coin', coin],
    queryFn: ({ signal }): Promise<CoinInfo> => call(coinInfo, { coin }, { signal }),
    staleTime: 3_600_000,
  });
}
