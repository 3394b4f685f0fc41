import { resultingType } from '@exchange/core/stop.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import { apiErrors } from '@exchange/wire/public-api/errors.ts';
import type { ValuesOf } from '@exchange/wire/public-api/parameters.ts';
import type { ListedForApi } from './service.ts';
import type { ListedPairs } from './pair-routes.ts';
import { handler, type Handler, type ProgramCaller } from './handlers.ts';
import { withApiErrors } from './refusal-routes.ts';
import { isListOpen, presentCancelled, presentList, presentResult } from './trading-present.ts';
import {
  programOrder,
  requirePlaces,
  SELF_TRADE,
  signedRequest,
  type TradingRouteParts,
} from './trading-routes.ts';
import type { ProgramList, ProgramOto, SignedRequest, SpotOrder } from './trading-service.ts';

const LIST_NAME = /^list-([0-9]{1,16})$/;

type NewList = ValuesOf<(typeof calls.placeList)['parameters']>;
type NewOco = ValuesOf<(typeof calls.placeOco)['parameters']>;
type NewOto = ValuesOf<(typeof calls.placeOto)['parameters']>;
type NewOtoco = ValuesOf<(typeof calls.placeOtoco)['parameters']>;
type PendingType = NonNullable<ProgramOto['pending']>['type'];
type PlacedOrders = readonly SpotOrder[];

/** Calls for order lists: orders that cancel one another (OCO) or that wait for another order (OTO, OTOCO). */
export function listRoutes(parts: TradingRouteParts): Handler[] {
  const { trading, pairs } = parts;
  const present = (orders: readonly SpotOrder[]) =>
    presentList(
      orders,
      orders.map((order) => trading.numbersOf(order)),
    );
  const place = async (caller: ProgramCaller, placing: (request: SignedRequest) => Promise<PlacedOrders>) => {
    const orders = await withApiErrors(() => placing(signedRequest(parts, caller)));
    return {
      ...present(orders),
      orderReports: orders.map((placed) => presentResult(placed, trading.numbersOf(placed))),
    };
  };
  const placeList = (order: ProgramList, caller: ProgramCaller) =>
    place(caller, (request) => trading.placeList(caller.owner, order, request));
  const placeOto = (order: ProgramOto, caller: ProgramCaller) =>
    place(caller, (request) => trading.placeOto(caller.owner, order, request));
  const listNamed = async (
    owner: ProgramCaller['owner'],
    id: number | undefined,
    name: string | undefined,
  ) => {
    if (id === undefined && name === undefined) throw apiErrors.missing('orderListId');
    const number = id ?? (await trading.listNumberOfName(owner, name!)) ?? numberInName(name!);
    return Number.isSafeInteger(number) && number >= 0 ? trading.list(owner, number) : [];
  };
  return [
    handler(calls.placeList, (values, _path, caller) =>
      placeList(listOf(values, pairs.named(values.symbol).pair.symbol), caller!),
    ),
    handler(calls.placeOco, (values, _path, caller) =>
      placeList(ocoOf(values, pairs.named(values.symbol).pair.symbol), caller!),
    ),
    handler(calls.placeOto, (values, _path, caller) => placeOto(otoOf(values, pairs), caller!)),
    handler(calls.placeOtoco, (values, _path, caller) => placeOto(otocoOf(values, pairs), caller!)),
    handler(calls.cancelList, async (values, _path, caller) => {
      const { pair } = pairs.named(values.symbol);
      const orders = await listNamed(caller!.owner, values.orderListId, values.listClientOrderId);
      if (orders[0]?.pair.symbol !== pair.symbol || !isListOpen(orders)) throw apiErrors.unknownOrderSent();
      const open = new Set(orders.filter(({ state }) => state === 'open').map(({ id }) => id));
      const ended = await withApiErrors(() => trading.cancelList(caller!.owner, orders));
      const cancelled = ended.filter(({ id }) => open.has(id));
      return {
        ...present(ended),
        orderReports: cancelled.map((order) =>
          presentCancelled(order, trading.numbersOf(order), values.newClientOrderId),
        ),
      };
    }),
    handler(calls.orderList, async ({ orderListId, origClientOrderId }, _path, caller) => {
      const orders = await listNamed(caller!.owner, orderListId, origClientOrderId);
      if (orders.length === 0) throw apiErrors.noSuchList();
      return present(orders);
    }),
    handler(calls.openOrderLists, async (_values, _path, caller) => {
      const lists = await trading.openLists(caller!.owner);
      return lists.filter(isListOpen).map(present);
    }),
    handler(calls.allOrderLists, async ({ fromId, startTime, endTime, limit }, _path, caller) => {
      if (fromId !== undefined && (startTime !== undefined || endTime !== undefined))
        throw apiErrors.invalidCombination();
      const range = { from: startTime, to: endTime, limit, fromNumber: fromId };
      return (await trading.lists(caller!.owner, range)).map(present);
    }),
  ];
}

