import type { MiningStatus } from '@exchange/core/mining.ts';
import { PRODUCT_STATUS } from '@exchange/wire/finance.ts';
import {
  buyMining,
  MINING_STATUS,
  miningDetail,
  miningIncome,
  miningOrderDetail,
  miningOrders,
  miningProducts,
  redeemMining,
} from '@exchange/wire/mining.ts';
import {
  mapPage,
  pageAnswer,
  pageOfItems,
  type Route,
  route,
  submissionRoute,
} from '../../platform/http/route.ts';
import { presentIncome, presentOrder, presentProduct, presentSchedule } from './present.ts';
import type { Mining } from './service.ts';

interface Notices {
  /**
   * Writes the queued notices to the inboxes of the orders' owners, and resolves when that has ended. Never
   * rejects; notices that fail stay queued.
   */
  publishNotices(): Promise<void>;
}

const STATUSES = Object.entries(MINING_STATUS) as [MiningStatus, number][];

/** The HTTP endpoints of mining: products, purchase, a user's orders and income, and redemption. */
export function miningRoutes(mining: Mining, notices: Notices): Route[] {
  return [
    route(miningProducts, async ({ currency, status, ...page }, { session, locale }) => {
      const products = (await mining.listProducts(session?.userId)).filter(
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
    route(miningDetail, async ({ id, amount }, { session, locale }) => {
      const detail = await mining.detail(id, amount, session?.userId);
      const schedule = presentSchedule(detail.amount, detail.schedule);
      return { ...presentProduct(detail.offered, locale), schedule };
    }),
    submissionRoute(buyMining, {
      operation: 'mining.buy',
      serve: async ({ id, amount, agree, agreementVersion, version }, { session, submission }) => {
        const purchase = { product: id, amount, agreed: agree, agreementVersion, version };
        const bought = await mining.buy(session.userId, purchase, submission);
        void notices.publishNotices();
        return bought;
      },
    }),
    route(miningOrders, async ({ status, ...page }, { session, locale }) => {
      const statusFilter = STATUSES.find(([, number]) => String(number) === status)?.[0];
      const { orders, totals, now } = await mining.orders(session.userId, statusFilter, page);
      const answer = pageAnswer(
        mapPage(orders, ({ order, ...named }) => presentOrder(order, named, locale, now)),
        page,
      );
      return { ...answer, totals };
    }),
    route(miningOrderDetail, async ({ id }, { session, locale }) => {
      const { order, now, ...named } = await mining.order(session.userId, id);
      return presentOrder(order, named, locale, now);
    }),
    route(miningIncome, async ({ orderId, ...page }, { session, locale }) => {
      const incomes = await mining.income(session.userId, orderId, page);
      return pageAnswer(
        mapPage(incomes, ({ income, ...named }) => presentIncome(income, named, locale)),
        page,
      );
    }),
    submissionRoute(redeemMining, {
      operation: 'mining.redeem',
      serve: async ({ id }, { session, submission }) => {
        const redeemed = await mining.redeem(session.userId, id, submission);
        void notices.publishNotices();
        return redeemed;
      },
    }),
  ];
}
