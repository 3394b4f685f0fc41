import { flagOf } from '@exchange/wire/codecs.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { proofOwnerReason } from '@exchange/core/deposit-proof.ts';
import { textIn, type Locale } from '@exchange/core/locale.ts';
import { expectedMinutes, findCoinNetwork, type CoinNetwork } from '@exchange/core/network.ts';
import {
  DEPOSIT_STATUS,
  type depositNetworks,
  type depositDetail,
  type networkFees,
  type proofRecords,
} from '@exchange/wire/deposit.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { ChannelKind, Deposit, NetworkPause } from './domain.ts';
import type { Proof } from './proof-repository.ts';

const DEPOSIT_FEE = '0';

interface NetworkNow {
  readonly coin: CoinNetwork;
  /** True if the withdrawal fee follows the network's present cost; false if it is the fixed fee of the table. */
  readonly isFeeLive: boolean;
  readonly channel: ChannelKind;
  readonly blockSeconds: number;
  readonly finalitySeconds: number;
  readonly confirmations: number;
  readonly largerConfirmations: readonly { readonly from: Decimal; readonly confirmations: number }[];
  /**
   * True if the coin is paused, because the exchange holds less of it than users own. Withdrawals of a paused coin are
   * not sent, and its deposits worth more than 1,000 USDT (or of unknown worth) are not credited.
   */
  readonly isPaused: boolean;
  readonly depositPause: NetworkPause | undefined;
  readonly withdrawalPause: NetworkPause | undefined;
}

/**
 * Presents to users the pause of the deposits or withdrawals of a network: the note in their language, its start and
 * its expected end.
 */
export function presentPause({ note, since, expectedAt }: NetworkPause, locale: Locale) {
  return { note: textIn(note, locale), since, expectedTime: expectedAt };
}

export function presentNetwork(
  {
    coin,
    isFeeLive,
    channel,
    blockSeconds,
    finalitySeconds,
    confirmations,
    largerConfirmations,
    isPaused,
    depositPause,
    withdrawalPause,
  }: NetworkNow,
  locale: Locale,
): DataOf<typeof depositNetworks>['list'][number] {
  const { network } = coin;
  return {
    network: network.code,
    name: network.name,
    minAmount: coin.minDeposit.toString(),
    fee: DEPOSIT_FEE,
    withdrawFee: coin.fee.toString(),
    withdrawFeeLive: flagOf(isFeeLive),
    confirmations,
    largerConfirmations: largerConfirmations.map((step) => ({
      from: step.from.toString(),
      confirmations: step.confirmations,
    })),
    blockSeconds,
    channel,
    minutes: expectedMinutes({ blockSeconds, finalitySeconds, confirmations }),
    memoNeeded: network.memo ? 1 : 0,
    paused: isPaused ? 1 : 0,
    depositPause: depositPause && presentPause(depositPause, locale),
    withdrawalPause: withdrawalPause && presentPause(withdrawalPause, locale),
    status: channel === 'none' ? 0 : 1,
  };
}

/** Presents the public fees and limits of a coin on a network. */
export function presentNetworkFees({
  coin,
  isFeeLive,
  channel,
  confirmations,
}: NetworkNow): DataOf<typeof networkFees>['list'][number] {
  return {
    currency: coin.asset,
    network: coin.network.code,
    name: coin.network.name,
    depositFee: DEPOSIT_FEE,
    minDeposit: coin.minDeposit.toString(),
    confirmations,
    withdrawFee: coin.fee.toString(),
    withdrawFeeLive: flagOf(isFeeLive),
    minWithdrawal: coin.minWithdrawal.toString(),
    maxWithdrawal: coin.maxWithdrawal.toString(),
    status: channel === 'none' ? 0 : 1,
  };
}

export function presentDeposit(
  deposit: Deposit,
  confirmed: number,
  explorer: string | undefined,
): DataOf<typeof depositDetail> {
  const { status, memo, remark, finishedAt, amount } = deposit;
  const isFinished = status === 'finished';
  return {
    id: deposit.id,
    currency: deposit.asset,
    network: deposit.network,
    address: deposit.address,
    ...(memo === undefined ? {} : { memo }),
    amount: amount.toString(),
    realAmount: isFinished ? amount.toString() : '0',
    fee: '0',
    ...(remark === undefined ? {} : { remark }),
    txid: deposit.txid,
    explorer,
    needConfirm: deposit.confirmations,
    confirm: isFinished ? deposit.confirmations : confirmed,
    status: DEPOSIT_STATUS[status],
    belowMinimum: deposit.isSmall ? 1 : 0,
    gone: deposit.goneAt === undefined ? 0 : 1,
    minAmount: findCoinNetwork(deposit.asset, deposit.network)?.minDeposit.toString() ?? '0',
    createTime: deposit.createdAt,
    ...(finishedAt === undefined ? {} : { finishTime: finishedAt }),
  };
}

export function presentProof(proof: Proof): DataOf<typeof proofRecords>['list'][number] {
  const { credited, reason, decidedAt } = proof;
  return {
    id: proof.id,
    currency: proof.asset,
    network: proof.network,
    amount: proof.amount.toString(),
    ...(credited === undefined ? {} : { realAmount: credited.toString() }),
    remark: proof.remark,
    status: proof.status,
    createTime: proof.createdAt,
    ...(reason === undefined ? {} : { reason: proofOwnerReason(reason) }),
    ...(decidedAt === undefined ? {} : { finishTime: decidedAt }),
  };
}
