import {
  depositAddress,
  depositCoins,
  depositDetail,
  depositNetworks,
  depositRecords,
  cancelProof,
  networkFees,
  proofRecords,
  sendTestDeposit,
  submitProof,
} from '@exchange/wire/deposit.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import { mapPage, pageAnswer, type Route, route, submissionRoute } from '../../platform/http/route.ts';
import type { Deposit } from './domain.ts';
import { presentDeposit, presentNetwork, presentNetworkFees, presentProof } from './present.ts';
import type { Proofs } from './proofs.ts';
import type { Deposits } from './service.ts';

/** The HTTP endpoints of deposits. The endpoint for a test deposit exists in demo mode only. */
export function depositRoutes(
  deposits: Deposits,
  proofs: Proofs,
  { mode, demoTexts }: { readonly mode: 'demo' | 'live'; readonly demoTexts: DemoTexts },
): Route[] {
  const row = (deposit: Deposit, userId: UserId, locale: Locale) => {
    const remark = deposit.remark && demoTexts.read(userId, deposit.remark, locale);
    return presentDeposit(
      { ...deposit, remark },
      deposits.confirmed(deposit),
      deposits.explorerPage(deposit),
    );
  };
  const routes = [
    route(depositCoins, () => Promise.resolve({ list: deposits.coins() })),
    route(depositNetworks, ({ currency }, { locale }) =>
      Promise.resolve({
        list: deposits.networks(currency).map((network) => presentNetwork(network, locale)),
      }),
    ),
    route(networkFees, () => Promise.resolve({ list: deposits.allNetworks().map(presentNetworkFees) })),
    route(depositAddress, async ({ currency, network }, { session }) => {
      const { address, memo } = await deposits.address(session.userId, currency, network);
      return { address, ...(memo === undefined ? {} : { memo }), qr: address };
    }),
    route(depositRecords, async ({ currency, status, ...page }, { session, locale }) => {
      const filter = { asset: currency, status: status === undefined ? undefined : Number(status) };
      const records = await deposits.records(session.userId, filter, page);
      return pageAnswer(
        mapPage(records, (deposit) => row(deposit, session.userId, locale)),
        page,
      );
    }),
    route(depositDetail, async ({ id }, { session, locale }) =>
      row(await deposits.detail(session.userId, id), session.userId, locale),
    ),
  ];
  routes.push(...proofRoutes(proofs));
  if (mode === 'live') return routes;
  const sendTest = submissionRoute(sendTestDeposit, {
    operation: 'deposits.sendTest',
    serve: ({ currency, network, amount, remark }, { session, key, submission }) =>
      deposits.sendTest(session.userId, { asset: currency, network, amount, remark }, key, submission),
  });
  return [...routes, sendTest];
}

function proofRoutes(proofs: Proofs): Route[] {
  return [
    submissionRoute(submitProof, {
      operation: 'deposits.submitProof',
      serve: ({ currency, proof, ...report }, { session, submission }) =>
        proofs.submit(session.userId, { ...report, asset: currency, picture: proof }, submission),
    }),
    route(cancelProof, async ({ id }, { session }) => {
      await proofs.cancel(session.userId, id);
      return {};
    }),
    route(proofRecords, async (page, { session }) => {
      const records = await proofs.records(session.userId, page);
      return pageAnswer(mapPage(records, presentProof), page);
    }),
  ];
}
