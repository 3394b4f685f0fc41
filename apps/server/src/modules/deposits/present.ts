import { expectedMinutes, findCoinNetwork, type CoinNetwork } from '@exchange/core/network.ts';
import { DEPOSIT_STATUS, type depositNetworks, type depositDetail } from '@exchange/wire/deposit.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { Deposit } from './domain.ts';

interface NetworkNow {
  readonly coin: CoinNetwork;
  readonly channel: 'demo' | 'none';
  readonly blockSeconds: number;
}

export function presentNetwork({
  coin,
  channel,
  blockSeconds,
}: NetworkNow): DataOf<typeof depositNetworks>['list'][number] {
  const { network } = coin;
  return {
    ...{ network: network.code, name: network.name, minAmount: coin.minDeposit.toString(), fee: '0' },
    ...{ confirmations: network.confirmations, blockSeconds, channel },
    minutes: expectedMinutes({ ...network, blockSeconds }),
    ...{ memoNeeded: network.memo ? 1 : 0, status: channel === 'none' ? 0 : 1 },
  };
}

export function presentDeposit(deposit: Deposit, confirmed: number): DataOf<typeof depositDetail> {
  const { status, memo, remark, finishedAt, amount } = deposit;
  const isFinished = status === 'finished';
  return {
    ...{ id: deposit.id, currency: deposit.asset, network: deposit.network, address: deposit.address },
    ...(memo === undefined ? {} : { memo }),
    ...{ amount: amount.toString(), realAmount: isFinished ? amount.toString() : '0', fee: '0' },
    ...(remark === undefined ? {} : { remark }),
    ...{ txid: deposit.txid, needConfirm: deposit.confirmations },
    confirm: isFinished ? deposit.confirmations : confirmed,
    ...{ status: DEPOSIT_STATUS[status], belowMinimum: deposit.isSmall ? 1 : 0 },
    minAmount: findCoinNetwork(deposit.asset, deposit.network)?.minDeposit.toString() ?? '0',
    createTime: deposit.createdAt,
    ...(finishedAt === undefined ? {} : { finishTime: finishedAt }),
  };
}
