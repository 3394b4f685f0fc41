import { flagOf } from '@exchange/wire/codecs.ts';
import { textIn, type Locale } from '@exchange/core/locale.ts';
import {
  nextRequestAt,
  ownerReason,
  WITHDRAWALS_PER_DAY,
  type WithdrawalStage,
} from '@exchange/core/network.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  WITHDRAWAL_STATUS,
  type addAddress,
  type withdrawalConfig,
  type withdrawalDetail,
  type withdrawalQuote,
} from '@exchange/wire/withdrawal.ts';
import type { withdrawalStats } from '@exchange/wire/withdrawal-times.ts';
import {
  promisedAt,
  type AddressEntry,
  type Whitelist,
  type Withdrawal,
  type RouteDurations,
} from './domain.ts';
import type { WithdrawalTerms, WithdrawalQuote } from './service.ts';

export function presentTerms(
  {
    coin,
    isFeeLive,
    limits,
    whitelist,
    price,
    channel,
    requests,
    recipientFrom,
    pause,
    ...standing
  }: WithdrawalTerms,
  now: number,
  locale: Locale,
): DataOf<typeof withdrawalConfig> {
  return {
    min: coin.minWithdrawal.toString(),
    max: coin.maxWithdrawal.toString(),
    fee: coin.fee.toString(),
    feeLive: flagOf(isFeeLive),
    precision: coin.digits,
    available: standing.available.toString(),
    ...(price === undefined ? {} : { price: price.toString() }),
    dayLimit: limits.day.toString(),
    dayUsed: standing.dayUsed.toString(),
    monthLimit: limits.month.toString(),
    monthUsed: standing.monthUsed.toString(),
    autoLimit: limits.auto.toString(),
    holdUntil: standing.holdUntil > now ? standing.holdUntil : 0,
    memoNeeded: coin.network.memo ? 1 : 0,
    paused: standing.isPaused ? 1 : 0,
    pause: pause && {
      note: textIn(pause.note, locale),
      since: pause.since,
      expectedTime: pause.expectedAt,
    },
    whitelistOnly: whitelist.isOn ? 1 : 0,
    channel,
    requestLimit: WITHDRAWALS_PER_DAY,
    requestsUsed: requests.count,
    nextRequestTime: nextRequestAt(requests, WITHDRAWALS_PER_DAY) ?? 0,
    ...(recipientFrom === undefined ? {} : { recipientFrom: recipientFrom.toString() }),
  };
}

export function presentQuote({ terms, ...quote }: WithdrawalQuote): DataOf<typeof withdrawalQuote> {
  const { coin, limits, dayUsed, monthUsed } = terms;
  const { memo, leavesAt } = quote;
  return {
    currency: coin.asset,
    network: coin.network.code,
    address: quote.address,
    ...(memo === undefined ? {} : { memo }),
    amount: quote.amount.toString(),
    fee: quote.fee.toString(),
    realAmount: quote.arrival.toString(),
    value: quote.value.toString(),
    dayLimit: limits.day.toString(),
    dayUsed: dayUsed.toString(),
    monthLimit: limits.month.toString(),
    monthUsed: monthUsed.toString(),
    reviewed: quote.isAuto ? 0 : 1,
    promiseTime: quote.promisedAt,
    ...(leavesAt === undefined ? {} : { addressTime: leavesAt }),
  };
}

export function presentWithdrawal(
  withdrawal: Withdrawal,
  {
    confirmed,
    stage,
    explorer,
  }: {
    readonly confirmed: number;
    readonly stage: WithdrawalStage | undefined;
    readonly explorer: string | undefined;
  },
): DataOf<typeof withdrawalDetail> {
  const { memo, remark, finishedAt, amount, fee } = withdrawal;
  // While operators pay the withdrawal by hand, the signed transaction is not shown, because it is to be replaced by a
  // transaction that pays nothing.
  const txid = stage === 'byHand' ? undefined : withdrawal.txid;
  return {
    id: withdrawal.id,
    currency: withdrawal.asset,
    network: withdrawal.network,
    address: withdrawal.address,
    ...(memo === undefined ? {} : { memo }),
    amount: amount.toString(),
    realAmount: amount.minus(fee).toString(),
    fee: fee.toString(),
    ...(remark === undefined ? {} : { remark }),
    ...(txid === undefined ? {} : { txid }),
    explorer: txid === undefined ? undefined : explorer,
    confirm: confirmed,
    needConfirm: withdrawal.confirmations,
    status: WITHDRAWAL_STATUS[withdrawal.status],
    ...(stage === undefined ? {} : { stage }),
    ...presentReason(withdrawal),
    createTime: withdrawal.createdAt,
    promiseTime: promisedAt(withdrawal),
    ...(withdrawal.knownAt === undefined ? {} : { addressTime: withdrawal.knownAt }),
    ...(finishedAt === undefined ? {} : { finishTime: finishedAt }),
  };
}

/**
 * Returns the field `reason`, which states to the owner why a withdrawal was refused or is being returned; an
 * empty object if there is no reason.
 */
function presentReason({ reason, exit }: Withdrawal) {
  const returning = exit?.kind === 'return' ? exit.reason : undefined;
  const shown = reason ?? returning;
  return shown === undefined ? {} : { reason: ownerReason(shown) };
}

export function presentAddress(
  entry: AddressEntry & { readonly lastAt?: number | undefined },
): DataOf<typeof addAddress> {
  const { memo, remark, lastAt } = entry;
  return {
    id: entry.id,
    currency: entry.asset,
    network: entry.network,
    address: entry.address,
    ...(memo === undefined ? {} : { memo }),
    ...(remark === undefined ? {} : { remark }),
    activeTime: entry.activeAt,
    createTime: entry.createdAt,
    ...(lastAt === undefined ? {} : { lastTime: lastAt }),
  };
}

export function presentWhitelist({ isOn, offAt }: Whitelist): {
  whitelistOnly: 0 | 1;
  whitelistOffTime?: number;
} {
  return { whitelistOnly: isOn ? 1 : 0, ...(offAt === undefined ? {} : { whitelistOffTime: offAt }) };
}

export function presentTimes({
  asset,
  ...times
}: RouteDurations): DataOf<typeof withdrawalStats>['list'][number] {
  return { currency: asset, ...times };
}
