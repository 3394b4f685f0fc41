import { Decimal } from '@exchange/core/decimal.ts';
import type { SpotBalance as BalanceSent } from '@exchange/wire/feed.ts';
import { feeRates, fillRecords, orderRecords, spotAssets } from '@exchange/wire/spot.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../api/client.ts';
import { PAGE_SIZE, useGrowingList } from '../api/list-state.ts';
import { useSession } from '../session/session-store.ts';
import { useSpotUpdates } from './live.ts';
import type { Balances, Fill, HistoryFilter, Order, OrderFilter, SpotBalance } from './shapes.ts';

export type { Balances, Fill, HistoryFilter, Order, OrderFilter, SpotBalance };

/** Unfinished orders are shown all at once: a pair holds at most 200 of one person. */
const OPEN_ORDERS_SHOWN = 100;

/** The coin account, kept fresh by the private feed. */
export function useBalances() {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  return useQuery({
    queryKey: ['spot', 'balances'],
    queryFn: async ({ signal }): Promise<Balances> => {
      const { list, total } = await call(spotAssets, { pageSize: 100 }, { signal });
      return { list: list.map(byTicker), total };
    },
    enabled: isSignedIn,
  });
}

/** Available and frozen of one coin; undefined until known. */
export function useBalance(coin: string): SpotBalance | undefined {
  return useBalances().data?.list.find(({ currency }) => currency === coin);
}

/** Unfinished orders, newest first, kept fresh by the private feed. */
export function useOpenOrders(filter: OrderFilter = {}) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  return useQuery({
    queryKey: ['spot', 'open', filter],
    queryFn: async ({ signal }): Promise<readonly Order[]> =>
      (
        await call(
          orderRecords,
          { ...sent(filter), entryStatus: '0', pageSize: OPEN_ORDERS_SHOWN },
          { signal },
        )
      ).list,
    enabled: isSignedIn,
  });
}

/** Finished and cancelled orders, newest first, page by page. */
export function useOrderHistory(filter: HistoryFilter = {}) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  const { status, ...rest } = filter;
  const entryStatus = status === 'finished' ? '1' : status === 'cancelled' ? '2' : null;
  return useGrowingList<Order>(
    ['spot', 'history', filter],
    async (pageNo, signal) => {
      const page = await call(
        orderRecords,
        { ...sent(rest), entryStatus, pageNo, pageSize: PAGE_SIZE },
        { signal },
      );
      return page;
    },
    isSignedIn,
  );
}

/** Own fills, newest first, page by page. */
export function useFills(filter: OrderFilter = {}) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  return useGrowingList<Fill>(
    ['spot', 'fills', filter],
    (pageNo, signal) => call(fillRecords, { ...sent(filter), pageNo, pageSize: PAGE_SIZE }, { signal }),
    isSignedIn,
  );
}

/** A pair with the rates of the signed-in user's own fee tier in place of the listed ones. */
export function useOwnRates<P extends { makerFee: Decimal; takerFee: Decimal }>(pair: P): P {
  const isSignedIn = useSession(({ session }) => session !== null);
  const { data } = useQuery({
    queryKey: ['spot', 'fees'],
    queryFn: ({ signal }) => call(feeRates, {}, { signal }),
    staleTime: 60_000,
    enabled: isSignedIn,
  });
  return useMemo(
    () =>
      data === undefined
        ? pair
        : { ...pair, makerFee: Decimal.parse(data.maker), takerFee: Decimal.parse(data.taker) },
    [pair, data],
  );
}

function byTicker(balance: BalanceSent): SpotBalance {
  return { ...balance, currency: balance.currencyName, currencyName: balance.currency };
}

function sent(filter: OrderFilter) {
  return {
    baseCoin: filter.baseCoin ?? null,
    quoteCoin: filter.quoteCoin ?? null,
    tradeType: filter.tradeType ?? null,
    startTime: filter.startTime ?? null,
    endTime: filter.endTime ?? null,
  };
}
