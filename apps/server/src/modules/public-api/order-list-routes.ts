import * as calls from '@exchange/wire/public-api/calls.ts';
import { apiErrors } from '@exchange/wire/public-api/errors.ts';
import type { ValuesOf } from '@exchange/wire/public-api/parameters.ts';
import { handler, type Handler, type ProgramCaller } from './handlers.ts';
import { withApiErrors } from './refusal-routes.ts';
import { isListOpen, presentCancelled, presentList, presentResult } from './trading-present.ts';
import { requirePlaces, SELF_TRADE, signedRequest, type TradingRouteParts } from './trading-routes.ts';
import type { ProgramList, SpotOrder } from './trading-service.ts';

const LIST_NAME = /^list-([0-9]{1,16})$/;

type NewList = ValuesOf<(typeof calls.placeList)['parameters']>;
type NewOco = ValuesOf<(typeof calls.placeOco)['parameters']>;

/** Calls for lists of two orders that cancel one another. */
export function listRoutes(parts: TradingRouteParts): Handler[] {
  const { trading, pairs } = parts;
  const present = (orders: readonly SpotOrder[]) =>
    presentList(
      orders,
      orders.map((order) => trading.numbersOf(order)),
    );
  const place = async (order: ProgramList, caller: ProgramCaller) => {
    const orders = await withApiErrors(() =>
      trading.placeList(caller.owner, order, signedRequest(parts, caller)),
    );
    return {
      ...present(orders),
      orderReports: orders.map((placed) => presentResult(placed, trading.numbersOf(placed))),
    };
  };
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
      place(listOf(values, pairs.named(values.symbol).pair.symbol), caller!),
    ),
    handler(calls.placeOco, (values, _path, caller) =>
      place(ocoOf(values, pairs.named(values.symbol).pair.symbol), caller!),
    ),
    handler(calls.cancelList, async (values, _path, caller) => {
      const { pair } = pairs.named(values.symbol);
      const orders = await listNamed(caller!.owner, values.orderListId, values.listClientOrderId);
      if (orders[0]?.pair.symbol !== pair.symbol || !isListOpen(orders)) throw apiErrors.unknownOrderSent();
      const ended = await withApiErrors(() => trading.cancelList(caller!.owner, orders));
      return {
        ...present(ended),
        orderReports: ended.map((order) =>
          presentCancelled(order, trading.numbersOf(order), values.newClientOrderId),
        ),
      };
    }),
    handler(calls.orderList, async ({ orderListId, origClientOrderId }, _path, caller) => {
      const orders = await listNamed(caller!.owner, orderListId, origClientOrderId);
      if (orders.length === 0) throw apiErrors.noSuchList();
      return present(orders);
    }),
    handler(calls.openOrderLists, (_values, _path, caller) => {
      const lists = new Map<string, SpotOrder[]>();
      for (const order of trading.openOrders(caller!.owner, undefined))
        if (order.groupId !== '') lists.set(order.groupId, [...(lists.get(order.groupId) ?? []), order]);
      return [...lists.values()]
        .filter((orders) => orders.length === 2 && isListOpen(orders))
        .map((orders) => present(orders.toSorted((first) => (first.stop === undefined ? -1 : 1))));
    }),
  ];
}

/** The number in the name of a list to which its owner gave no name; −1 in other names. */
function numberInName(name: string): number {
  return Number(LIST_NAME.exec(name)?.[1] ?? -1);
}

/** The orders that the parameters describe: one limit order, and a stop on the other side. */
function listOf(values: NewList, symbol: string): ProgramList {
  const isSale = values.side === 'SELL';
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
  const [limit, stop] = isSale ? [above, below] : [below, above];
  if (limit.type !== 'LIMIT_MAKER' || stop.type === 'LIMIT_MAKER') throw apiErrors.invalidOrderType();
  if (limit.price === undefined) throw apiErrors.missing(`${limit.word}Price`);
  if (limit.stopPrice !== undefined) throw apiErrors.notSent(`${limit.word}StopPrice`);
  if (stop.stopPrice === undefined) throw apiErrors.missing(`${stop.word}StopPrice`);
  const isStopLimit = stop.type === 'STOP_LOSS_LIMIT';
  if (isStopLimit && stop.price === undefined) throw apiErrors.missing(`${stop.word}Price`);
  if (isStopLimit && stop.timeInForce === undefined) throw apiErrors.missing(`${stop.word}TimeInForce`);
  if (!isStopLimit && stop.price !== undefined) throw apiErrors.notSent(`${stop.word}Price`);
  return checkedList(values, {
    symbol,
    limitPrice: limit.price,
    stopPrice: stop.stopPrice,
    stopLimitPrice: stop.price,
    limitName: limit.name,
    stopName: stop.name,
  });
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

/** Adds the parameters that both forms have in common. */
function checkedList(
  values: Pick<NewList, 'side' | 'quantity' | 'selfTradePreventionMode' | 'listClientOrderId'>,
  legs: Omit<ProgramList, 'side' | 'amount' | 'selfTrade' | 'listName'>,
): ProgramList {
  const { side, quantity, selfTradePreventionMode: mode } = values;
  requirePlaces('quantity', quantity);
  requirePlaces('price', legs.limitPrice);
  requirePlaces('stopPrice', legs.stopPrice);
  requirePlaces('stopLimitPrice', legs.stopLimitPrice);
  return {
    ...legs,
    side: side === 'BUY' ? 'buy' : 'sell',
    amount: quantity,
    selfTrade: mode === undefined ? undefined : SELF_TRADE[mode],
    listName: values.listClientOrderId,
  };
}
