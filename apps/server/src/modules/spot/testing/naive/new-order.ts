import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderRequest } from '@exchange/core/spot.ts';
import { labelOf, type PlacementContext, type OcoCommand, type PlaceCommand } from '../model-command.ts';
import { directionOf, stopPriceAtEntry } from './checks.ts';
import { isStop, type Listed, type NaiveOrder } from './order.ts';
import type { NaiveStep } from './state.ts';

/** Creates a new order of the reference exchange, before it is matched. */
export function newOrder(
  step: NaiveStep,
  listed: Listed,
  command: PlaceCommand,
  last: Decimal | undefined,
): NaiveOrder {
  const { request } = command;
  const order = blankOrder(step, listed, command, request);
  if (!isStop(request.type)) return order;
  order.stopStatus = 'waiting';
  order.stopPrice = stopPriceAtEntry(listed, request, last);
  order.direction = directionOf(request.type, request.side, request.direction);
  if (request.type === 'trailing') order.extreme = request.activation ?? last;
  return order;
}

/** A new order (leg) of an OCO. */
export function newLeg(
  step: NaiveStep,
  listed: Listed,
  command: OcoCommand,
  leg: 'limit' | 'stop',
): NaiveOrder {
  const { side, amount, limitPrice, stopPrice, stopLimitPrice } = command;
  const isMarket = leg === 'stop' && stopLimitPrice === undefined;
  const order = blankOrder(step, listed, command, {
    side,
    amount,
    type: leg === 'limit' ? 'limit' : isMarket ? 'stopMarket' : 'stopLimit',
    price: leg === 'limit' ? limitPrice : stopLimitPrice,
    timeInForce: isMarket ? 'IOC' : 'GTC',
    postOnly: false,
  });
  order.label = labelOf(step.sequence, leg);
  order.group = `group ${step.sequence}`;
  if (leg === 'limit') return order;
  order.stopStatus = 'waiting';
  order.stopPrice = stopPrice;
  order.direction = directionOf(order.type, side, undefined);
  return order;
}

function blankOrder(
  step: NaiveStep,
  listed: Listed,
  entering: PlacementContext,
  request: OrderRequest,
): NaiveOrder {
  const { side, type, timeInForce, postOnly, price, amount, total, trail, activation, expireAt } = request;
  return {
    label: labelOf(step.sequence),
    group: '',
    owner: entering.owner,
    listed,
    side,
    type,
    timeInForce,
    postOnly,
    selfTrade: entering.selfTrade,
    price,
    amount,
    total,
    stopPrice: undefined,
    direction: undefined,
    trail,
    activation,
    activatedAt: undefined,
    extreme: undefined,
    stopStatus: undefined,
    triggeredAt: undefined,
    takeProfit: request.exits?.takeProfit,
    stopLoss: request.exits?.stopLoss,
    stopLossLimit: request.exits?.stopLossLimit,
    exitStatus: request.exits === undefined ? undefined : 'waiting',
    entry: '',
    oto: '',
    otoRole: undefined,
    isPending: false,
    releasedAt: undefined,
    expireAt,
    resting: false,
    makerRate: entering.rates.maker,
    takerRate: entering.rates.taker,
    clientId: entering.clientId,
    rank: step.sequence,
    createdAt: step.now,
    updatedAt: step.now,
    filledAmount: Decimal.zero,
    filledTotal: Decimal.zero,
    cancelledAmount: Decimal.zero,
    fee: Decimal.zero,
    held: Decimal.zero,
    state: 'open',
    reason: '',
  };
}
