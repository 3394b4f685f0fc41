import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { stopPriceOf, type OrderRequest } from '@exchange/core/spot.ts';
import { isStop, usualDirection } from '@exchange/core/stop.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { Entering } from './command-inputs.ts';
import type { SpotMarket } from './exchange-state.ts';
import type { SpotOrder, Stop } from './order-domain.ts';

/** What an order waits for, and which OCO it belongs to. */
interface Ties {
  readonly stop?: Stop;
  readonly groupId?: string;
}

const NO_TIES: Ties = {};

/** The order that a checked request becomes; nothing is held for it yet. */
export function newOrder(
  step: Step,
  pair: Pair,
  { owner, selfTrade, rates, clientId }: Entering,
  request: OrderRequest,
  { stop, groupId = '' }: Ties = NO_TIES,
): SpotOrder {
  return {
    id: step.newId() as OrderId,
    owner,
    pair,
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce,
    postOnly: request.postOnly,
    selfTrade,
    total: request.total,
    heldAsset: request.side === 'buy' ? pair.quote : pair.base,
    makerRate: rates.maker,
    takerRate: rates.taker,
    clientId,
    createdAt: step.now,
    bornIn: step.sequence,
    stop,
    expireAt: request.expireAt,
    groupId,
    price: request.price,
    amount: request.amount,
    rank: step.sequence,
    filledAmount: Decimal.zero,
    filledTotal: Decimal.zero,
    cancelledAmount: Decimal.zero,
    fee: Decimal.zero,
    held: Decimal.zero,
    state: 'open',
    reason: '',
    updatedAt: step.now,
  };
}

/** What a request waits for; undefined for one that does not wait. */
export function newStop(
  { pair, last }: SpotMarket,
  request: OrderRequest,
  tradeSequence: number,
): Stop | undefined {
  const { type, side, direction, trail } = request;
  if (!isStop(type)) return undefined;
  return {
    direction: direction ?? usualDirection(type, side),
    trail,
    price: stopPriceOf(pair, request, last)!,
    extreme: trail === undefined ? undefined : last,
    status: 'waiting',
    triggeredAt: undefined,
    tradeSequence,
  };
}
