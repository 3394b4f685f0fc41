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

/** The calls of wire/deposit and the use cases that serve them; the test deposit in demo mode only. */
export function depositRoutes(
  deposits: Deposits,
  proofs: Proofs,
  { mode, demoTexts }: { readonly mode: 'demo' | 'live'; readonly demoTexts: DemoTexts },
): Route[] {
  const row = (one: Deposit, userId: UserId, locale: Locale) => {
    const remark = one.remark && demoTexts.read(userId, one.remark, locale);
    return presentDeposit({ ...one, remark }, deposits.confirmed(one));
  };
  const routes = [
    route(depositCoins, () => Promise.resolve({ list: deposits.coins() })),
    route(depositNetworks, ({ currency }) =>
      Promise.resolve({ list: deposits.networks(currency).map(presentNetwork) }),
    ),
    route(networkFees, () => Promise.resolve({ list: deposits.allNetworks().map(presentNetworkFees) })),
    route(depositAddress, async ({ currency, network }, { session }) => {
      const { address, memo } = await deposits.address(session.userId, currency, network);
      return { address, ...(memo === undefined ? {} : { memo }), qr: address };
    }),
    route(depositRecords, async ({ currency, status, ...page }, { session, locale }) => {
      const wanted = { asset: currency, status: status === undefined ? undefined : Number(status) };
      const found = await deposits.records(session.userId, wanted, page);
      return pageAnswer(
        mapPage(found, (deposit) => row(deposit, session.userId, locale)),
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
      serve: ({ currency, proof, ...given }, { session, submission }) =>
        proofs.submit(session.userId, { ...given, asset: currency, picture: proof }, submission),
    }),
    route(cancelProof, async ({ id }, { session }) => {
      await proofs.cancel(session.userId, id);
      return {};
    }),
    route(proofRecords, async (page, { session }) => {
      const found = await proofs.records(session.userId, page);
      return pageAnswer(mapPage(found, presentProof), page);
    }),
  ];
}
