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
import { pageAnswer, route, type Route, submissionRoute } from '../../platform/http/route.ts';
import { presentIncome, presentOrder, presentProduct, presentSchedule } from './present.ts';
import type { Mining } from './service.ts';

interface Told {
  /** Begins to write what was left to be told; nobody waits for it. */
  tell(): Promise<void>;
}

const STATUSES = Object.entries(MINING_STATUS) as [MiningStatus, number][];

/** The calls of wire/mining and the use cases that serve them. */
export function miningRoutes(mining: Mining, told: Told): Route[] {
  return [
    route(miningProducts, async ({ currency, status, pageNo, pageSize }, { session, locale }) => {
      const all = (await mining.offered(session?.userId)).filter(
        (offered) =>
          (currency === undefined || offered.product.asset === currency) &&
          (status === undefined || String(PRODUCT_STATUS[offered.status]) === status),
      );
      const list = all.slice((pageNo - 1) * pageSize, pageNo * pageSize);
      return pageAnswer(
        list.map((offered) => presentProduct(offered, locale)),
        all.length,
        { pageNo, pageSize },
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
        void told.tell();
        return bought;
      },
    }),
    route(miningOrders, async ({ status, pageNo, pageSize }, { session, locale }) => {
      const wanted = STATUSES.find(([, number]) => String(number) === status)?.[0];
      const found = await mining.orders(session.userId, wanted, { pageNo, pageSize });
      const list = found.list.map(({ order, ...named }) => presentOrder(order, named, locale, found.now));
      return { ...pageAnswer(list, found.total, { pageNo, pageSize }), totals: found.totals };
    }),
    route(miningOrderDetail, async ({ id }, { session, locale }) => {
      const { order, now, ...named } = await mining.order(session.userId, id);
      return presentOrder(order, named, locale, now);
    }),
    route(miningIncome, async ({ orderId, pageNo, pageSize }, { session, locale }) => {
      const { list, total } = await mining.income(session.userId, orderId, { pageNo, pageSize });
      const rows = list.map(({ income, ...named }) => presentIncome(income, named, locale));
      return pageAnswer(rows, total, { pageNo, pageSize });
    }),
    submissionRoute(redeemMining, {
      operation: 'mining.redeem',
      serve: async ({ id }, { session, submission }) => {
        const redeemed = await mining.redeem(session.userId, id, submission);
        void told.tell();
        return redeemed;
      },
    }),
  ];
}
