import type { UserId } from '@exchange/core/ids.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import { apiErrors } from '@exchange/wire/public-api/errors.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import { LimitExceeded } from './call-routes.ts';
import { handler, type Handler } from './handlers.ts';
import {
  transferSubmission,
  type AccountNumbers,
  type SubAccount,
  type SubAccounts,
  type SubAccountTransfer,
  type TransferSubmissions,
} from './sub-account-service.ts';
import type { ApiTrading } from './trading-service.ts';
import { withWalletErrors } from './wallet-routes.ts';

interface SubAccountRouteParts {
  readonly trading: Pick<ApiTrading, 'balances'>;
  readonly subAccounts: SubAccounts;
  readonly identity: AccountNumbers;
  readonly submissions: TransferSubmissions;
  readonly limits: Pick<Limits, 'charge'>;
}

/** The stored answer to a transfer between accounts; `number` is the transfer's number in the trading API. */
interface TransferAnswer {
  readonly number: number;
}

/**
 * Converts between the ids of a main account's accounts and the names that programs use for them. `idOf`
 * returns undefined for the main account and without a name, and throws for an unknown name.
 */
interface AccountNames {
  readonly idOf: (name: string | undefined) => UserId | undefined;
  readonly nameOf: (id: UserId) => string;
}

/** Calls with which a program of a main account reads its sub-accounts and transfers between its accounts. */
export function subAccountRoutes(parts: SubAccountRouteParts): Handler[] {
  const { subAccounts, trading } = parts;
  return [
    handler(calls.subAccountList, async ({ email, page, limit }, _path, caller) => {
      const accounts = await subAccounts.accounts(caller!.owner);
      const listed = accounts.filter((account) => email === undefined || subAccountName(account) === email);
      return { subAccounts: listed.slice((page - 1) * limit, page * limit).map(presentSubAccount) };
    }),
    handler(calls.subAccountAssets, async ({ email }, _path, caller) => {
      const accounts = await subAccounts.accounts(caller!.owner);
      const account = accounts.find((candidate) => subAccountName(candidate) === email);
      if (account === undefined) throw apiErrors.unknownSubAccount();
      const balances = await trading.balances(account.id);
      return { balances: balances.filter(({ free, locked }) => free !== '0' || locked !== '0') };
    }),
    handler(calls.universalTransfer, async (values, _path, caller) => {
      const { fromEmail, toEmail, asset, amount, clientTranId } = values;
      if (!amount.isPositive()) throw apiErrors.invalidData('amount');
      const { idOf } = await namesOf(parts, caller!.owner);
      const request = {
        from: idOf(fromEmail),
        to: idOf(toEmail),
        asset,
        amount,
        clientId: clientTranId ?? '',
      };
      const submission = transferSubmission(caller!, clientTranId, request);
      const { number } = await withWalletErrors(() =>
        parts.submissions.serve<TransferAnswer>(submission, {
          first: () => {
            chargeTransfer(parts.limits, caller!.owner);
            return subAccounts.transfer(caller!.owner, request, submission);
          },
          restore: (stored) => JSON.parse(stored) as TransferAnswer,
        }),
      );
      return { tranId: number, clientTranId: clientTranId ?? '' };
    }),
    handler(calls.universalTransfers, async (values, _path, caller) => {
      const { fromEmail, toEmail, clientTranId, startTime, endTime, page, limit } = values;
      const { idOf, nameOf } = await namesOf(parts, caller!.owner);
      const transfers = await subAccounts.transfersWithin(caller!.owner, {
        source: fromEmail === undefined ? undefined : (idOf(fromEmail) ?? caller!.owner),
        destination: toEmail === undefined ? undefined : (idOf(toEmail) ?? caller!.owner),
        clientId: clientTranId,
        from: startTime,
        to: endTime,
        offset: (page - 1) * limit,
        limit,
      });
      return { result: transfers.map((transfer) => presentTransfer(transfer, nameOf)) };
    }),
  ];
}

/**
 * Counts a transfer against the account's limit, which transfers in the app use too. Throws `LimitExceeded` when the
 * limit is exhausted.
 */
function chargeTransfer(limits: Pick<Limits, 'charge'>, owner: UserId): void {
  const waitSeconds = limits.charge({ limit: 'transfer', weight: 1 }, { addressGroup: '', userId: owner });
  if (waitSeconds > 0) throw new LimitExceeded(apiErrors.tooManyTransfers(), waitSeconds);
}

/**
 * Names of a main account and its sub-accounts. `idOf` throws for an unknown name; it returns undefined for the name of
 * the main account, and if no name is given.
 */
async function namesOf(
  { identity, subAccounts }: SubAccountRouteParts,
  master: UserId,
): Promise<AccountNames> {
  const [user, accounts] = await Promise.all([identity.findUser(master), subAccounts.accounts(master)]);
  const mainName = `${user?.uid ?? ''}@main.invalid`;
  const byName = new Map(accounts.map((account) => [subAccountName(account), account.id]));
  const byId = new Map(accounts.map((account) => [account.id, subAccountName(account)]));
  return {
    idOf: (name) => {
      if (name === undefined || name === mainName) return undefined;
      const id = byName.get(name);
      if (id === undefined) throw apiErrors.unknownSubAccount();
      return id;
    },
    nameOf: (id) => byId.get(id) ?? mainName,
  };
}

/** The name of a sub-account for programs. It has the form of an email address, but with an invalid domain. */
function subAccountName({ uid }: Pick<SubAccount, 'uid'>): string {
  return `${uid}@sub.invalid`;
}

function presentSubAccount(account: SubAccount) {
  return {
    email: subAccountName(account),
    subUserId: Number(account.uid),
    name: account.name,
    remark: account.note,
    isFreeze: account.archivedAt !== undefined,
    createTime: account.createdAt,
    isManagedSubAccount: false,
    isAssetManagementSubAccount: false,
  };
}

function presentTransfer(transfer: SubAccountTransfer, nameOf: AccountNames['nameOf']) {
  return {
    tranId: transfer.number,
    fromEmail: nameOf(transfer.source),
    toEmail: nameOf(transfer.destination),
    asset: transfer.asset,
    amount: transfer.amount.toString(),
    createTimeStamp: transfer.at,
    fromAccountType: 'SPOT',
    toAccountType: 'SPOT',
    status: 'SUCCESS',
    clientTranId: transfer.clientId,
  };
}
