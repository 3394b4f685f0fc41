import { periodProblem } from '@exchange/core/period.ts';
import { fillRecords, orderDetail, orderRecords } from '@exchange/wire/spot.ts';
import { useMemo } from 'react';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { nextPage, type PageFields, type PageOf } from '../api/pages.ts';
import { useRead } from '../api/query-client.ts';
import { localRefusal } from '../api/local-refusal.ts';
import { waitForPairs } from '../market/queries.ts';
import { SPOT } from '../market/spot-keys.ts';
import { useSession } from '../session/session-store.ts';
import {
  type Fill,
  type HistoryFilter,
  type Order,
  type OrderDetail,
  type OrderFilter,
  isOpen,
  isWaiting,
} from './shapes.ts';
import { loadWithUpdates, useSpotUpdates } from './live.ts';

export type { Fill, HistoryFilter, Order, OrderDetail, OrderFilter };

/**
 * Maximum number of pages of open orders that are loaded, of `OPEN_PAGE_SIZE` orders each. Open orders beyond that are
 * not shown.
 */
const OPEN_PAGES = 5;
const OPEN_PAGE_SIZE = 100;
const NO_ORDERS: readonly Order[] = [];

/**
 * The user's open orders, newest first. `data` contains all of them, `resting` those on the book, and `waiting` those
 * that wait for a trigger or for another order (see `isWaiting`).
 */
export interface OpenOrders {
  /** The open orders, at most `OPEN_PAGES` pages; undefined for visitors and until loaded. */
  readonly data: readonly Order[] | undefined;
  readonly resting: readonly Order[];
  readonly waiting: readonly Order[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/** The user's open orders that match the filter, updated by messages of the private feed. */
export function useOpenOrders(filter: OrderFilter = {}): OpenOrders {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  const { data, isPending, error, refetch } = useRead({
    queryKey: SPOT.use('open', filter),
    queryFn: ({ signal }) => loadWithUpdates(filter, () => withPairs(loadOpenOrders(filter, signal))),
    enabled: isSignedIn,
    select: splitOpenOrders,
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

/**
 * Splits the open orders into those on the book (`resting`) and those that wait for their trigger or for
 * another order (`waiting`). `useOpenOrders` passes this function to React Query as `select`, which keeps each array
 * identical while its orders are unchanged: a new trigger price of a trailing stop changes only the arrays that contain
 * that order.
 */
function splitOpenOrders(all: readonly Order[]) {
  return {
    all,
    resting: all.filter((order) => !isWaiting(order)),
    waiting: all.filter(isWaiting),
  };
}

/**
 * One order of the user with its fee rates, fills and amendments, updated by the private feed; nothing is loaded while
 * `id` is undefined.
 */
export function useOrderDetail(id: string | undefined) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  return useRead({
    queryKey: SPOT.use('order', id),
    queryFn: ({ signal }): Promise<OrderDetail> => withPairs(call(orderDetail, { id: id ?? '' }, { signal })),
    enabled: isSignedIn && id !== undefined,
  });
}

/**
 * The user's orders, newest first, loaded page by page. `status` selects the completely filled orders
 * (`finished`) or the cancelled ones, also after a partial fill (`cancelled`); without it, all orders
 * including open ones.
 */
export function useOrderHistory(filter: HistoryFilter = {}) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  const { status, ...rest } = filter;
  const entryStatus = status === 'finished' ? '1' : status === 'cancelled' ? '2' : null;
  return useGrowingList<Order>(
    SPOT.use('history', filter),
    // The function that loads the order history is asynchronous, so that a refused filter becomes the error
    // of the query, not an exception during rendering.
    async (page, signal) =>
      await withPairs(call(orderRecords, { ...filterFields(rest), entryStatus, ...page }, { signal })),
    { enabled: isSignedIn, finalRowId: ({ id }) => id, isFinal: (order) => !isOpen(order) },
  );
}

/** The user's fills, newest first, loaded page by page. */
export function useFills(filter: OrderFilter = {}) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  return useGrowingList<Fill>(
    SPOT.use('fills', filter),
    (page, signal) => withPairs(call(fillRecords, { ...filterFields(filter), ...page }, { signal })),
    { enabled: isSignedIn, finalRowId: ({ tradeId }) => tradeId },
  );
}

async function loadOpenOrders(filter: OrderFilter, signal: AbortSignal): Promise<readonly Order[]> {
  const orders: Order[] = [];
  let page: PageFields | undefined = { pageNo: 1, pageSize: OPEN_PAGE_SIZE };
  while (page !== undefined && page.pageNo <= OPEN_PAGES) {
    const response: PageOf<Order> = await call(
      orderRecords,
      { ...filterFields(filter), entryStatus: '0', ...page },
      { signal },
    );
    orders.push(...response.list);
    page = nextPage(response, OPEN_PAGE_SIZE);
  }
  return orders;
}

/**
 * Resolves to rows of orders or fills when both these rows and the pairs are loaded; the pairs determine the number of
 * decimals in the rows.
 */
async function withPairs<Rows>(loading: Promise<Rows>): Promise<Rows> {
  const [rows] = await Promise.all([loading, waitForPairs()]);
  return rows;
}

/**
 * Returns the request fields of a filter of orders or fills. Throws a refusal if the end of the period is
 * before its beginning.
 */
function filterFields(filter: OrderFilter) {
  const problem = periodProblem(filter);
  if (problem !== undefined) throw localRefusal(problem);
  return {
    baseCoin: filter.baseCoin ?? null,
    quoteCoin: filter.quoteCoin ?? null,
    tradeType: filter.tradeType ?? null,
    orderType: filter.orderType ?? null,
    startTime: filter.startTime ?? null,
    endTime: filter.endTime ?? null,
  };
}
