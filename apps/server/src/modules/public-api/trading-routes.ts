import type { Limits } from '../../platform/limits/limits.ts';
import type { Turn } from '../../platform/sequencer/turns.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import { apiErrors } from '@exchange/wire/public-api/errors.ts';
import type { ValuesOf } from '@exchange/wire/public-api/parameters.ts';
import { LimitExceeded } from './call-routes.ts';
import { handler, type Handler, type ProgramCaller } from './handlers.ts';
import type { ListedPairs } from './pair-routes.ts';
import { apiSymbol } from './present.ts';
import { errorOfRefusal, withApiErrors } from './refusal-routes.ts';
import type { ApiMarket, ListedForApi } from './service.ts';
import {
  presentAcknowledgement,
  presentCancelled,
  presentNewFill,
  presentOrder,
  presentOwnFill,
  presentResult,
} from './trading-present.ts';
import type {
  ApiTrading,
  CancelState,
  OrderChoice,
  ProgramOrder,
  SignedRequest,
  SpotOrder,
} from './trading-service.ts';

export interface TradingRouteParts {
  readonly market: ApiMarket;
  readonly trading: ApiTrading;
  readonly pairs: ListedPairs;
  readonly limits: Limits;
}

type NewOrder = ValuesOf<(typeof calls.newOrder)['parameters']>;
/** The parameters of an order, except those that choose the form of the answer. */
type OrderValues = Pick<NewOrder, 'symbol' | 'side' | 'type'> & Partial<Omit<NewOrder, 'newOrderRespType'>>;
type Kind = Pick<ProgramOrder, 'type' | 'postOnly'>;

