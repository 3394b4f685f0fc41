import { financeIncome, financeOrders, financeProducts } from '@exchange/wire/finance.ts';
import { agreement } from '@exchange/wire/parameter.ts';
import { call } from '../api/client.ts';
import { PAGE_SIZE, useGrowingList } from '../api/list-state.tsx';
import { useRead } from '../api/query-client.ts';
import { useLocale } from '../i18n/words.ts';
import { useSession } from '../session/session-store.ts';
import { FINANCE } from './keys.ts';
import { useFinanceUpdates } from './live.ts';
import type { Holding, IncomeDay, Product } from './shapes.ts';

export type { Holding, IncomeDay, Product };

/** Which orders: those that run, or those that are over. */
export type HoldingTab = 'hosting' | 'completed';
export const HOLDING_TABS = ['hosting', 'completed'] as const;
const STATUS = { hosting: '1', completed: '2' } as const;
const NO_PRODUCTS: readonly Product[] = [];
const PRODUCTS_MAX = 100;

/** All products, kept fresh while shown: what is left of them changes with everybody's purchases. */
export function useProducts() {
  useFinanceUpdates();
  const locale = useLocale();
  const { data, ...read } = useRead({
    // What is left for a person is theirs, so the list is, too.
    queryKey: FINANCE.use('products', locale),
    queryFn: async ({ signal }): Promise<readonly Product[]> =>
      (await call(financeProducts, { pageSize: PRODUCTS_MAX }, { signal })).list,
  });
  return { ...read, data, products: data ?? NO_PRODUCTS };
}

/** The own orders of a tab, newest first, page by page, kept fresh by the private feed. */
export function useHoldings(tab: HoldingTab) {
  const isSignedIn = useSession(({ session }) => session !== null);
  const locale = useLocale();
  useFinanceUpdates();
  return useGrowingList<Holding>(
    FINANCE.use('orders', tab, locale),
    (pageNo, signal) => call(financeOrders, { status: STATUS[tab], pageNo, pageSize: PAGE_SIZE }, { signal }),
    isSignedIn,
  );
}

/** One of the own orders; null where there is none of that id. */
export function useHolding(id: string) {
  const isSignedIn = useSession(({ session }) => session !== null);
  const locale = useLocale();
  useFinanceUpdates();
  return useRead({
    queryKey: FINANCE.use('order', id, locale),
    queryFn: async ({ signal }): Promise<Holding | null> =>
      (await everyOrder(signal)).find((order) => order.id === id) ?? null,
    enabled: isSignedIn,
  });
}

/** The interest of one order day by day, newest first, page by page. */
export function useIncome(orderId: string) {
  useFinanceUpdates();
  return useGrowingList<IncomeDay>(FINANCE.use('income', orderId), (pageNo, signal) =>
    call(financeIncome, { orderId, pageNo, pageSize: PAGE_SIZE }, { signal }),
  );
}

/** The agreement that is accepted with every purchase, in the language of the page. */
export function useAgreement() {
  const locale = useLocale();
  return useRead({
    queryKey: ['finance', 'agreement', locale],
    queryFn: ({ signal }) => call(agreement, { name: 'finance', language: locale }, { signal }),
    staleTime: 300_000,
  });
}

/** How many of the own orders are looked through at most. */
const PAGES = 10;
const PAGE_OF_ALL = 100;

/** All own orders, newest first, up to a bound. */
export async function everyOrder(signal?: AbortSignal): Promise<readonly Holding[]> {
  const orders: Holding[] = [];
  for (let pageNo = 1; pageNo <= PAGES; pageNo += 1) {
    const fields = { pageNo, pageSize: PAGE_OF_ALL };
    const page = await call(financeOrders, fields, signal === undefined ? {} : { signal });
    orders.push(...page.list);
    if (orders.length >= page.sum || page.list.length === 0) break;
  }
  return orders;
}
