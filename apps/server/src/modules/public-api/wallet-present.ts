import type { AddressKind } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { expectedMinutes, type CoinNetwork } from '@exchange/core/network.ts';
import { findNetwork } from '@exchange/core/network-table.ts';
import type { API_DEPOSIT_STATUSES, API_WITHDRAWAL_STATUSES } from '@exchange/wire/public-api/calls.ts';
import type { ProgramBalance } from './trading-service.ts';
import type { Confirmed, Deposit, WalletNetwork, Withdrawal } from './wallet-service.ts';

type ApiDepositStatus = (typeof API_DEPOSIT_STATUSES)[number];
type ApiWithdrawalStatus = (typeof API_WITHDRAWAL_STATUSES)[number];

/**
 * Regular expressions that the API publishes for the addresses of each kind. They do not verify checksums.
 */
const ADDRESS_REGEXES: Readonly<Record<AddressKind, string>> = {
  bitcoin: '^([13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{8,87})$',
  litecoin: '^([LM][1-9A-HJ-NP-Za-km-z]{25,34}|ltc1[02-9ac-hj-np-z]{8,87})$',
  dogecoin: '^[D9A][1-9A-HJ-NP-Za-km-z]{25,34}$',
  evm: '^0x[0-9A-Fa-f]{40}$',
  tron: '^T[1-9A-HJ-NP-Za-km-z]{33}$',
  ripple: '^r[1-9A-HJ-NP-Za-km-z]{24,34}$',
  eos: '^[a-z1-5.]{1,12}$',
  cardano: '^addr1[02-9ac-hj-np-z]{50,105}$',
};
/** Pattern of the memos of the XRP Ledger: up to ten digits, without a check of the maximum of 32 bits. */
const TAG_REGEX = '^[0-9]{1,10}$';
const MEMO_REGEX = '^[!-~]{1,64}$';

const DEPOSIT_STATUSES: Readonly<Record<Deposit['status'], ApiDepositStatus>> = {
  pending: '0',
  finished: '1',
  rejected: '3',
};
const WITHDRAWAL_STATUSES: Readonly<Record<Withdrawal['status'], ApiWithdrawalStatus>> = {
  pending: '2',
  finished: '6',
  rejected: '3',
  processing: '4',
  failed: '5',
  cancelled: '1',
  returned: '5',
};
/** Transfer type of deposits and withdrawals on a network; transfers within the exchange would have the type 1. */
const EXTERNAL = 0;
const SPOT_WALLET = 0;

/** The name of a network in the trading API; the network's code if it has no other name there. */
export function networkName(code: string): string {
  return findNetwork(code)?.apiCode ?? code;
}

/**
 * The exchange's statuses of deposits that correspond to a status of the trading API; empty if none
 * does.
 */
export function depositStatuses(status: ApiDepositStatus): Deposit['status'][] {
  return keysWith(DEPOSIT_STATUSES, status);
}

/**
 * The exchange's statuses of withdrawals that correspond to a status of the trading API; empty if none
 * does.
 */
export function withdrawalStatuses(status: ApiWithdrawalStatus): Withdrawal['status'][] {
  return keysWith(WITHDRAWAL_STATUSES, status);
}

function keysWith<Key extends string, Value>(record: Readonly<Record<Key, Value>>, value: Value): Key[] {
  return (Object.keys(record) as Key[]).filter((key) => record[key] === value);
}

/** A coin with its networks, the first of which is the default one, and the account's balance. */
export function presentCoin(
  { code, name }: { readonly code: string; readonly name: string },
  networks: readonly WalletNetwork[],
  balance: ProgramBalance | undefined,
) {
  return {
    coin: code,
    name,
    free: balance?.free ?? '0',
    locked: balance?.locked ?? '0',
    freeze: '0',
    withdrawing: '0',
    ipoing: '0',
    ipoable: '0',
    storage: '0',
    depositAllEnable: networks.some(({ canDeposit }) => canDeposit),
    withdrawAllEnable: networks.some(({ canWithdraw }) => canWithdraw),
    isLegalMoney: false,
    trading: true,
    networkList: networks.map((network, index) => presentNetwork(network, index === 0)),
  };
}

function presentNetwork(
  { coinNetwork, confirmations, blockSeconds, finalitySeconds, canDeposit, canWithdraw }: WalletNetwork,
  isDefault: boolean,
) {
  const { asset, network, digits, fee, minWithdrawal, maxWithdrawal } = coinNetwork;
  return {
    network: networkName(network.code),
    coin: asset,
    name: network.name,
    isDefault,
    depositEnable: canDeposit,
    withdrawEnable: canWithdraw,
    depositDesc: '',
    withdrawDesc: '',
    specialTips: '',
    withdrawFee: fee.toString(),
    withdrawMin: minWithdrawal.toString(),
    withdrawMax: maxWithdrawal.toString(),
    withdrawIntegerMultiple: Decimal.ofScaled(1n, digits).toString(),
    addressRegex: ADDRESS_REGEXES[network.addressKind],
    memoRegex: memoRegex(network),
    minConfirm: confirmations,
    unLockConfirm: confirmations,
    estimatedArrivalTime: expectedMinutes({ blockSeconds, finalitySeconds, confirmations }),
    sameAddress: network.memo,
    busy: false,
    resetAddressStatus: false,
  };
}

function memoRegex({ memo, addressKind }: CoinNetwork['network']): string {
  if (!memo) return '';
  return addressKind === 'ripple' ? TAG_REGEX : MEMO_REGEX;
}

export function presentDeposit({ transfer: deposit, confirmed }: Confirmed<Deposit>) {
  const { id, asset, network, amount, status, address, memo, txid, confirmations } = deposit;
  const isCredited = status === 'finished';
  return {
    id,
    amount: amount.toString(),
    coin: asset,
    network: networkName(network),
    status: Number(DEPOSIT_STATUSES[status]),
    address,
    addressTag: memo ?? '',
    txId: txid,
    insertTime: deposit.createdAt,
    completeTime: isCredited ? (deposit.finishedAt ?? null) : null,
    transferType: EXTERNAL,
    confirmTimes: `${isCredited ? confirmations : confirmed}/${confirmations}`,
    unlockConfirm: confirmations,
    walletType: SPOT_WALLET,
  };
}

export function presentWithdrawal({ transfer: withdrawal, confirmed }: Confirmed<Withdrawal>) {
  const { id, asset, network, amount, fee, status, address, memo, txid } = withdrawal;
  const isPaid = status === 'finished';
  return {
    id,
    withdrawOrderId: withdrawal.orderName ?? '',
    amount: amount.minus(fee).toString(),
    transactionFee: fee.toString(),
    coin: asset,
    status: Number(WITHDRAWAL_STATUSES[status]),
    address,
    addressTag: memo ?? '',
    txId: txid ?? '',
    applyTime: secondText(withdrawal.createdAt),
    completeTime: isPaid && withdrawal.finishedAt !== undefined ? secondText(withdrawal.finishedAt) : null,
    network: networkName(network),
    transferType: EXTERNAL,
    confirmNo: isPaid ? withdrawal.confirmations : confirmed,
    walletType: SPOT_WALLET,
  };
}

/** An instant as `YYYY-MM-DD hh:mm:ss` UTC. */
function secondText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}
