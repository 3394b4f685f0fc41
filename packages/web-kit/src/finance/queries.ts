import { PAGE_SIZE, useGrowingList } from '../api/list-state.tsx';
import { useRead } from '../api/query-client.ts';
import { useLocale } from '../i18n/words.ts';
import { useSession } from '../session/session-store.ts';
import type { EarnKind } from './earn-kind.ts';
import { useEarnKey, useLiveEarn } from './earn.ts';
import type { Holding, HoldingTab, IncomeDay, Product } from './shapes.ts';

export type { Holding, HoldingTab, IncomeDay, Product };

const NO_PRODUCTS: readonly Product[] = [];

/** All products, kept fresh while shown: what is left of them changes with everybody's purchases. */
export function useProducts() {
  const earn = useLiveEarn();
  const locale = useLocale();
  const { data, ...read } = useRead({
    // What is left for a person is theirs, so the list is, too.
    queryKey: useEarnKey('products', locale),
    queryFn: ({ signal }) => earn.products(signal),
  });
  return { ...read, data, products: data ?? NO_PRODUCTS };
}

/** The own orders of a tab, newest first, page by page, kept fresh by the private feed. */
export function useHoldings(tab: HoldingTab) {
  const earn = useLiveEarn();
  const isSignedIn = useSession(({ session }) => session !== null);
  const locale = useLocale();
  return useGrowingList<Holding>(
    useEarnKey('orders', tab, locale),
    (pageNo, signal) => earn.orders({ tab, pageNo, pageSize: PAGE_SIZE }, signal),
    isSignedIn,
  );
}

/** One of the own orders; null where there is none of that id. */
export function useHolding(id: string) {
  const earn = useLiveEarn();
  const isSignedIn = useSession(({ session }) => session !== null);
  const locale = useLocale();
  return useRead({
    queryKey: useEarnKey('order', id, locale),
    queryFn: async ({ signal }): Promise<Holding | null> =>
      (await everyOrder(earn, signal)).find((order) => order.id === id) ?? null,
    enabled: isSignedIn,
  });
}

/** The interest of one order day by day, newest first, page by page. */
export function useIncome(orderId: string) {
  const earn = useLiveEarn();
  return useGrowingList<IncomeDay>(useEarnKey('income', orderId), (pageNo, signal) =>
    earn.income(orderId, pageNo, signal),
  );
}

/** How many of the own orders are looked through at most. */
const PAGES = 10;
const PAGE_OF_ALL = 100;

/** All own orders, newest first, up to a bound. */
export async function everyOrder(earn: EarnKind, signal?: AbortSignal): Promise<readonly Holding[]> {
  const orders: Holding[] = [];
  for (let pageNo = 1; pageNo <= PAGES; pageNo += 1) {
    const page = await earn.orders({ pageNo, pageSize: PAGE_OF_ALL }, signal);
    orders.push(...page.list);
    if (orders.length >= page.sum || page.list.length === 0) break;
  }
  return orders;
}
