import {
  buyFinance,
  financeDetail,
  financeIncome,
  financeOrderDetail,
  financeOrders,
  financeProducts,
  PRODUCT_STATUS,
  withdrawFinance,
} from '@exchange/wire/finance.ts';
import { pageAnswer, route, type Route, submissionRoute } from '../../platform/http/route.ts';
import { presentIncome, presentOrder, presentProduct, presentSchedule } from './present.ts';
import type { Finance } from './service.ts';

interface Told {
  /** Begins to write what was left to be told; nobody waits for it. */
  tell(): Promise<void>;
}

/** The calls of wire/finance and the use cases that serve them. */
export function financeRoutes(finance: Finance, told: Told): Route[] {
  return [
    route(financeProducts, async ({ currency, status, pageNo, pageSize }, { session, locale }) => {
      const all = (await finance.offered(session?.userId)).filter(
        (offered) =>
          (currency === undefined || offered.product.asset === currency) &&
          (status === undefined || String(PRODUCT_STATUS[offered.status]) === status),
      );
      const from = (pageNo - 1) * pageSize;
      const list = all.slice(from, from + pageSize).map((offered) => presentProduct(offered, locale));
      return pageAnswer(list, all.length, { pageNo, pageSize });
    }),
    route(financeDetail, async ({ id, amount }, { session, locale }) => {
      const detail = await finance.detail(id, amount, session?.userId);
      const schedule = presentSchedule(detail.amount, detail.schedule);
      return { ...presentProduct(detail.offered, locale), schedule };
    }),
    submissionRoute(buyFinance, {
      operation: 'finance.buy',
      serve: async ({ id, amount, agree, agreementVersion, version }, { session, submission }) => {
        const purchase = { product: id, amount, agreed: agree, agreementVersion, version };
        const bought = await finance.buy(session.userId, purchase, submission);
        void told.tell();
        return bought;
      },
    }),
    route(financeOrders, async ({ status, pageNo, pageSize }, { session, locale }) => {
      const wanted = status === undefined ? undefined : status === '1' ? 'hosting' : 'completed';
      const found = await finance.orders(session.userId, wanted, { pageNo, pageSize });
      const list = found.list.map(({ order, ...named }) => presentOrder(order, named, locale, found.now));
      return { ...pageAnswer(list, found.total, { pageNo, pageSize }), totals: found.totals };
    }),
    route(financeOrderDetail, async ({ id }, { session, locale }) => {
      const { order, now, ...named } = await finance.order(session.userId, id);
      return presentOrder(order, named, locale, now);
    }),
    route(financeIncome, async ({ orderId, pageNo, pageSize }, { session, locale }) => {
      const { list, total } = await finance.income(session.userId, orderId, { pageNo, pageSize });
      const rows = list.map(({ income, ...named }) => presentIncome(income, named, locale));
      return pageAnswer(rows, total, { pageNo, pageSize });
    }),
    submissionRoute(withdrawFinance, {
      operation: 'finance.withdraw',
      serve: async ({ id }, { session, submission }) => {
        const paid = await finance.withdraw(session.userId, id, submission);
        void told.tell();
        return paid;
      },
    }),
  ];
}
