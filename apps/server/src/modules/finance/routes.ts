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
import {
  mapPage,
  pageAnswer,
  pageOfItems,
  type Route,
  route,
  submissionRoute,
} from '../../platform/http/route.ts';
import { presentIncome, presentOrder, presentProduct, presentSchedule } from './present.ts';
import type { Finance } from './service.ts';

interface Notices {
  /** Starts sending the queued notices to the orders' owners; the caller does not wait for the end. */
  publishNotices(): Promise<void>;
}

/** The HTTP endpoints of fixed-term finance products. */
export function financeRoutes(finance: Finance, notices: Notices): Route[] {
  return [
    route(financeProducts, async ({ currency, status, ...page }, { session, locale }) => {
      const products = (await finance.listProducts(session?.userId)).filter(
        (offered) =>
          (currency === undefined || offered.product.asset === currency) &&
          (status === undefined || String(PRODUCT_STATUS[offered.status]) === status),
      );
      const offers = pageOfItems(products, page, ({ product }) => product.id);
      return pageAnswer(
        mapPage(offers, (offered) => presentProduct(offered, locale)),
        page,
      );
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
        void notices.publishNotices();
        return bought;
      },
    }),
    route(financeOrders, async ({ status, ...page }, { session, locale }) => {
      const statusFilter = status === undefined ? undefined : status === '1' ? 'hosting' : 'completed';
      const { orders, totals, now } = await finance.orders(session.userId, statusFilter, page);
      const answer = pageAnswer(
        mapPage(orders, ({ order, ...named }) => presentOrder(order, named, locale, now)),
        page,
      );
      return { ...answer, totals };
    }),
    route(financeOrderDetail, async ({ id }, { session, locale }) => {
      const { order, now, ...named } = await finance.order(session.userId, id);
      return presentOrder(order, named, locale, now);
    }),
    route(financeIncome, async ({ orderId, ...page }, { session, locale }) => {
      const incomes = await finance.income(session.userId, orderId, page);
      return pageAnswer(
        mapPage(incomes, ({ income, ...named }) => presentIncome(income, named, locale)),
        page,
      );
    }),
    submissionRoute(withdrawFinance, {
      operation: 'finance.withdraw',
      serve: async ({ id }, { session, submission }) => {
        const paid = await finance.withdraw(session.userId, id, submission);
        void notices.publishNotices();
        return paid;
      },
    }),
  ];
}
