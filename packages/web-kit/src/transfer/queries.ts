import { hasNetworks } from '@exchange/core/network.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  depositAddress,
  depositCoins,
  depositNetworks,
  cancelProof,
  depositRecords,
  proofRecords,
  sendTestDeposit,
  submitProof,
} from '@exchange/wire/deposit.ts';
import {
  addAddress,
  addressList,
  cancelWithdrawal,
  removeAddress,
  setWhitelist,
  sendWithdrawalCode,
  submitWithdrawal,
  withdrawalConfig,
  withdrawalDetail,
  withdrawalQuote,
  withdrawalRecords,
} from '@exchange/wire/withdrawal.ts';
import { withdrawalStats } from '@exchange/wire/withdrawal-times.ts';
import { call, retryOnce, type CallFields } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { refetchActive, useRead } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import { feed, receivesPrivateTopic } from '../feed/feed.ts';
import { subscriptionWhileMounted } from '../feed/shared-subscription.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { onRefresh } from '../refresh.ts';
import { userKeys } from '../session/user-keys.ts';
import { signedIn } from '../session/session-store.ts';

export type NetworkRow = DataOf<typeof depositNetworks>['list'][number];
export type DepositRow = DataOf<typeof depositRecords>['list'][number];
export type ProofRow = DataOf<typeof proofRecords>['list'][number];
export type WithdrawalRow = DataOf<typeof withdrawalRecords>['list'][number];
export type AddressRow = DataOf<typeof addressList>['list'][number];
export type TimesRow = DataOf<typeof withdrawalStats>['list'][number];
export type WithdrawalConfig = DataOf<typeof withdrawalConfig>;
export type WithdrawalQuote = DataOf<typeof withdrawalQuote>;
export type WithdrawalPayload = CallFields<typeof submitWithdrawal>;

const TRANSFER = userKeys('transfer');
/**
 * Query keys of deposit addresses. They are separate from those of other transfer data, which is refetched at every
 * confirmation of a transfer, because an address does not change.
 */
const ADDRESS = userKeys('deposit address');
const ADDRESSES = 100;
/**
 * Milliseconds after which the displayed fees and limits of withdrawals are fetched again. A fee that follows
 * the network's own fee changes at most once a minute.
 */
const FEES_MS = 60_000;

/** Refetches all displayed transfer data and the user's balances. */
export function refetchTransfers(): void {
  refetchActive(TRANSFER.forCurrentUser());
  refetchBalances();
}

const useTransferUpdates = subscriptionWhileMounted(() => {
  const stops = [
    feed.subscribe('transfer', refetchTransfers),
    onRefresh(() => {
      if (!signedIn() || !receivesPrivateTopic('transfer')) refetchTransfers();
    }),
  ];
  return () => stops.forEach((stop) => stop());
});

export function useCoins() {
  const { data } = useRead({
    queryKey: ['transfer', 'coins'],
    queryFn: async ({ signal }) => (await call(depositCoins, {}, { signal })).list,
    staleTime: 300_000,
  });
  return data ?? [];
}

export function useNetworks(currency: string) {
  return useRead({
    queryKey: ['transfer', 'networks', currency],
    queryFn: async ({ signal }) => (await call(depositNetworks, { currency }, { signal })).list,
    enabled: hasNetworks(currency),
    staleTime: FEES_MS,
    refetchInterval: FEES_MS,
  });
}

export function useDepositAddress(currency: string, network: string, isOpen: boolean) {
  return useRead({
    queryKey: ADDRESS.use(currency, network),
    queryFn: ({ signal }) => call(depositAddress, { currency, network }, { signal }),
    enabled: isOpen && network !== '',
    staleTime: 300_000,
  });
}

export function useDeposits() {
  useTransferUpdates();
  return useGrowingList<DepositRow>(TRANSFER.use('deposits'), (page, signal) =>
    call(depositRecords, page, { signal }),
  );
}

export function useWithdrawals() {
  useTransferUpdates();
  return useGrowingList<WithdrawalRow>(TRANSFER.use('withdrawals'), (page, signal) =>
    call(withdrawalRecords, page, { signal }),
  );
}

