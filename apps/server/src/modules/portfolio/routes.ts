import { overview } from '@exchange/wire/account.ts';
import { accountEvents, coinCosts, holdings, tradeRecords, valueHistory } from '@exchange/wire/portfolio.ts';
import { mapPage, pageAnswer, type Route, route } from '../../platform/http/route.ts';
import type { Costs } from './costs.ts';
import type { Portfolio } from './service.ts';
import type { Values } from './values.ts';

export function portfolioRoutes(portfolio: Portfolio, values: Values, costs: Costs): Route[] {
  return [
    route(overview, (_, { session }) => portfolio.overview(session.userId)),
    route(holdings, async (_, { session }) => {
      const { at, total, totalBtc, last, holdings: rows } = await portfolio.snapshot(session.userId);
      const list = rows.map(({ product, asset, available, inUse, price, worth }) => ({
        account: product,
        currency: asset,
        currencyName: portfolio.nameOf(asset),
        available,
        frozen: inUse,
        price,
        total: worth,
      }));
      return { list, time: at, total, totalBtc, last: last ?? null };
    }),
    route(coinCosts, async (_, { session }) => ({
      list: [...(await costs.byCoin(session.userId))].map(([currency, cost]) => ({ currency, ...cost })),
    })),
    route(valueHistory, async ({ days }, { session }) => {
      const [list, today] = await Promise.all([
        values.history(session.userId, Number(days)),
        values.today(session.userId),
      ]);
      return { list, today: today ?? null };
    }),
    route(tradeRecords, async (fields, { session }) => {
      const movements = await portfolio.records(session.userId, fields);
      const rows = mapPage(
        movements,
        ({ id, asset, bucket, kind, reference, amount, balance, at, entries }) => ({
          id,
          currency: asset,
          kind,
          amount: amount.toString(),
          balance: balance.toString(),
          account: bucket,
          refId: reference ?? '',
          createTime: at,
          entries,
        }),
      );
      return pageAnswer(rows, fields);
    }),
    route(accountEvents, async (fields, { session }) => {
      const events = await portfolio.events(session.userId, fields);
      return pageAnswer(mapPage(events, presentEvent), fields);
    }),
  ];
}

type AccountEvent = Awaited<ReturnType<Portfolio['events']>>['list'][number];

function presentEvent({ entry, at, type, kind, reference, changes, fees, subAccount }: AccountEvent) {
  return {
    id: String(entry),
    event: type,
    kind,
    changes: changes.map(({ product, asset, amount }) => ({
      account: product,
      currency: asset,
      amount: amount.toString(),
    })),
    fees: fees.map(({ asset, amount }) => ({ currency: asset, amount: amount.toString() })),
    refId: reference ?? '',
    subAccount,
    createTime: at,
  };
}
