import { sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { SUB_ACCOUNTS_MAX } from '@exchange/core/sub-account.ts';
import * as wire from '@exchange/wire/sub-account.ts';
import { mapPage, pageAnswer, type Route, route, submissionRoute } from '../../platform/http/route.ts';
import { transferAnswer } from './commands.ts';
import type { HeldSubAccount, SubAccounts } from './service.ts';

/** Returns the handlers of the sub-account endpoints that `wire/sub-account` declares. */
export function subAccountRoutes(subAccounts: SubAccounts): Route[] {
  return [
    route(wire.subAccounts, async (_fields, { session }) => {
      const list = await subAccounts.list(session.userId);
      return {
        list: list.map(presentSubAccount),
        total: sum(list.map(({ total }) => total)).toString(),
        most: SUB_ACCOUNTS_MAX,
      };
    }),
    submissionRoute(wire.createSubAccount, {
      operation: 'subAccount.create',
      serve: ({ name, note = '' }, { session, submission }) =>
        subAccounts.create(session.userId, { name, note }, submission),
    }),
    submissionRoute(wire.renameSubAccount, {
      operation: 'subAccount.rename',
      serve: ({ id, name, note = '' }, { session, submission }) =>
        subAccounts.rename(session.userId, id as UserId, { name, note }, submission),
    }),
    submissionRoute(wire.archiveSubAccount, {
      operation: 'subAccount.archive',
      serve: ({ id }, { session, submission }) =>
        subAccounts.archive(session.userId, id as UserId, submission),
    }),
    submissionRoute(wire.transferSubAccount, {
      operation: 'subAccount.transfer',
      serve: ({ from, to, coin, amount }, { session, submission }) =>
        subAccounts.transfer(
          session.userId,
          {
            from: from as UserId | undefined,
            to: to as UserId | undefined,
            asset: coin,
            amount,
            clientId: submission?.key ?? '',
          },
          submission,
        ),
    }),
    route(wire.subAccountTransfers, async ({ id, ...page }, { session }) => {
      const transfers = await subAccounts.transfers(session.userId, id as UserId | undefined, page);
      return pageAnswer(mapPage(transfers, transferAnswer), page);
    }),
  ];
}

function presentSubAccount({ subAccount, balances, total }: HeldSubAccount) {
  return {
    id: subAccount.id,
    uid: subAccount.uid,
    name: subAccount.name,
    note: subAccount.note,
    createTime: subAccount.createdAt,
    archiveTime: subAccount.archivedAt ?? 0,
    total: total.toString(),
    balances: balances.map(({ asset, available, frozen, worth }) => ({
      currency: asset,
      available: available.toString(),
      frozen: frozen.toString(),
      worth: worth.toString(),
    })),
  };
}