/**
 * The current state of the user's withdrawal `initial`; until it has loaded, the state in the response to the
 * withdrawal request.
 */
export function useWithdrawal(initial: WithdrawalRow): WithdrawalRow {
  useTransferUpdates();
  const { data } = useRead({
    queryKey: TRANSFER.use('withdrawal', initial.id),
    queryFn: ({ signal }) => call(withdrawalDetail, { id: initial.id }, { signal }),
  });
  return data ?? initial;
}

export function useWithdrawalConfig(currency: string, network: string) {
  useTransferUpdates();
  return useRead({
    queryKey: TRANSFER.use('config', currency, network),
    queryFn: ({ signal }) => call(withdrawalConfig, { currency, network }, { signal }),
    enabled: network !== '',
    refetchInterval: FEES_MS,
  });
}

/**
 * Public statistics of the withdrawals completed in the last 30 UTC days, including today: how long they took
 * and how many missed the promised time, by coin and network and in total.
 */
export function useWithdrawalTimes() {
  return useRead({
    queryKey: ['transfer', 'times'],
    queryFn: ({ signal }) => call(withdrawalStats, {}, { signal }),
    staleTime: 60_000,
  });
}

export function useAddresses() {
  return useRead({
    queryKey: TRANSFER.use('addresses'),
    queryFn: ({ signal }) => call(addressList, { pageSize: ADDRESSES }, { signal }),
  });
}

/**
 * Fetches what a withdrawal would have if it were requested now: its fee and received amount, the used part
 * of the withdrawal limits, its promised completion time, and whether operators will review it. Rejects with
 * the server's refusal.
 */
export function quoteWithdrawal(fields: CallFields<typeof withdrawalQuote>): Promise<WithdrawalQuote> {
  return call(withdrawalQuote, fields);
}

/**
 * Requests an email code that confirms this withdrawal only; resolves to the number of seconds until another code may
 * be requested.
 */
export async function mailWithdrawalCode(fields: CallFields<typeof sendWithdrawalCode>): Promise<number> {
  return (await call(sendWithdrawalCode, fields)).wait;
}

export function sendTest({ payload, clientId }: KeyedSubmission<CallFields<typeof sendTestDeposit>>) {
  return withRefetch(retryOnce((timeoutMs) => call(sendTestDeposit, payload, { clientId, timeoutMs })));
}

/** Reports a deposit, with a proof. Repeated requests with the same idempotency key create one report. */
export function report({ payload, clientId }: KeyedSubmission<CallFields<typeof submitProof>>) {
  return withRefetch(retryOnce((timeoutMs) => call(submitProof, payload, { clientId, timeoutMs })));
}

/** Cancels one of the user's pending deposit reports. */
export function withdrawReport(id: string) {
  return withRefetch(call(cancelProof, { id }));
}

/**
 * Hook with the user's deposit reports, newest first, loaded page by page. With a deposit report a user declares a
 * payment on a network whose deposits operators review by hand.
 */
export function useProofs() {
  useTransferUpdates();
  return useGrowingList<ProofRow>(TRANSFER.use('proofs'), (page, signal) =>
    call(proofRecords, page, { signal }),
  );
}

/** Requests a withdrawal. Repeated requests with the same idempotency key create one withdrawal. */
export function withdraw({ payload, clientId }: KeyedSubmission<WithdrawalPayload>) {
  return withRefetch(retryOnce((timeoutMs) => call(submitWithdrawal, payload, { clientId, timeoutMs })));
}

export const cancel = (id: string) => withRefetch(call(cancelWithdrawal, { id }));
export const saveAddress = (fields: CallFields<typeof addAddress>) => withRefetch(call(addAddress, fields));
export const deleteAddress = (fields: CallFields<typeof removeAddress>) =>
  withRefetch(call(removeAddress, fields));
export const switchWhitelist = (fields: CallFields<typeof setWhitelist>) =>
  withRefetch(call(setWhitelist, fields));

async function withRefetch<Answer>(submission: Promise<Answer>): Promise<Answer> {
  try {
    return await submission;
  } finally {
    refetchTransfers();
  }
}
