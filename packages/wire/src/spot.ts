import * as z from 'zod/mini';
import {
  coin,
  decimalOrNone,
  decimalText,
  flag,
  flagNumber,
  id,
  instantMs,
  positiveDecimal,
  symbol,
  tradeType,
  whole,
} from './codecs.ts';
import { ANYONE, endpoint, USER, publicRead, signedInRead, type Charge } from './endpoint.ts';
import { pageOf, pagingFields, periodFields } from './paging.ts';
import { tradingPause } from './trading-pause.ts';

const order: Charge = { limit: 'order', weight: 1 };

export const ORDER_TYPES = [
  'limit',
  'market',
  'stopLimit',
  'stopMarket',
  'takeProfitLimit',
  'takeProfitMarket',
  'trailing',
] as const;
/** Order types that a pair can offer: those of `/bibi/createOrder`, and `oco`, which another endpoint places. */
export const OFFERED_ORDER_TYPES = [...ORDER_TYPES, 'oco'] as const;
export const TIMES_IN_FORCE = ['GTC', 'GTT', 'IOC', 'FOK'] as const;
export const SELF_TRADE_MODES = ['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement'] as const;
export const STOP_DIRECTIONS = ['gte', 'lte'] as const;
/**
 * State of an order's take-profit and stop-loss: `waiting` while the order is open, `placed` when they were placed as
 * orders, `unfilled` if the order ended without a trade, otherwise the reason why they could not be placed.
 */
export const EXIT_STATUSES = [
  ...(['waiting', 'placed', 'unfilled'] as const),
  ...(['balanceShort', 'tooSmall', 'tooMany', 'pairClosed', 'noLiquidity'] as const),
] as const;

/** Values of an order's field `status`; 4 means that the order was cancelled after a partial fill. */
export const ORDER_STATUS = {
  open: 0,
  partlyFilled: 1,
  filled: 2,
  cancelled: 3,
  partlyCancelled: 4,
  rejected: 5,
} as const;

export const spotBasics = endpoint({
  path: '/bibi/getBasic',
  summary: 'The pairs with their precisions, limits, fees, status and source of liquidity.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { baseCoin: z.optional(coin), quoteCoin: z.optional(coin) },
  data: z.array(
    z.object({
      symbol: z.string(),
      baseCoin: z.string(),
      quoteCoin: z.string(),
      logo: z.string(),
      pricePrecision: z.int(),
      amountPrecision: z.int(),
      tickSize: decimalText,
      stepSize: decimalText,
      minAmount: decimalText,
      maxAmount: decimalText,
      minTotal: decimalText,
      priceBand: decimalText,
      marketGuard: decimalText,
      maxOpenOrders: z.int(),
      maxStopOrders: z.int(),
      /**
       * Minimum distance of a trailing stop as a fraction: `0.001` is the distance that an order has with
       * `trailPct` 0.1; `maxTrail` is the maximum.
       */
      minTrail: decimalText,
      maxTrail: decimalText,
      /** Maximum time from placement to expiry of a GTT order, in milliseconds. */
      maxLifetimeMs: z.int(),
      selfTradeModes: z.array(z.enum(SELF_TRADE_MODES)),
      makerFee: decimalText,
      takerFee: decimalText,
      /** Values of `orderType` that the pair accepts; `oco` is the OCO of `/bibi/createOco`. */
      orderTypes: z.array(z.enum(OFFERED_ORDER_TYPES)),
      timesInForce: z.array(z.enum(TIMES_IN_FORCE)),
      status: z.enum(['open', 'cancelOnly', 'closed']),
      source: z.enum(['own', 'mirrored', 'simulated']),
      /** Why the pair does not trade; absent while the pair trades. */
      pause: z.optional(tradingPause),
    }),
  ),
});

export const balance = z.object({
  currencyName: z.string(),
  currency: z.string(),
  logo: z.string(),
  availableCurrency: decimalText,
  frozenCurrency: decimalText,
  /** Price of the coin in USDT; `0` if the price is unknown, and `total` is then 0. */
  price: decimalText,
  /** Value in USDT of the available and the frozen amount together. */
  total: decimalText,
  status: z.int(),
});

export const spotAssets = endpoint({
  path: '/bibi/getAssets',
  summary: 'The coin account: available and frozen amounts of each coin, and their value in USDT.',
  access: USER,
  charge: signedInRead(),
  fields: { currency: z.optional(coin), tradeType: z.optional(tradeType), ...pagingFields },
  data: z.extend(pageOf(balance), { total: decimalText }),
});

