import { Decimal } from '@exchange/core/decimal.ts';
import { periodProblem } from '@exchange/core/period.ts';
import { feeRates, fillRecords, orderDetail, orderRecords } from '@exchange/wire/spot.ts';
import { useMemo } from 'react';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { nextPage, type PageFields, type PageOf } from '../api/pages.ts';
import { useRead } from '../api/query-client.ts';
import { refusedHere } from '../api/refused-here.ts';
import { useSession } from '../session/session-store.ts';
import {
  type Fill,
  type HistoryFilter,
  type Order,
  type OrderDetail,
  type OrderFilter,
  SPOT,
  isWaiting,
} from './shapes.ts';
import { loadedWithNews, useSpotUpdates } from './live.ts';

export type { Fill, HistoryFilter, Order, OrderDetail, OrderFilter };

/** Unfinished orders are shown all at once, in this many calls at most: a pair holds some 200 of one person. */
const OPEN_PAGES = 5;
const OPEN_PAGE_SIZE = 100;
const NO_ORDERS: readonly Order[] = [];

/** Open orders, newest first, and the same in two parts: those on the book and stops that wait for their price. */
export interface OpenOrders {
  /** Undefined until loaded. */
  readonly data: readonly Order[] | undefined;
  readonly resting: readonly Order[];
  readonly waiting: readonly Order[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/** The open orders that a filter lets in, kept fresh by the private feed. */
export function useOpenOrders(filter: OrderFilter = {}): OpenOrders {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  const { data, isPending, error, refetch } = useRead({
    queryKey: SPOT.use('open', filter),
    queryFn: ({ signal }) => loadedWithNews(filter, () => loadOpenOrders(filter, signal)),
    enabled: isSignedIn,
    select: inTwoParts,
  });
  return useMemo(
    () => ({
      data: data?.all,
      resting: data?.resting ?? NO_ORDERS,
      waiting: data?.waiting ?? NO_ORDERS,
      isPending,
      error,
      refetch,
    }),
    [data, isPending, error, refetch],
  );
}

/** Each part stays the same array as long as its orders do: a stop that follows the market changes only its own. */
function inTwoParts(all: readonly Order[]) {
  return {
    all,
    resting: all.filter((order) => !isWaiting(order)),
    waiting: all.filter(isWaiting),
  };
}

/** One order with its rates, fills and amendments, kept fresh by the private feed; undefined asks nothing. */
export function useOrderDetail(id: string | undefined) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  return useRead({
    queryKey: SPOT.use('order', id),
    queryFn: ({ signal }): Promise<OrderDetail> => call(orderDetail, { id: id ?? '' }, { signal }),
    enabled: isSignedIn && id !== undefined,
  });
}

/** Finished and cancelled orders, newest first, page by page. */
export function useOrderHistory(filter: HistoryFilter = {}) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  const { status, ...rest } = filter;
  const entryStatus = status === 'finished' ? '1' : status === 'cancelled' ? '2' : null;
  return useGrowingList<Order>(
    SPOT.use('history', filter),
    // Awaited so that a refused filter is the list's error, not the component's.
    async (page, signal) => await call(orderRecords, { ...sent(rest), entryStatus, ...page }, { signal }),
    { enabled: isSignedIn, finalRowId: ({ id }) => id },
  );
}

/** Own fills, newest first, page by page. */
export function useFills(filter: OrderFilter = {}) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  return useGrowingList<Fill>(
    SPOT.use('fills', filter),
    (page, signal) => call(fillRecords, { ...sent(filter), ...page }, { signal }),
    { enabled: isSignedIn, finalRowId: ({ tradeId }) => tradeId },
  );
}

/** The signed-in user's own fee tier: rates, 30-day volume and what the next tier asks; undefined until known. */
export function useFeeTier() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: SPOT.use('fees'),
    queryFn: ({ signal }) => call(feeRates, {}, { signal }),
    staleTime: 60_000,
    enabled: isSignedIn,
  }).data;
}

/** A pair with the rates of the signed-in user's own fee tier in place of the listed ones. */
export function useOwnRates<P extends { makerFee: Decimal; takerFee: Decimal }>(pair: P): P {
  const tier = useFeeTier();
  return useMemo(
    () =>
      tier === undefined
        ? pair
        : { ...pair, makerFee: Decimal.parse(tier.maker), takerFee: Decimal.parse(tier.taker) },
    [pair, tier],
  );
}

async function loadOpenOrders(filter: OrderFilter, signal: AbortSignal): Promise<readonly Order[]> {
  const orders: Order[] = [];
  let page: PageFields | undefined = { pageNo: 1, pageSize: OPEN_PAGE_SIZE };
  while (page !== undefined && page.pageNo <= OPEN_PAGES) {
    const answer: PageOf<Order> = await call(
      orderRecords,
      { ...sent(filter), entryStatus: '0', ...page },
      { signal },
    );
    orders.push(...answer.list);
    page = nextPage(answer, OPEN_PAGE_SIZE);
  }
  return orders;
}

/** The filter as the calls take it. Throws what they would refuse: a period that runs backwards is never sent. */
function sent(filter: OrderFilter) {
  const problem = periodProblem(filter);
  if (problem !== undefined) throw refusedHere(problem);
  return {
    baseCoin: filter.baseCoin ?? null,
    quoteCoin: filter.quoteCoin ?? null,
    tradeType: filter.tradeType ?? null,
    orderType: filter.orderType ?? null,
    startTime: filter.startTime ?? null,
    endTime: filter.endTime ?? null,
  };
}
