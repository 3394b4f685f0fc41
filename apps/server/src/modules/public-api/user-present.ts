import { Decimal } from '@exchange/core/decimal.ts';
import { amountText, apiSymbol, NO_TRADE, priceText, quoteText } from './present.ts';
import {
  isWorking,
  orderTypeOf,
  presentList,
  selfTradeModeOf,
  timeInForceOf,
  workingTimeOf,
  type OrderNumbers,
} from './trading-present.ts';
import type { OrderFill, SpotOrder } from './trading-service.ts';

/** The kind of change that an order's execution report describes. */
export type ExecutionType = 'NEW' | 'CANCELED' | 'REPLACED' | 'TRADE' | 'EXPIRED' | 'TRADE_PREVENTION';

/** A change of an order that is reported to its owner's programs. */
export interface ExecutionReport {
  readonly order: SpotOrder;
  readonly numbers: OrderNumbers;
  readonly type: ExecutionType;
  readonly status: string;
  /** The fill that a report of type `TRADE` describes; undefined for all other reports. */
  readonly fill: OrderFill | undefined;
  /** The order's total filled base and quote amounts after the change of this report. */
  readonly filled: { readonly amount: Decimal; readonly total: Decimal };
  /** Number of the report, higher than those of all earlier reports of this process, to whichever user. */
  readonly execution: number;
}

/** An order of an order list, with the numbers of the order and of the list in the trading API. */
export type ListedOrder = Pick<ExecutionReport, 'order' | 'numbers'>;

const ZERO = Decimal.zero;

/** The API event of a change of an order. */
export function presentExecution(report: ExecutionReport, now: number) {
  const { order, numbers, type, status, fill, filled, execution } = report;
  const { pair, stop } = order;
  const isCancel = type === 'CANCELED';
  const isBuy = order.side === 'buy';
  return {
    e: 'executionReport',
    E: now,
    s: apiSymbol(pair),
    c: isCancel ? `cancel-${numbers.order}` : order.clientId,
    S: isBuy ? 'BUY' : 'SELL',
    o: orderTypeOf(order),
    f: timeInForceOf(order),
    q: amountText(pair, order.amount ?? filled.amount),
    p: priceText(pair, order.price ?? ZERO),
    P: priceText(pair, stop?.price ?? ZERO),
    F: amountText(pair, ZERO),
    g: numbers.list,
    C: isCancel ? order.clientId : '',
    x: type,
    X: status,
    r: 'NONE',
    i: numbers.order,
    l: amountText(pair, fill?.amount ?? ZERO),
    z: amountText(pair, filled.amount),
    L: priceText(pair, fill?.price ?? ZERO),
    n: fill === undefined ? '0' : quoteText(fill.fee),
    N: fill === undefined ? null : isBuy ? pair.base : pair.quote,
    T: order.updatedAt,
    t: fill?.sequence ?? NO_TRADE,
    I: execution,
    w: status === 'NEW' || status === 'PARTIALLY_FILLED' ? isWorking(order) : false,
    m: fill?.role === 'maker',
    M: fill !== undefined,
    O: order.createdAt,
    Z: quoteText(filled.total),
    Y: quoteText(fill?.total ?? ZERO),
    Q: quoteText(order.total ?? ZERO),
    W: workingTimeOf(order),
    V: selfTradeModeOf(order),
  };
}

/** The API event of an order list that has begun or ended. */
export function presentListStatus(reports: readonly ListedOrder[], now: number) {
  const list = presentList(
    reports.map(({ order }) => order),
    reports.map(({ numbers }) => numbers),
  );
  return {
    e: 'listStatus',
    E: now,
    s: list.symbol,
    g: list.orderListId,
    c: list.contingencyType,
    l: list.listStatusType,
    L: list.listOrderStatus,
    r: 'NONE',
    C: list.listClientOrderId,
    T: Math.max(...reports.map(({ order }) => order.updatedAt)),
    O: list.orders.map(({ symbol, orderId, clientOrderId }) => ({ s: symbol, i: orderId, c: clientOrderId })),
  };
}

/** A user's available (`free`) and held (`locked`) spot balance of one coin, in units of the coin. */
export interface CoinBalance {
  readonly asset: string;
  readonly free: Decimal;
  readonly locked: Decimal;
}

/** The API event with the new balances of the changed coins. */
export function presentPosition(balances: readonly CoinBalance[], now: number) {
  return {
    e: 'outboundAccountPosition',
    E: now,
    u: now,
    B: balances.map(({ asset, free, locked }) => ({ a: asset, f: free.toString(), l: locked.toString() })),
  };
}

/**
 * The API event of a changed total balance that no trade of the same command explains, such as by a deposit or
 * withdrawal, with the signed difference.
 */
export function presentBalanceUpdate(asset: string, amount: Decimal, now: number) {
  return {
    e: 'balanceUpdate',
    E: now,
    a: asset,
    d: amount.toString(),
    T: now,
  };
}