export const spotMovements = endpoint({
  path: '/bibi/getAssetsRecord',
  summary: 'Movements of the coin account, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    currency: z.optional(coin),
    type: z.optional(z.string().check(z.maxLength(40))),
    ...pagingFields,
    ...periodFields,
  },
  data: pageOf(
    z.object({
      id: z.string(),
      currency: z.string(),
      type: z.string(),
      amount: decimalText,
      balance: decimalText,
      refType: z.string(),
      refId: z.string(),
      createTime: instantMs,
      remark: z.string(),
    }),
  ),
});

export const orderShape = z.object({
  id: z.string(),
  clientId: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  tradeType: z.union([z.literal(1), z.literal(2)]),
  orderType: z.enum(ORDER_TYPES),
  timeInForce: z.enum(TIMES_IN_FORCE),
  postOnly: flagNumber,
  /** Limit price of the order in the quote coin; empty for an order without one. */
  price: z.string(),
  /** Trigger price of a stop; for a trailing stop its present trigger price. Empty for an order without a trigger. */
  stopPrice: z.string(),
  /**
   * Condition that triggers the order: `gte` if the last price is at least `stopPrice`, `lte` if it is at most
   * `stopPrice`. Empty for an order without a trigger.
   */
  direction: z.enum(['', ...STOP_DIRECTIONS]),
  /** Distance of a trailing stop in percent (`5` is 5 %); empty for other orders. */
  trailPct: z.string(),
  /**
   * Price at which a trailing stop begins to follow the market price; empty if it begins immediately, and for other
   * orders.
   */
  activationPrice: z.string(),
  /**
   * Time in milliseconds UTC at which the trailing stop reached its activation price; 0 before that, and for
   * an order without such a price.
   */
  activatedTime: z.int(),
  /** `waiting` until the order is triggered, then `triggered`; empty for an order without a trigger. */
  stopStatus: z.enum(['', 'waiting', 'triggered']),
  /** Time in milliseconds UTC at which a GTT order expires; 0 for other orders. */
  expireTime: z.int(),
  /** ID that both legs of an OCO have; empty for other orders. */
  groupId: z.string(),
  /** Take-profit price of the order; `stopLossPrice` is its stop-loss price. Each is empty if the order has none. */
  takeProfitPrice: z.string(),
  stopLossPrice: z.string(),
  /** Limit price of the stop-loss; empty if the stop-loss is executed as a market order, and without a stop-loss. */
  stopLossLimitPrice: z.string(),
  /** State of take-profit and stop-loss, a value of `EXIT_STATUSES`; empty for an order without either. */
  exitStatus: z.enum(['', ...EXIT_STATUSES]),
  /** ID of the entry order, if this order was placed as its take-profit or stop-loss; otherwise empty. */
  entryId: z.string(),
  /** ID that all orders of an OTO or OTOCO have, which only programs can place; empty for other orders. */
  listId: z.string(),
  /**
   * Role in an OTO or OTOCO: `working`, `pending` (waits until the working order is filled and reserves nothing until
   * then) or `released` (was placed after that); empty for other orders.
   */
  listRole: z.enum(['', 'working', 'pending', 'released']),
  /**
   * Id of the running iceberg, chase order or grid to which this open order belongs; such an order can be cancelled but
   * not amended. Empty for all other orders, and after the order has ended.
   */
  parentId: z.string(),
  stp: z.enum(SELF_TRADE_MODES),
  /** Amount ordered, in the base coin; empty for an order sized by total. */
  amount: z.string(),
  /** Total ordered, in the quote coin; empty for an order sized by amount. */
  total: z.string(),
  filledAmount: decimalText,
  filledTotal: decimalText,
  /** Amount that self-trade prevention (`decrement`) has removed from the order without a trade, in the base coin. */
  cancelledAmount: decimalText,
  avgPrice: z.string(),
  fee: decimalText,
  feeCoin: z.string(),
  status: z.int(),
  reason: z.string(),
  createTime: instantMs,
  updateTime: instantMs,
});

