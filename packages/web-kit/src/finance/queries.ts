import { CallRefused } from '../api/client.ts';
import { everyPage } from '../api/every-page.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { useRead } from '../api/query-client.ts';
import { useLocale } from '../i18n/words.ts';
import { useSession } from '../session/session-store.ts';
import type { EarnKind } from './earn-kind.ts';
import { useEarnKey, useLiveEarn } from './earn.ts';
import type { Holding, HoldingTab, IncomeDay, Product } from './shapes.ts';

export type { Holding, HoldingTab, IncomeDay, Product };

const NO_PRODUCTS: readonly Product[] = [];

/**
 * All products of the displayed kind of earn product, refetched every five seconds while the component is
 * mounted and the page is visible, because other users' purchases reduce the supply.
 */
export function useProducts() {
  const earn = useLiveEarn();
  const locale = useLocale();
  const { data, ...read } = useRead({
    // The query key includes the user, because each product contains the user's remaining limit.
    queryKey: useEarnKey('products', locale),
    queryFn: ({ signal }) => earn.products(signal),
  });
  return { ...read, data, products: data ?? NO_PRODUCTS };
}

/**
 * The user's earn orders in one tab of the order list, newest first, loaded page by page and refetched with each
 * message of the private feed.
 */
export function useHoldings(tab: HoldingTab) {
  const earn = useLiveEarn();
  const isSignedIn = useSession(({ session }) => session !== null);
  const locale = useLocale();
  return useGrowingList<Holding>(
    useEarnKey('orders', tab, locale),
    (page, signal) => earn.orders({ tab, ...page }, signal),
    { enabled: isSignedIn },
  );
}

/**
 * One of the user's earn orders by its id; null when the id is malformed or the user has no order with it.
 */
export function useHolding(id: string) {
  const earn = useLiveEarn();
  const isSignedIn = useSession(({ session }) => session !== null);
  const locale = useLocale();
  return useRead({
    queryKey: useEarnKey('order', id, locale),
    queryFn: ({ signal }): Promise<Holding | null> =>
      earn.order(id, signal).catch((cause: unknown) => {
        if (cause instanceof CallRefused && cause.isMissing) return null;
        throw cause;
      }),
    enabled: isSignedIn,
  });
}

/**
 * The daily interest of one of the user's earn orders, in the order's coin, newest day first, loaded page by
 * page.
 */
export function useIncome(orderId: string) {
  const earn = useLiveEarn();
  return useGrowingList<IncomeDay>(useEarnKey('income', orderId), (page, signal) =>
    earn.income(orderId, page, signal),
  );
}

/**
 * Loads the user's orders of a kind of earn product, newest first, page by page up to the last page that the server
 * allows; older orders are left out.
 */
export function everyOrder(earn: EarnKind, signal?: AbortSignal): Promise<readonly Holding[]> {
  return everyPage((page) => earn.orders(page, signal));
}
