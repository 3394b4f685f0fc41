import { networksOf } from '@exchange/core/network.ts';
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
import { call, onceMore, type CallFields } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { askAnew, useRead } from '../api/query-client.ts';
import { askForBalances } from '../balance/balances.ts';
import { feed, receivesOwn } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import type { Attempt } from '../form/keyed-attempts.ts';
import { onRefresh } from '../refresh.ts';
import { ownKeys } from '../session/own-key.ts';
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

const TRANSFER = ownKeys('transfer');
/** Apart from the rest, which is asked for anew with every confirmation: an address stays as it is. */
const ADDRESS = ownKeys('deposit address');
const ADDRESSES = 100;

/** Asks again for everything of transfers that is on screen. */
export function askForTransfers(): void {
  askAnew(TRANSFER.now());
  askForBalances();
}

const useTransferUpdates = joinedWhileShown(() => {
  const stops = [
    feed.subscribe('transfer', askForTransfers),
    onRefresh(() => {
      if (!signedIn() || !receivesOwn('transfer')) askForTransfers();
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
    enabled: networksOf(currency).length > 0,
    staleTime: 60_000,
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

/** One of the own withdrawals as it is now; at first as the answer to its request told it. */
export function useWithdrawal(asked: WithdrawalRow): WithdrawalRow {
  useTransferUpdates();
  const { data } = useRead({
    queryKey: TRANSFER.use('withdrawal', asked.id),
    queryFn: ({ signal }) => call(withdrawalDetail, { id: asked.id }, { signal }),
  });
  return data ?? asked;
}

export function useWithdrawalConfig(currency: string, network: string) {
  useTransferUpdates();
  return useRead({
    queryKey: TRANSFER.use('config', currency, network),
    queryFn: ({ signal }) => call(withdrawalConfig, { currency, network }, { signal }),
    enabled: network !== '',
  });
}

/** How long withdrawals really took, as everybody may know. */
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

/** Returns what the server says becomes of a withdrawal that is submitted now; throws its refusal. */
export function quoteWithdrawal(fields: CallFields<typeof withdrawalQuote>): Promise<WithdrawalQuote> {
  return call(withdrawalQuote, fields);
}

/** Mails the code that is good for this withdrawal alone; gives the wait for the next in seconds. */
export async function mailWithdrawalCode(fields: CallFields<typeof sendWithdrawalCode>): Promise<number> {
  return (await call(sendWithdrawalCode, fields)).wait;
}

export function sendTest({ payload, clientId }: Attempt<CallFields<typeof sendTestDeposit>>) {
  return asked(onceMore((timeoutMs) => call(sendTestDeposit, payload, { clientId, timeoutMs })));
}

/** Reports a deposit with its proof; the same attempt sent again is the same report. */
export function report({ payload, clientId }: Attempt<CallFields<typeof submitProof>>) {
  return asked(onceMore((timeoutMs) => call(submitProof, payload, { clientId, timeoutMs })));
}

/** Takes back an own report that waits. */
export function takeBack(id: string) {
  return asked(call(cancelProof, { id }));
}

/** The own reports, newest first. */
export function useProofs() {
  useTransferUpdates();
  return useGrowingList<ProofRow>(TRANSFER.use('proofs'), (page, signal) =>
    call(proofRecords, page, { signal }),
  );
}

/** Asks for a withdrawal; the same attempt sent again is the same withdrawal. */
export function withdraw({ payload, clientId }: Attempt<WithdrawalPayload>) {
  return asked(onceMore((timeoutMs) => call(submitWithdrawal, payload, { clientId, timeoutMs })));
}

export const cancel = (id: string) => asked(call(cancelWithdrawal, { id }));
export const keepAddress = (fields: CallFields<typeof addAddress>) => asked(call(addAddress, fields));
export const dropAddress = (fields: CallFields<typeof removeAddress>) => asked(call(removeAddress, fields));
export const switchWhitelist = (fields: CallFields<typeof setWhitelist>) => asked(call(setWhitelist, fields));

async function asked<Answer>(deed: Promise<Answer>): Promise<Answer> {
  try {
    return await deed;
  } finally {
    askForTransfers();
  }
}