export const createOrder = endpoint({
  path: '/bibi/createOrder',
  summary:
    'Places an order: limit (price and amount), market (amount in the base coin or total in the quote coin), or an order that waits until the last price reaches `stopPrice` (`trailing`: until it reverses by `trailPct` percent, measured from `activationPrice` on if given). A GTT order expires at `expireTime` (milliseconds). A limit or market order can have `takeProfitPrice` and `stopLossPrice`: when it ends, the bought amount is sold at one of these prices, and the execution of one exit cancels the other. The proceeds of a sale buy back likewise, at most the sold amount, with the prices on the opposite sides of the entry. The answer is sent after the commit.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    baseCoin: coin,
    quoteCoin: coin,
    tradeType,
    orderType: z._default(z.enum(ORDER_TYPES, 'l.field_choice'), 'limit'),
    price: z.optional(positiveDecimal),
    amount: z.optional(positiveDecimal),
    total: z.optional(positiveDecimal),
    timeInForce: z.optional(z.enum(TIMES_IN_FORCE, 'l.field_choice')),
    expireTime: z.optional(whole(0, 8_640_000_000_000_000)),
    postOnly: z.optional(flag),
    stopPrice: z.optional(positiveDecimal),
    direction: z.optional(z.enum(STOP_DIRECTIONS, 'l.field_choice')),
    /**
     * Distance of a trailing stop in percent, with at most two decimals: `5` is 5 %. Mandatory for a trailing
     * stop.
     */
    trailPct: z.optional(positiveDecimal),
    activationPrice: z.optional(positiveDecimal),
    /**
     * Take-profit price of a limit or market order. When the order has ended after a trade, a limit order on the
     * opposite side is placed at this price.
     */
    takeProfitPrice: z.optional(positiveDecimal),
    /**
     * Stop-loss price of a limit or market order. When the order has ended after a trade, a stop on the opposite side
     * is placed. It triggers at this price, and is executed as a market order or, if given, at the limit price
     * `stopLossLimitPrice`.
     */
    stopLossPrice: z.optional(positiveDecimal),
    stopLossLimitPrice: z.optional(positiveDecimal),
    stp: z.optional(z.enum(SELF_TRADE_MODES, 'l.field_choice')),
  },
  data: orderShape,
});

export const createOco = endpoint({
  path: '/bibi/createOco',
  summary:
    'Places two orders that cancel each other: a limit order at `limitPrice` and a stop at `stopPrice`, which executes at market or, with `stopLimitPrice`, at that limit. One price must be above the market and one below. Funds are held once, for the more expensive leg.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    baseCoin: coin,
    quoteCoin: coin,
    tradeType,
    amount: positiveDecimal,
    limitPrice: positiveDecimal,
    stopPrice: positiveDecimal,
    stopLimitPrice: z.optional(positiveDecimal),
    stp: z.optional(z.enum(SELF_TRADE_MODES, 'l.field_choice')),
  },
  data: z.object({ groupId: z.string(), ids: z.array(z.string()), orders: z.array(orderShape) }),
});

export const amendOrder = endpoint({
  path: '/bibi/amendOrder',
  summary:
    'Amends an open order in one step: its price or amount (including the filled part), and the stop price of a waiting order. On the book a lower amount keeps the order’s place in the queue; a different price or a higher amount moves it to the back. The exits of a limit order can be added or changed, alone or together with these fields: an omitted exit stays, `0` removes it, and the place in the queue does not change. A leg of an OCO has its own price; the amount applies to both legs. For a trailing stop only the amount can change. The id stays.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    id,
    price: z.optional(positiveDecimal),
    amount: z.optional(positiveDecimal),
    stopPrice: z.optional(positiveDecimal),
    takeProfitPrice: z.optional(decimalOrNone),
    /**
     * New stop-loss price; `0` removes the stop-loss and its limit price. If absent, the present stop-loss
     * stays.
     */
    stopLossPrice: z.optional(decimalOrNone),
    stopLossLimitPrice: z.optional(decimalOrNone),
  },
  data: orderShape,
});

export const cancelOrder = endpoint({
  path: '/bibi/cancelOrder',
  summary: 'Cancels an open order by `id`, or by the `clientId` with which it was placed.',
  access: USER,
  charge: order,
  fields: { id: z.optional(id), clientId: z.optional(z.string().check(z.maxLength(36))) },
  data: orderShape,
});

