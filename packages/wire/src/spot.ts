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
/**
 * Order types that a pair can offer: those of `/bibi/createOrder`, and `oco`, which has its own
 * endpoint.
 */
export const OFFERED_ORDER_TYPES = [...ORDER_TYPES, 'oco'] as const;
export const TIMES_IN_FORCE = ['GTC', 'GTT', 'IOC', 'FOK'] as const;
export const SELF_TRADE_MODES = ['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement'] as const;
export const STOP_DIRECTIONS = ['gte', 'lte'] as const;
/**
 * State of an order's take-profit and stop-loss: `waiting` while the order is open, `placed` as orders,
 * `unfilled` if the order did not trade, or the reason why they could not be placed.
 */
export const EXIT_STATUSES = [
  ...(['waiting', 'placed', 'unfilled'] as const),
  ...(['balanceShort', 'tooSmall', 'tooMany', 'pairClosed', 'noLiquidity'] as const),
] as const;

/**
 * `status` of an order: 0 open, 1 partly filled, 2 filled, 3 cancelled, 4 partly filled then cancelled, 5
 * rejected.
 */
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
      /** Smallest and greatest distance of a trailing stop, as fractions. */
      minTrail: decimalText,
      maxTrail: decimalText,
      /** Greatest time until the expiry of a GTT order, in milliseconds. */
      maxLifetimeMs: z.int(),
      selfTradeModes: z.array(z.enum(SELF_TRADE_MODES)),
      makerFee: decimalText,
      takerFee: decimalText,
      /** Possible values of `orderType`; `oco` stands for `/bibi/createOco`. */
      orderTypes: z.array(z.enum(OFFERED_ORDER_TYPES)),
      timesInForce: z.array(z.enum(TIMES_IN_FORCE)),
      status: z.enum(['open', 'cancelOnly', 'closed']),
      source: z.enum(['own', 'mirrored', 'simulated']),
      /** Why the pair does not trade; absent while it does. */
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
  /** Price of the coin in USDT; `0` if unknown. */
  price: decimalText,
  /** Value of the balance in USDT. */
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
  /** Limit price; empty for market orders. */
  price: z.string(),
  /** Trigger price of a stop; for a trailing stop its current trigger price. Empty without a stop. */
  stopPrice: z.string(),
  /**
   * Trigger condition: last price at or above `stopPrice` (`gte`), or at or below it (`lte`); empty without a
   * stop.
   */
  direction: z.enum(['', ...STOP_DIRECTIONS]),
  /** Distance of a trailing stop in percent (`5` is 5 %); otherwise empty. */
  trailPct: z.string(),
  /** Price from which a trailing stop follows; empty if it follows from the start, and for other orders. */
  activationPrice: z.string(),
  /** Time of the activation; 0 before it, and without an activation price. */
  activatedTime: z.int(),
  /** `triggered` once a stop was triggered, before that `waiting`; empty without a stop. */
  stopStatus: z.enum(['', 'waiting', 'triggered']),
  /** Expiry of a GTT order; 0 for other orders. */
  expireTime: z.int(),
  /** Common id of both legs of an OCO; otherwise empty. */
  groupId: z.string(),
  /** Take-profit and stop-loss prices attached to a limit or market order; empty if not set. */
  takeProfitPrice: z.string(),
  stopLossPrice: z.string(),
  /** Limit price of the stop-loss; empty if it executes at market. */
  stopLossLimitPrice: z.string(),
  /** State of take-profit and stop-loss, see `EXIT_STATUSES`; empty for an order without them. */
  exitStatus: z.enum(['', ...EXIT_STATUSES]),
  /** For an order placed as take-profit or stop-loss: id of the entry order; otherwise empty. */
  entryId: z.string(),
  /** Common id of the orders of an OTO or OTOCO, which programs place; otherwise empty. */
  listId: z.string(),
  /**
   * Role in the OTO or OTOCO: the working order, an order that waits for it and reserves nothing (`pending`),
   * or one that was placed after it (`released`); otherwise empty.
   */
  listRole: z.enum(['', 'working', 'pending', 'released']),
  /**
   * Id of the running iceberg or chase order to which this open order belongs; such an order can be cancelled but not
   * amended. Empty for all other orders, and after the order has ended.
   */
  parentId: z.string(),
  stp: z.enum(SELF_TRADE_MODES),
  /** Ordered amount in the base coin; empty for an order by total. */
  amount: z.string(),
  /** Ordered total in the quote coin; empty for an order by amount. */
  total: z.string(),
  filledAmount: decimalText,
  filledTotal: decimalText,
  /** Amount removed by self-trade prevention (`decrement`) without a trade, in the base coin. */
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
    /** Distance of a trailing stop in percent, with at most two decimals: `5` is 5 %. */
    trailPct: z.optional(positiveDecimal),
    activationPrice: z.optional(positiveDecimal),
    /**
     * Take-profit price of a limit or market order: when the order has traded and ended, a limit order of the
     * opposite side is placed at this price.
     */
    takeProfitPrice: z.optional(positiveDecimal),
    /**
     * Stop-loss price of a limit or market order: when the order has traded and ended, a stop of the opposite
     * side is placed. It triggers at this price and executes at market, or at `stopLossLimitPrice` if given.
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
    /** New stop-loss price; `0` removes the stop-loss and its limit price. */
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
  summary: 'Cancels all open orders, optionally only those of one pair or one side.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: { baseCoin: z.optional(coin), quoteCoin: z.optional(coin), tradeType: z.optional(tradeType) },
  data: z.object({
    /** Number of cancelled orders; both legs of an OCO count. */
    count: z.int(),
    /**
     * Number of cancelled list entries, where an OCO counts once; absent in answers that were stored before
     * this field existed.
     */
    entries: z.optional(z.int()),
  }),
});

/** Filters of orders, and of fills by their orders. `entryStatus`: 0 unfinished, 1 finished, 2 cancelled. */
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
    /** Time at which a stop was triggered; 0 before that, and for orders without a stop. */
    triggerTime: z.int(),
    /** Fills of the order, at most the newest 500, newest first. */
    fills: z.array(fill),
    /** Number of all fills of the order; `/bibi/getDealRecord` pages through them. */
    fillCount: z.int(),
    /** Number of all amendments of the order. */
    amendmentCount: z.int(),
    /** The newest 200 amendments, oldest first; fields that the order does not have are empty. */
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
        /** Least trading volume of the last 30 days for the fee tier, in USDT. */
        volume: decimalText,
        /** Fee rates as fractions: 0.001 is 0.1 %. */
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
