import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  archiveSubAccount,
  createSubAccount,
  renameSubAccount,
  subAccounts,
  subAccountTransfers,
  transferSubAccount,
} from '@exchange/wire/sub-account.ts';
import { call, retryOnce, type CallFields } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { queryClient, useRead } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { USER } from './queries.ts';

export type SubAccountList = DataOf<typeof subAccounts>;
export type SubAccount = SubAccountList['list'][number];
export type SubAccountTransfer = DataOf<typeof subAccountTransfers>['list'][number];

const KEY = 'subAccounts';

/**
 * The user's sub-accounts with their balances, newest first but archived ones last, and the total value of all
 * sub-accounts in USDT.
 */
export function useSubAccounts() {
  return useRead({
    queryKey: USER.use(KEY, 'list'),
    queryFn: ({ signal }) => call(subAccounts, {}, { signal }),
  });
}

/** Transfers between the user's main account and sub-accounts, newest first, loaded page by page. */
export function useSubAccountTransfers() {
  return useGrowingList<SubAccountTransfer>(USER.use(KEY, 'transfers'), (page, signal) =>
    call(subAccountTransfers, page, { signal }),
  );
}

/** Creates a sub-account; repeated requests with the same idempotency key return the same sub-account. */
export function create({ payload, clientId }: KeyedSubmission<CallFields<typeof createSubAccount>>) {
  return withRefetch(retryOnce((timeoutMs) => call(createSubAccount, payload, { clientId, timeoutMs })));
}

export function rename({ payload, clientId }: KeyedSubmission<CallFields<typeof renameSubAccount>>) {
  return withRefetch(retryOnce((timeoutMs) => call(renameSubAccount, payload, { clientId, timeoutMs })));
}

export function archive({ payload, clientId }: KeyedSubmission<CallFields<typeof archiveSubAccount>>) {
  return withRefetch(retryOnce((timeoutMs) => call(archiveSubAccount, payload, { clientId, timeoutMs })));
}

/**
 * Transfers an amount of a coin between two of the user's accounts; repeated requests with the same idempotency key
 * transfer only once.
 */
export function transfer({ payload, clientId }: KeyedSubmission<CallFields<typeof transferSubAccount>>) {
  return withRefetch(retryOnce((timeoutMs) => call(transferSubAccount, payload, { clientId, timeoutMs })));
}

/** Refetches the sub-accounts and balances after the request, even if no response arrived. */
async function withRefetch<Answer>(submission: Promise<Answer>): Promise<Answer> {
  try {
    return await submission;
  } finally {
    void queryClient.invalidateQueries({ queryKey: USER.forCurrentUser(KEY) });
    refetchBalances();
  }
}
