import { findCoinNetwork } from '@exchange/core/network.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { trackTransfers } from '@exchange/wire/tracking.ts';
import { isOverdue, shownPromise, type TrackedTransfer } from './domain.ts';

type Row = DataOf<typeof trackTransfers>['list'][number];

/**
 * Returns a transfer in the format of the wire, with the block explorer's page about its transaction and the
 * latest support request about it.
 */
export function presentTransfer(
  transfer: TrackedTransfer,
  { ticket, explorer }: Pick<Row, 'ticket' | 'explorer'>,
  now: Instant,
): Row {
  const { asset, network, stage } = transfer;
  return {
    id: transfer.id,
    kind: transfer.kind,
    currency: asset,
    network,
    amount: transfer.amount.toString(),
    txid: transfer.txid,
    explorer,
    stage,
    handler: transfer.handler,
    confirm: transfer.confirmed,
    needConfirm: transfer.confirmations,
    minAmount: stage === 'belowMinimum' ? findCoinNetwork(asset, network)?.minDeposit.toString() : undefined,
    promiseTime: shownPromise(transfer),
    late: isOverdue(transfer, now) ? 1 : 0,
    createTime: transfer.createdAt,
    finishTime: transfer.finishedAt,
    ticket,
  };
}
