import { overview, tradeRecords } from '@exchange/wire/account.ts';
import { pageAnswer, route, type Route } from '../../platform/http/route.ts';
import type { Portfolio } from './service.ts';

export function portfolioRoutes(portfolio: Portfolio): Route[] {
  return [
    route(overview, (_, { session }) => portfolio.overview(session.userId)),
    route(tradeRecords, async (asked, { session }) => {
      const { list, total } = await portfolio.records(session.userId, asked);
      const rows = list.map(({ id, asset, bucket, kind, reference, amount, balance, at }) => ({
        ...{ id, currency: asset, kind, amount: amount.toString(), balance: balance.toString() },
        ...{ account: bucket, refId: reference ?? '', createTime: at },
      }));
      return pageAnswer(rows, total, asked);
    }),
  ];
}
