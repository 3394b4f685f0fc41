import { Refused } from '@exchange/core/refusal.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import { ApiError, apiErrors } from '@exchange/wire/public-api/errors.ts';
import { readParameters, type ValuesOf } from '@exchange/wire/public-api/parameters.ts';
import { LimitExceeded, orderLimits } from './call-routes.ts';
import { handler, type Handler, type ProgramCaller } from './handlers.ts';
import { errorOfRefusal, withApiErrors } from './refusal-routes.ts';
import { presentAmended, presentAmendment, presentCancelled } from './trading-present.ts';
import {
  orderChoice,
  placeOrder,
  presentPlaced,
  programOrder,
  restrictionOf,
  signedRequest,
  type TradingRouteParts,
} from './trading-routes.ts';
import { turnsOf, type SpotOrder } from './trading-service.ts';

type CancelReplace = ValuesOf<(typeof calls.cancelReplaceOrder)['parameters']>;

/**
 * Calls that replace an order, lower its quantity in place, or place or cancel several orders by one request, and calls
 * that read order limits and the changes of an order's quantity.
 */
export function changeRoutes(parts: TradingRouteParts): Handler[] {
  const { trading, pairs } = parts;
  return [
    handler(calls.cancelReplaceOrder, (values, _path, caller) => replaceOrder(parts, values, caller!)),
    handler(calls.amendOrder, async (values, _path, caller) => {
      const { owner, signature } = caller!;
      const { symbol, orderId, origClientOrderId, newClientOrderId, newQty } = values;
      const choice = orderChoice(pairs.named(symbol).pair, orderId, origClientOrderId);
      if (newClientOrderId !== undefined && newClientOrderId !== origClientOrderId)
        throw apiErrors.notSent('newClientOrderId');
      if (!newQty.isPositive()) throw apiErrors.invalidData('newQty');
      if (!newQty.fits(12)) throw apiErrors.tooMuchPrecision('newQty');
      const { order, amendment } = await withAmendErrors(() =>
        trading.reduce(owner, choice, newQty, signature),
      );
      return presentAmended(order, trading.numbersOf(order), amendment);
    }),
    handler(calls.placeBatch, async ({ batchOrders }, _path, caller) => {
      const { owner, signature, sessionId } = caller!;
      const turns = turnsOf(batchOrders.length);
      return eachAnswered(batchOrders, async (sent, index) => {
        const turn = turns[index]!;
        try {
          const values = readParameters(calls.newOrderParameters, sent);
          const sender = { owner, signature: `${signature} ${index}`, sessionId };
          return await placeOrder(parts, values, sender, turn);
        } finally {
          turn.end();
        }
      });
    }),
    handler(calls.cancelBatch, async (values, _path, caller) => {
      const { pair } = pairs.named(values.symbol);
      const { orderIdList = [], origClientOrderIdList = [] } = values;
      const choices = [
        ...orderIdList.map((number) => orderChoice(pair, number, undefined)),
        ...origClientOrderIdList.map((name) => orderChoice(pair, undefined, name)),
      ];
      if (choices.length === 0) throw apiErrors.missing('orderIdList');
      if (choices.length > calls.BATCH_ORDERS_MAX) throw apiErrors.invalidData('origClientOrderIdList');
      return eachAnswered(choices, async (choice) => {
        const order = await withApiErrors(() => trading.cancel(caller!.owner, choice, undefined));
        return presentCancelled(order, trading.numbersOf(order), undefined);
      });
    }),
    handler(calls.orderRateLimits, (_values, _path, caller) => orderLimits(parts.limits, caller!.owner)),
    handler(calls.orderAmendments, async (values, _path, caller) => {
      const { orderId, fromExecutionId = 0, limit } = values;
      const { pair } = pairs.named(values.symbol);
      const id = await trading.findId(caller!.owner, { number: orderId, clientId: undefined });
      const order = id === undefined ? undefined : await trading.order(caller!.owner, id);
      if (order?.pair.symbol !== pair.symbol) throw apiErrors.noSuchOrder();
      const amendments = await trading.amendments(order.id, { from: fromExecutionId, limit });
      return amendments.map((amendment) => presentAmendment(order, orderId, amendment));
    }),
  ];
}

async function replaceOrder(parts: TradingRouteParts, values: CancelReplace, caller: ProgramCaller) {
  const { trading, pairs } = parts;
  const listed = pairs.named(values.symbol);
  const { cancelOrderId, cancelOrigClientOrderId, cancelRestrictions } = values;
  const choice = orderChoice(listed.pair, cancelOrderId, cancelOrigClientOrderId, 'cancelOrderId');
  const order = programOrder(values, listed);
  const { cancelled, placed } = await withApiErrors(() =>
    trading.replace(
      caller.owner,
      {
        cancelled: { ...choice, onlyIf: restrictionOf(cancelRestrictions) },
        order,
        isStrict: values.cancelReplaceMode === 'STOP_ON_FAILURE',
      },
      signedRequest(parts, caller),
    ),
  );
  const data = {
    cancelResult: resultOf(cancelled),
    newOrderResult: resultOf(placed),
    cancelResponse: await answerOf(cancelled, (ended) =>
      presentCancelled(ended, trading.numbersOf(ended), values.cancelNewClientOrderId),
    ),
    newOrderResponse: await answerOf(placed, (entered) => presentPlaced(parts, values, entered)),
  };
  const isCancelled = data.cancelResult === 'SUCCESS';
  const isPlaced = data.newOrderResult === 'SUCCESS';
  if (isCancelled && isPlaced) return data;
  throw isCancelled || isPlaced ? apiErrors.replacedInPart(data) : apiErrors.notReplaced(data);
}

/**
 * Serves the items of a batch concurrently, so that they share one commit. Returns their answers in the order of the
 * items; a refused item has its API error as answer. If an item fails with any other error, rejects with it after all
 * items have ended; the other items stay executed.
 */
async function eachAnswered<Item>(
  items: readonly Item[],
  serve: (item: Item, index: number) => Promise<unknown>,
): Promise<unknown[]> {
  const served = await Promise.allSettled(items.map(serve));
  return served.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    const cause: unknown = result.reason;
    const error = cause instanceof LimitExceeded ? cause.error : cause;
    if (!(error instanceof ApiError)) throw cause;
    return error.body;
  });
}

type Part = SpotOrder | Refused | undefined;

function resultOf(part: Part): 'SUCCESS' | 'FAILURE' | 'NOT_ATTEMPTED' {
  if (part === undefined) return 'NOT_ATTEMPTED';
  return part instanceof Refused ? 'FAILURE' : 'SUCCESS';
}

/**
 * The answer for the cancelled or the placed order of a cancel-and-replace request: `present` of the order, the API
 * error of its refusal, or null if it was not attempted.
 */
function answerOf(part: Part, present: (order: SpotOrder) => unknown): unknown {
  if (part === undefined) return null;
  return part instanceof Refused ? errorOfRefusal(part.refusal).body : present(part);
}

/**
 * Runs `work` and converts the refusals that it throws to API errors; an unknown order and one that has ended get the
 * error `noSuchOrder`.
 */
function withAmendErrors<T>(work: () => Promise<T>): Promise<T> {
  return withApiErrors(async () => {
    try {
      return await work();
    } catch (cause) {
      const key = cause instanceof Refused ? cause.refusal.key : undefined;
      throw key === 'l.order_not_open' || key === 'l.not_found' ? apiErrors.noSuchOrder() : cause;
    }
  });
}
