import * as wire from '@exchange/wire/fund.ts';
import {
  mapPage,
  pageAnswer,
  pageOfItems,
  type Route,
  route,
  submissionRoute,
} from '../../platform/http/route.ts';
import type { PositionStatus } from './domain.ts';
import {
  presentCandle,
  presentDetail,
  presentFund,
  presentHeld,
  presentPosition,
  presentProof,
} from './present.ts';
import type { Funds } from './service.ts';

const STATUS: Readonly<Record<'1' | '2' | '3' | '4', PositionStatus>> = {
  '1': 'holding',
  '2': 'sold',
  '3': 'liquidated',
  '4': 'exited',
};

/** The HTTP endpoints of leveraged funds for users; those of operators are in `operations.ts`. */
export function fundRoutes(funds: Funds): Route[] {
  return [
    route(wire.fundList, async (page, { locale }) => {
      const offered = pageOfItems(await funds.listFunds(), page, ({ fund }) => fund.id);
      return pageAnswer(
        mapPage(offered, (fund) => presentFund(fund, locale)),
        page,
      );
    }),
    route(wire.fundDetail, async ({ id }, { locale }) => {
      const { offered, insurance } = await funds.detail(id);
      return presentDetail(offered, insurance, locale);
    }),
    route(wire.fundNav, async ({ id, timer, size, endTime }) =>
      (await funds.candles(id, timer, size, endTime)).map((candle) => presentCandle(candle)),
    ),
    route(wire.previewFund, async ({ id, margin, leverage }) => {
      const { liqPrice, ...preview } = await funds.preview({ fund: id, margin, leverage });
      const liqPriceText = liqPrice?.rounded(8, 'up').toString();
      return {
        nav: preview.nav.toString(),
        quantity: preview.quantity.toString(),
        usedMargin: preview.usedMargin.toString(),
        notional: preview.notional.toString(),
        dailyCost: preview.dailyCost.toString(),
        ...(liqPriceText === undefined ? {} : { liqPrice: liqPriceText }),
      };
    }),
    submissionRoute(wire.buyFund, {
      operation: 'fund.buy',
      serve: ({ id, margin, leverage, version }, { session, submission }) =>
        funds.buy(session.userId, { fund: id, margin, leverage, version }, submission),
    }),
    route(wire.fundRecords, async ({ status, ...page }, { session, locale }) => {
      const statusFilter = status === undefined ? undefined : STATUS[status];
      const { totals, ...positions } = await funds.positions(session.userId, statusFilter, page);
      const answer = pageAnswer(
        mapPage(positions, (position) => presentPosition(position, locale)),
        page,
      );
      const { margin, equity, profit, byFund } = totals;
      return { ...answer, totals: { margin, equity, profit, held: byFund.map(presentHeld) } };
    }),
    route(wire.fundRecordDetail, async ({ id }, { session, locale }) =>
      presentPosition(await funds.position(session.userId, id), locale),
    ),
    submissionRoute(wire.sellFund, {
      operation: 'fund.sell',
      serve: ({ id, quantity, sellType, salePrice }, { session, submission }) => {
        const sale = { position: id, quantity, price: salePrice, isLimit: sellType === '2' };
        return funds.sell(session.userId, sale, submission);
      },
    }),
    route(wire.cancelFundSell, ({ id }, { session }) => funds.cancelSell(session.userId, id)),
    submissionRoute(wire.addFundMargin, {
      operation: 'fund.addMargin',
      serve: ({ id, amount }, { session, submission }) =>
        funds.addMargin(session.userId, id, amount, submission),
    }),
    route(wire.fundProof, async ({ id }) => {
      const { position, fund } = await funds.proof(id);
      return presentProof(position, fund);
    }),
  ];
}
