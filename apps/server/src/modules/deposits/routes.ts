import {
  depositAddress,
  depositCoins,
  depositDetail,
  depositNetworks,
  depositRecords,
  sendTestDeposit,
} from '@exchange/wire/deposit.ts';
import { pageAnswer, route, type Route } from '../../platform/http/route.ts';
import { presentDeposit, presentNetwork } from './present.ts';
import type { Deposits } from './service.ts';

/** The calls of wire/deposit and the use cases that serve them; the test deposit in demo mode only. */
export function depositRoutes(deposits: Deposits, mode: 'demo' | 'live'): Route[] {
  const routes = [
    route(depositCoins, () => Promise.resolve({ list: deposits.coins() })),
    route(depositNetworks, ({ currency }) =>
      Promise.resolve({ list: deposits.networks(currency).map(presentNetwork) }),
    ),
    route(depositAddress, async ({ currency, network }, { session }) => {
      const { address, memo } = await deposits.address(session.userId, currency, network);
      return { address, ...(memo === undefined ? {} : { memo }), qr: address };
    }),
    route(depositRecords, async ({ currency, status, pageNo, pageSize }, { session }) => {
      const wanted = { asset: currency, status: status === undefined ? undefined : Number(status) };
      const { list, total } = await deposits.records(session.userId, wanted, { pageNo, pageSize });
      const rows = list.map((one) => presentDeposit(one, deposits.confirmed(one)));
      return pageAnswer(rows, total, { pageNo, pageSize });
    }),
    route(depositDetail, async ({ id }, { session }) => {
      const found = await deposits.detail(session.userId, id);
      return presentDeposit(found, deposits.confirmed(found));
    }),
  ];
  if (mode === 'live') return routes;
  const sendTest = route(sendTestDeposit, ({ currency, network, amount, remark }, { session, key }) =>
    deposits.sendTest(session.userId, { asset: currency, network, amount, remark }, key),
  );
  return [...routes, sendTest];
}