const KINDS: Readonly<Record<calls.ApiOrderType, Kind>> = {
  LIMIT: { type: 'limit' },
  LIMIT_MAKER: { type: 'limit', postOnly: true },
  MARKET: { type: 'market' },
  STOP_LOSS: { type: 'stopMarket' },
  STOP_LOSS_LIMIT: { type: 'stopLimit' },
  TAKE_PROFIT: { type: 'takeProfitMarket' },
  TAKE_PROFIT_LIMIT: { type: 'takeProfitLimit' },
};
const CANCEL_STATES: Readonly<Record<calls.ApiCancelRestriction, CancelState>> = {
  ONLY_NEW: 'unfilled',
  ONLY_PARTIALLY_FILLED: 'partlyFilled',
};
export const SELF_TRADE = {
  EXPIRE_TAKER: 'cancelTaker',
  EXPIRE_MAKER: 'cancelMaker',
  EXPIRE_BOTH: 'cancelBoth',
  DECREMENT: 'decrement',
} as const;
/** Order types that require the parameter `timeInForce`. */
const RESTING: ReadonlySet<calls.ApiOrderType> = new Set(['LIMIT', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT']);
const PRICED: ReadonlySet<calls.ApiOrderType> = new Set([...RESTING, 'LIMIT_MAKER']);
/** Maximum number of fills in the answer to a new order; the call `myTrades` returns all. */
const FILLS_ANSWERED = 500;
/** The limits of an account's new orders, each with the words that name it in a refusal. */
const ORDER_LIMITS = [
  ['apiOrder', `${calls.ORDERS_PER_TEN_SECONDS} orders per 10 SECOND`],
  ['apiOrderDay', `${calls.ORDERS_PER_DAY} orders per 1 DAY`],
] as const;

/** Calls about an account, its orders and its fills, and calls with fixed answers that clients expect to exist. */
export function tradingRoutes(parts: TradingRouteParts): Handler[] {
  const { trading, pairs } = parts;
  return [
    handler(calls.newOrder, (values, _path, caller) => placeOrder(parts, values, caller!)),
    handler(calls.testOrder, (values) => {
      const problem = trading.problemOf(programOrder(values, pairs.named(values.symbol)));
      if (problem !== undefined) throw errorOfRefusal(problem);
      return {};
    }),
    handler(calls.cancelOrder, async (values, _path, caller) => {
      const { pair } = pairs.named(values.symbol);
      const choice = orderChoice(pair, values.orderId, values.origClientOrderId);
      const onlyIf = restrictionOf(values.cancelRestrictions);
      const order = await withApiErrors(() => trading.cancel(caller!.owner, choice, onlyIf));
      return presentCancelled(order, trading.numbersOf(order), values.newClientOrderId);
    }),
    handler(calls.cancelOpenOrders, async ({ symbol }, _path, caller) => {
      const { pair } = pairs.named(symbol);
      const orders = await withApiErrors(() => trading.cancelAll(caller!.owner, pair));
      if (orders.length === 0) throw apiErrors.unknownOrderSent();
      return orders.map((order) => presentCancelled(order, trading.numbersOf(order), undefined));
    }),
    handler(calls.countdownCancelAll, async ({ symbol, countdownTime }, _path, caller) => {
      const { owner, signature } = caller!;
      const pairSymbol = symbol === undefined ? undefined : pairs.named(symbol).pair.symbol;
      const countdown = { symbol: pairSymbol, durationMs: countdownTime };
      const { dueAt } = await withApiErrors(() => trading.setCountdown(owner, countdown, signature));
      return {
        symbol,
        countdownTime: String(countdownTime),
        cancelTime: dueAt ?? 0,
      };
    }),
    handler(calls.order, async (values, _path, caller) => {
      const { pair } = pairs.named(values.symbol);
      const id = await requireOrder(parts, caller!.owner, values, apiErrors.noSuchOrder);
      const order = await trading.order(caller!.owner, id);
      if (order?.pair.symbol !== pair.symbol) throw apiErrors.noSuchOrder();
      return presentOrder(order, trading.numbersOf(order));
    }),
    handler(calls.openOrders, ({ symbol }, _path, caller) => {
      const only = symbol === undefined ? undefined : pairs.named(symbol).pair.symbol;
      return trading.openOrders(caller!.owner, only).map((order) => present(parts, order));
    }),
    handler(calls.allOrders, async (values, _path, caller) => {
      const { pair } = pairs.named(values.symbol);
      const { owner } = caller!;
      const { orderId, startTime, endTime, limit } = values;
      const fromOrder =
        orderId === undefined
          ? undefined
          : await trading.findId(owner, { number: orderId, clientId: undefined });
      if (orderId !== undefined && fromOrder === undefined) throw apiErrors.noSuchOrder();
      const range = { symbol: pair.symbol, from: startTime, to: endTime, limit, fromOrder };
      return (await trading.orders(owner, range)).map((order) => present(parts, order));
    }),
    handler(calls.myTrades, async (values, _path, caller) => {
      const { pair } = pairs.named(values.symbol);
      const { owner } = caller!;
      const { orderId, fromId, startTime, endTime, limit } = values;
      const order =
        orderId === undefined
          ? undefined
          : await trading.findId(owner, { number: orderId, clientId: undefined });
      if (orderId !== undefined && order === undefined) return [];
      const range = { symbol: pair.symbol, from: startTime, to: endTime, limit, fromSequence: fromId, order };
      return (await trading.fills(owner, range)).map((fill) =>
        presentOwnFill(
          pair,
          fill,
          trading.numberOf(fill.role === 'taker' ? fill.takerOrder : fill.makerOrder),
        ),
      );
    }),
    ...accountRoutes(parts),
  ];
}

function accountRoutes({ market, trading, pairs }: TradingRouteParts): Handler[] {
  return [
    handler(calls.account, async ({ omitZeroBalances }, _path, caller) => {
      const { owner, mayTrade, withdrawalLimit } = caller!;
      const [balances, { maker, taker }, uid] = await Promise.all([
        trading.balances(owner),
        trading.rates(owner),
        trading.accountNumber(owner),
      ]);
      const isKept = (text: string) => !Decimal.parse(text).isZero();
      return {
        makerCommission: basisPoints(maker),
        takerCommission: basisPoints(taker),
        buyerCommission: 0,
        sellerCommission: 0,
        commissionRates: rateFields(maker, taker),
        canTrade: mayTrade,
        canWithdraw: withdrawalLimit !== undefined,
        canDeposit: true,
        brokered: false,
        requireSelfTradePrevention: true,
        preventSor: true,
        updateTime: market.now(),
        accountType: 'SPOT',
        balances: balances.filter(
          ({ free, locked }) => omitZeroBalances !== 'true' || isKept(free) || isKept(locked),
        ),
        permissions: ['SPOT'],
        uid: Number(uid),
      };
    }),
    handler(calls.accountCommission, async ({ symbol }, _path, caller) => {
      const { pair } = pairs.named(symbol);
      const { maker, taker } = await trading.rates(caller!.owner);
      return {
        symbol: apiSymbol(pair),
        standardCommission: rateFields(maker, taker),
        specialCommission: NO_RATES,
        taxCommission: NO_RATES,
        discount: {
          enabledForAccount: false,
          enabledForSymbol: false,
          discountAsset: '',
          discount: '0.00000000',
        },
      };
    }),
    handler(calls.tradeFee, async ({ symbol }, _path, caller) => {
      const { maker, taker } = await trading.rates(caller!.owner);
      return pairs.selected({ symbol }).map(({ pair }) => ({
        symbol: apiSymbol(pair),
        makerCommission: maker.toString(),
        takerCommission: taker.toString(),
      }));
    }),
    handler(calls.apiRestrictions, (_values, _path, caller) => {
      const { addresses, mayTrade, mayTransfer, withdrawalLimit, createdAt } = caller!;
      return {
        ipRestrict: addresses.length > 0,
        createTime: createdAt,
        enableReading: true,
        enableSpotAndMarginTrading: mayTrade,
        enableWithdrawals: withdrawalLimit !== undefined,
        enableInternalTransfer: false,
        enableMargin: false,
        enableFutures: false,
        permitsUniversalTransfer: mayTransfer,
        enableVanillaOptions: false,
      };
    }),
    handler(calls.marginPairs, () => []),
    handler(calls.isolatedMarginPairs, () => []),
    handler(calls.systemStatus, () => ({ status: 0, msg: 'normal' })),
  ];
}

function present({ trading }: TradingRouteParts, order: SpotOrder) {
  return presentOrder(order, trading.numbersOf(order));
}

/**
 * Places an order and returns its answer. With `turn`, the order is part of a batch, and its command is enqueued after
 * those of the earlier orders of the batch.
 */
export async function placeOrder(
  parts: TradingRouteParts,
  values: NewOrder,
  caller: Pick<ProgramCaller, 'owner' | 'signature' | 'sessionId'>,
  turn?: Turn,
) {
  const { trading, pairs } = parts;
  const listed = pairs.named(values.symbol);
  const wanted = programOrder(values, listed);
  const request = signedRequest(parts, caller, turn);
  const order = await withApiErrors(() => trading.place(caller.owner, wanted, request));
  return presentPlaced(parts, values, order);
}

/**
 * A caller's signed request. Its `admit` counts one order against the account's order limits and throws `LimitExceeded`
 * when one is exhausted; a repetition of the request does not call it.
 */
export function signedRequest(
  { limits }: Pick<TradingRouteParts, 'limits'>,
  { owner, signature, sessionId }: Pick<ProgramCaller, 'owner' | 'signature' | 'sessionId'>,
  turn?: Turn,
): SignedRequest {
  const admit = () => {
    for (const [limit, words] of ORDER_LIMITS) {
      const waitSeconds = limits.charge({ limit, weight: 1 }, { addressGroup: '', userId: owner });
      if (waitSeconds > 0) throw new LimitExceeded(apiErrors.tooManyOrders(words), waitSeconds);
    }
  };
  return { signature, admit, sessionId, turn };
}

/**
 * The answer to a new order in the requested form: only its ids, also its result, or also up to `FILLS_ANSWERED` of its
 * fills.
 */
export async function presentPlaced(
  { trading }: Pick<TradingRouteParts, 'trading'>,
  values: Pick<NewOrder, 'type' | 'newOrderRespType'>,
  order: SpotOrder,
) {
  const numbers = trading.numbersOf(order);
  const isFull = values.type === 'LIMIT' || values.type === 'MARKET';
  const answerType = values.newOrderRespType ?? (isFull ? 'FULL' : 'ACK');
  if (answerType === 'ACK') return presentAcknowledgement(order, numbers);
  if (answerType === 'RESULT') return presentResult(order, numbers);
  const range = { symbol: order.pair.symbol, order: order.id, limit: FILLS_ANSWERED };
  const fills = order.filledAmount.isZero() ? [] : await trading.fills(order.owner, range);
  return {
    ...presentResult(order, numbers),
    fills: fills.map((fill) => presentNewFill(order.pair, fill)),
  };
}

/**
 * The order that the API parameters describe. Refuses missing, superfluous and contradictory parameters, iceberg
 * orders, and numbers with too many decimals. `prefix` is the beginning of parameter names in errors about an order of
 * a list, e.g. `pending` for `pendingStopPrice`.
 */
export function programOrder(values: OrderValues, { pair }: ListedForApi, prefix = ''): ProgramOrder {
  const { type, side, quantity, quoteOrderQty, price, stopPrice, timeInForce } = values;
  const kind = KINDS[type];
  const named = (name: string) =>
    prefix === '' ? name : `${prefix}${name[0]!.toUpperCase()}${name.slice(1)}`;
  const isStop = type.startsWith('STOP_LOSS') || type.startsWith('TAKE_PROFIT');
  if (RESTING.has(type) && timeInForce === undefined) throw apiErrors.missing(named('timeInForce'));
  if (PRICED.has(type) && price === undefined) throw apiErrors.missing(named('price'));
  if (isStop && stopPrice === undefined) throw apiErrors.missing(named('stopPrice'));
  if (!PRICED.has(type) && price !== undefined) throw apiErrors.notSent(named('price'));
  if (!isStop && stopPrice !== undefined) throw apiErrors.notSent(named('stopPrice'));
  if (!RESTING.has(type) && timeInForce !== undefined) throw apiErrors.notSent(named('timeInForce'));
  if (values.icebergQty?.isPositive() === true) throw apiErrors.filterFailure('ICEBERG_PARTS');
  if (quoteOrderQty !== undefined && type !== 'MARKET') throw apiErrors.notSent(named('quoteOrderQty'));
  if (quantity !== undefined && quoteOrderQty !== undefined) throw apiErrors.invalidCombination();
  if (quantity === undefined && quoteOrderQty === undefined) throw apiErrors.missing(named('quantity'));
  requirePlaces(named('price'), price);
  requirePlaces(named('stopPrice'), stopPrice);
  requirePlaces(named('quantity'), quantity);
  requirePlaces(named('quoteOrderQty'), quoteOrderQty);
  const selfTrade = values.selfTradePreventionMode;
  return {
    symbol: pair.symbol,
    side: side === 'BUY' ? 'buy' : 'sell',
    type: kind.type,
    postOnly: kind.postOnly,
    price,
    amount: quantity,
    total: quoteOrderQty,
    stopPrice,
    direction: undefined,
    trail: undefined,
    activation: undefined,
    exits: undefined,
    expireAt: undefined,
    timeInForce: RESTING.has(type) ? timeInForce : undefined,
    selfTrade: selfTrade === undefined ? undefined : SELF_TRADE[selfTrade],
    clientId: values.newClientOrderId,
  };
}

/**
 * The order of a pair that a request names by order number or client order id. Throws the API error −1102 if it names
 * neither.
 */
export function orderChoice(
  { symbol }: SpotOrder['pair'],
  number: number | undefined,
  clientId: string | undefined,
  parameter = 'orderId',
): OrderChoice {
  if (number === undefined && clientId === undefined) throw apiErrors.missing(parameter);
  return { symbol, number, clientId };
}

/**
 * The state that an order must have to be cancelled (unfilled or partly filled); undefined if any open order may be
 * cancelled.
 */
export function restrictionOf(restriction: calls.ApiCancelRestriction | undefined): CancelState | undefined {
  return restriction === undefined ? undefined : CANCEL_STATES[restriction];
}

/** Throws if a price or amount has more than 12 decimals. Runs before the filters of the pair are checked. */
export function requirePlaces(name: string, value: Decimal | undefined): void {
  if (value !== undefined && !value.fits(12)) throw apiErrors.tooMuchPrecision(name);
}

async function requireOrder(
  { trading }: TradingRouteParts,
  owner: ProgramCaller['owner'],
  values: { orderId?: number | undefined; origClientOrderId?: string | undefined },
  unknown: () => Error,
): Promise<OrderId> {
  const { orderId: number, origClientOrderId: clientId } = values;
  if (number === undefined && clientId === undefined) throw apiErrors.missing('orderId');
  const id = await trading.findId(owner, { number, clientId });
  if (id === undefined) throw unknown();
  return id;
}

const NO_RATES = {
  maker: '0.00000000',
  taker: '0.00000000',
  buyer: '0.00000000',
  seller: '0.00000000',
};

function rateFields(maker: Decimal, taker: Decimal) {
  return {
    maker: maker.toPlaces(8),
    taker: taker.toPlaces(8),
    buyer: '0.00000000',
    seller: '0.00000000',
  };
}

/** Converts a rate to whole basis points (a rate of 0.001 becomes 10), which a field for older clients requires. */
function basisPoints(rate: Decimal): number {
  return Number(rate.timesExact(Decimal.ofWhole(10_000)).rounded(0, 'halfEven').toString());
}