export const cancelAllOrders = endpoint({
  path: '/bibi/cancelAll',
  summary:
    'Cancels all open orders and ends all running TWAP orders, optionally only those of one pair or one side.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: { baseCoin: z.optional(coin), quoteCoin: z.optional(coin), tradeType: z.optional(tradeType) },
  data: z.object({
    /** Number of cancelled orders; the two legs of an OCO count as two. */
    count: z.int(),
    /**
     * Number of cancelled entries of the list of open orders, in which an order list (such as an OCO) is one entry,
     * plus the number of ended TWAP orders. Absent in a repeated response if the stored response lacks it.
     */
    entries: z.optional(z.int()),
  }),
});

/**
 * Filters of orders, and of fills by properties of their orders. `entryStatus`: 0 open, 1 completely filled, 2
 * cancelled, also after a partial fill.
 */
export const orderFilters = {
  baseCoin: z.optional(coin),
  quoteCoin: z.optional(coin),
  tradeType: z.optional(tradeType),
  orderType: z.optional(z.enum(ORDER_TYPES, 'l.field_choice')),
  entryStatus: z.optional(z.enum(['0', '1', '2'], 'l.field_choice')),
};

export const orderRecords = endpoint({
  path: '/bibi/getOrderRecord',
  summary: 'Orders, newest first. `entryStatus`: 0 unfinished, 1 finished, 2 cancelled; all when absent.',
  access: USER,
  charge: signedInRead(2),
  fields: { ...orderFilters, ...pagingFields, ...periodFields },
  data: pageOf(orderShape),
});

const fill = z.object({
  tradeId: z.string(),
  price: decimalText,
  amount: decimalText,
  total: decimalText,
  fee: decimalText,
  feeCoin: z.string(),
  role: z.enum(['maker', 'taker']),
  ts: instantMs,
});

export const orderDetail = endpoint({
  path: '/bibi/getOrderDetail',
  summary: 'One of the caller’s orders with its fills.',
  access: USER,
  charge: signedInRead(),
  fields: { id },
  data: z.object({
    ...orderShape.shape,
    makerRate: decimalText,
    takerRate: decimalText,
    /**
     * Time in milliseconds UTC at which the order was triggered; 0 before that, and for an order without a
     * trigger.
     */
    triggerTime: z.int(),
    /** Fills of the order, newest first; only the newest 500. */
    fills: z.array(fill),
    /** Number of all fills of the order; `/bibi/getDealRecord` returns them page by page. */
    fillCount: z.int(),
    /** Number of all amendments of the order. */
    amendmentCount: z.int(),
    /** Amendments of the order, oldest first; only the newest 200. A field that the order does not have is empty. */
    amendments: z.array(
      z.object({
        time: instantMs,
        price: z.string(),
        amount: z.string(),
        stopPrice: z.string(),
        takeProfitPrice: z.string(),
        stopLossPrice: z.string(),
        stopLossLimitPrice: z.string(),
        priceBefore: z.string(),
        amountBefore: z.string(),
        stopPriceBefore: z.string(),
        takeProfitPriceBefore: z.string(),
        stopLossPriceBefore: z.string(),
        stopLossLimitPriceBefore: z.string(),
      }),
    ),
  }),
});

export const fillShape = z.object({
  ...fill.shape,
  orderId: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  tradeType: z.union([z.literal(1), z.literal(2)]),
});

export const fillRecords = endpoint({
  path: '/bibi/getDealRecord',
  summary:
    'The caller’s fills, newest first. `orderType` and `entryStatus` are those of the caller’s filled order.',
  access: USER,
  charge: signedInRead(2),
  fields: { ...orderFilters, ...pagingFields, ...periodFields },
  data: pageOf(fillShape),
});

export const feeTiers = endpoint({
  path: '/bibi/getFeeTiers',
  summary: 'All fee tiers of spot trading, lowest first, with the required 30-day volume and the rates.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        tier: z.int(),
        /** Minimum trading volume in the last 30 days for this fee tier, in USDT. */
        volume: decimalText,
        /** Fee rate of makers as a fraction: 0.001 is 0.1 %. `taker` is that of takers. */
        maker: decimalText,
        taker: decimalText,
      }),
    ),
  }),
});

export const feeRates = endpoint({
  path: '/bibi/getFee',
  summary: 'The caller’s fee tier: rates, 30-day volume in USDT and the next tier.',
  access: USER,
  charge: signedInRead(),
  fields: { symbol: z.optional(symbol) },
  data: z.object({
    tier: z.int(),
    maker: decimalText,
    taker: decimalText,
    volume30d: decimalText,
    next: z.optional(z.object({ volume: decimalText, maker: decimalText, taker: decimalText })),
  }),
});
