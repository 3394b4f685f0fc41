import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { OrderRequest } from '@exchange/core/spot.ts';
import { resultingType } from '@exchange/core/stop.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { IncomingOrder } from '../matching/index.ts';
import { publishOrder, saveOrder } from './cancellation.ts';
import type { PlacementContext } from './command-inputs.ts';
import { type OtoPlace, type SpotOrder, type Stop, remainingAmount } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { hold, lotsOf, ticksOf, totalUnitsOf } from './settlement.ts';

/**
 * The relations of a new order: its trigger, its OTO, its OCO, the client order id of its list, the entry
 * order whose exit it is, and the iceberg, chase order or grid to which it belongs.
 */
export interface Ties {
  readonly stop?: Stop | undefined;
  readonly oto?: OtoPlace;
  readonly groupId?: string;
  readonly listName?: string | undefined;
  readonly entryId?: string;
  readonly parentId?: string;
}

export const NO_TIES: Ties = {};

/** Builds the order of a checked request. The order is not placed and holds no funds yet. */
export function newOrder(
  step: Step,
  pair: Pair,
  { owner, master, selfTrade, rates, clientId, sessionId = '', receivedAt }: PlacementContext,
  request: OrderRequest,
  { stop, oto, groupId = '', listName = '', entryId = '', parentId = '' }: Ties = NO_TIES,
): SpotOrder {
  return {
    id: step.newId() as OrderId,
    owner,
    trader: master ?? owner,
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
    receivedAt,
    createdAt: step.now,
    bornIn: step.sequence,
    stop,
    expireAt: request.expireAt,
    groupId,
    listName,
    oto,
    entryId,
    sessionId,
    parentId,
    price: request.price,
    amount: request.amount,
    rank: step.sequence,
    exits: exitsOf(request),
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

/**
 * The take-profit and stop-loss of a new order, in status `waiting`; undefined if the request has neither.
 */
export function exitsOf({ exits }: Pick<OrderRequest, 'exits'>): SpotOrder['exits'] {
  if (exits === undefined) return undefined;
  const { takeProfit, stopLoss, stopLossLimit } = exits;
  return { takeProfit, stopLoss, stopLossLimit, status: 'waiting' };
}

/** The order in the book's units. The book treats a GTT order as GTC; expiry is handled outside the book. */
export function incomingOf(order: SpotOrder, guard: Decimal | undefined): IncomingOrder {
  const { pair, total, timeInForce } = order;
  const isLimit = resultingType(order.type) === 'limit';
  return {
    id: order.id,
    owner: order.trader,
    side: order.side,
    price: isLimit ? ticksOf(pair, order.price!) : null,
    amount: order.amount === undefined ? null : lotsOf(pair, remainingAmount(order)),
    total: total === undefined ? undefined : totalUnitsOf(pair, total),
    timeInForce: timeInForce === 'GTT' ? 'GTC' : timeInForce,
    postOnly: order.postOnly,
    selfTrade: order.selfTrade,
    guardPrice: guard === undefined ? undefined : ticksOf(pair, guard),
  };
}

/** Moves an amount from the owner's available balance to the order's hold. Refuses when the balance is too small. */
export function placeHold({ ledger }: ExchangeState, step: Step, order: SpotOrder, amount: Decimal): void {
  ledger.postOne(step, 'spot.held', order.id, hold(order, amount));
  order.held = amount;
}

/**
 * Places an order on the book whose funds are held and that was checked not to match. The caller must publish the
 * changed levels. Afterwards the command must not be refused, because changes of the book cannot be undone. The hold is
 * not adjusted to the order, because it can also cover the other leg of an OCO.
 */
export function restOnBook(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  const book = market.changeBook(step);
  const placement = book.place(incomingOf(order, undefined));
  if (placement.outcome !== 'rested' || placement.fills.length > 0)
    throw new Error(`the order ${order.id} did not rest`);
  state.orders.add(order);
  saveOrder(step, order);
  publishOrder(step, order);
  state.changedLevels.add(order.side, book.get(order.id)!.price);
}

/**
 * The context of the next order of an iceberg or a grid, with the values of `former`, an earlier order of the same
 * iceberg or grid.
 */
export function contextOfFormer(former: SpotOrder): PlacementContext {
  return {
    owner: former.owner,
    master: former.trader === former.owner ? undefined : former.trader,
    symbol: former.pair.symbol,
    selfTrade: former.selfTrade,
    rates: { maker: former.makerRate, taker: former.takerRate },
    clientId: former.clientId,
  };
}