/** The number in the client order id that was generated for an order list; −1 if the owner chose the id. */
function numberInName(name: string): number {
  return Number(LIST_NAME.exec(name)?.[1] ?? -1);
}

/** The parameters of one order of an OCO; `word` is the beginning of their names, e.g. `above`. */
interface LegValues {
  readonly type: NewList['aboveType'];
  readonly name: string | undefined;
  readonly price: NewList['abovePrice'];
  readonly stopPrice: NewList['aboveStopPrice'];
  readonly timeInForce: 'GTC' | undefined;
  readonly word: string;
}

/** The OCO that the parameters describe: a limit order on one side of the market price and a stop on the other. */
function listOf(values: NewList, symbol: string): ProgramList {
  const above = {
    type: values.aboveType,
    name: values.aboveClientOrderId,
    price: values.abovePrice,
    stopPrice: values.aboveStopPrice,
    timeInForce: values.aboveTimeInForce,
    word: 'above',
  };
  const below = {
    type: values.belowType,
    name: values.belowClientOrderId,
    price: values.belowPrice,
    stopPrice: values.belowStopPrice,
    timeInForce: values.belowTimeInForce,
    word: 'below',
  };
  return checkedList(values, { symbol, ...legsOf(values.side === 'SELL', above, below) });
}

/**
 * The limit order and the stop of an OCO. Refuses an order type on the wrong side of the market price, and missing and
 * superfluous parameters.
 */
function legsOf(
  isSale: boolean,
  above: LegValues,
  below: LegValues,
): Pick<ProgramList, 'limitPrice' | 'stopPrice' | 'stopLimitPrice' | 'limitName' | 'stopName'> {
  const [limit, stop] = isSale ? [above, below] : [below, above];
  if (limit.type !== 'LIMIT_MAKER' || stop.type === 'LIMIT_MAKER') throw apiErrors.invalidOrderType();
  if (limit.price === undefined) throw apiErrors.missing(`${limit.word}Price`);
  if (limit.stopPrice !== undefined) throw apiErrors.notSent(`${limit.word}StopPrice`);
  if (stop.stopPrice === undefined) throw apiErrors.missing(`${stop.word}StopPrice`);
  const isStopLimit = stop.type === 'STOP_LOSS_LIMIT';
  if (isStopLimit && stop.price === undefined) throw apiErrors.missing(`${stop.word}Price`);
  if (isStopLimit && stop.timeInForce === undefined) throw apiErrors.missing(`${stop.word}TimeInForce`);
  if (!isStopLimit && stop.price !== undefined) throw apiErrors.notSent(`${stop.word}Price`);
  return {
    limitPrice: limit.price,
    stopPrice: stop.stopPrice,
    stopLimitPrice: stop.price,
    limitName: limit.name,
    stopName: stop.name,
  };
}

/** The OTO that the parameters describe: a working order, and one pending order of any type. */
function otoOf(values: NewOto, pairs: ListedPairs): ProgramOto {
  const listed = pairs.named(values.symbol);
  const { pendingQuantity, pendingPrice, pendingStopPrice, pendingTimeInForce } = values;
  const order = programOrder(
    {
      symbol: values.symbol,
      side: values.pendingSide,
      type: values.pendingType,
      timeInForce: pendingTimeInForce,
      quantity: pendingQuantity,
      price: pendingPrice,
      stopPrice: pendingStopPrice,
      icebergQty: values.pendingIcebergQty,
    },
    listed,
    'pending',
  );
  const usual = resultingType(order.type) === 'limit' ? 'GTC' : 'IOC';
  return {
    ...workingOf(values, listed),
    pendingName: values.pendingClientOrderId,
    stopName: undefined,
    pending: {
      side: order.side,
      type: order.type as PendingType,
      price: order.price,
      amount: pendingQuantity,
      stopPrice: order.stopPrice,
      timeInForce: pendingTimeInForce ?? usual,
      postOnly: order.postOnly ?? false,
    },
  };
}

/** The OTOCO that the parameters describe: a working order, and an OCO. */
function otocoOf(values: NewOtoco, pairs: ListedPairs): ProgramOto {
  const listed = pairs.named(values.symbol);
  const above = {
    type: values.pendingAboveType,
    name: values.pendingAboveClientOrderId,
    price: values.pendingAbovePrice,
    stopPrice: values.pendingAboveStopPrice,
    timeInForce: values.pendingAboveTimeInForce,
    word: 'pendingAbove',
  };
  const below = {
    type: values.pendingBelowType,
    name: values.pendingBelowClientOrderId,
    price: values.pendingBelowPrice,
    stopPrice: values.pendingBelowStopPrice,
    timeInForce: values.pendingBelowTimeInForce,
    word: 'pendingBelow',
  };
  const legs = legsOf(values.pendingSide === 'SELL', above, below);
  requirePlaces('pendingQuantity', values.pendingQuantity);
  requireLegPlaces(legs);
  return {
    ...workingOf(values, listed),
    pendingName: legs.limitName,
    stopName: legs.stopName,
    pendingOco: {
      side: values.pendingSide === 'BUY' ? 'buy' : 'sell',
      amount: values.pendingQuantity,
      limitPrice: legs.limitPrice,
      stopPrice: legs.stopPrice,
      stopLimitPrice: legs.stopLimitPrice,
    },
  };
}

/**
 * The working order of an OTO or OTOCO list, a limit order, with the fields of the whole list: pair,
 * self-trade prevention, and the client ids of the list and of this order.
 */
function workingOf(values: NewOto | NewOtoco, listed: ListedForApi) {
  const { workingQuantity, workingPrice, workingTimeInForce, selfTradePreventionMode } = values;
  const order = programOrder(
    {
      symbol: values.symbol,
      side: values.workingSide,
      type: values.workingType,
      timeInForce: workingTimeInForce,
      quantity: workingQuantity,
      price: workingPrice,
      icebergQty: values.workingIcebergQty,
      selfTradePreventionMode,
    },
    listed,
    'working',
  );
  return {
    symbol: order.symbol,
    selfTrade: order.selfTrade,
    listName: values.listClientOrderId,
    workingName: values.workingClientOrderId,
    working: {
      side: order.side,
      price: workingPrice,
      amount: workingQuantity,
      timeInForce: workingTimeInForce ?? 'GTC',
      postOnly: order.postOnly ?? false,
    },
  };
}

function ocoOf(values: NewOco, symbol: string): ProgramList {
  const { price, stopPrice, stopLimitPrice, limitClientOrderId, stopClientOrderId } = values;
  if (stopLimitPrice !== undefined && values.stopLimitTimeInForce === undefined)
    throw apiErrors.missing('stopLimitTimeInForce');
  return checkedList(values, {
    symbol,
    limitPrice: price,
    stopPrice,
    stopLimitPrice,
    limitName: limitClientOrderId,
    stopName: stopClientOrderId,
  });
}

/**
 * The request for an OCO: its two orders, and the parameters that both calls for an OCO share. Refuses numbers with
 * more than 12 decimals.
 */
function checkedList(
  values: Pick<NewList, 'side' | 'quantity' | 'selfTradePreventionMode' | 'listClientOrderId'>,
  legs: Omit<ProgramList, 'side' | 'amount' | 'selfTrade' | 'listName'>,
): ProgramList {
  const { side, quantity, selfTradePreventionMode: mode } = values;
  requirePlaces('quantity', quantity);
  requireLegPlaces(legs);
  return {
    ...legs,
    side: side === 'BUY' ? 'buy' : 'sell',
    amount: quantity,
    selfTrade: mode === undefined ? undefined : SELF_TRADE[mode],
    listName: values.listClientOrderId,
  };
}

function requireLegPlaces({
  limitPrice,
  stopPrice,
  stopLimitPrice,
}: Pick<ProgramList, 'limitPrice' | 'stopPrice' | 'stopLimitPrice'>): void {
  requirePlaces('price', limitPrice);
  requirePlaces('stopPrice', stopPrice);
  requirePlaces('stopLimitPrice', stopLimitPrice);
}
