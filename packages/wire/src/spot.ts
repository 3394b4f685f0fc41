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
/** What a pair offers: the types of `/bibi/createOrder`, and `oco`, which has a call of its own. */
export const OFFERED_ORDER_TYPES = [...ORDER_TYPES, 'oco'] as const;
export const TIMES_IN_FORCE = ['GTC', 'GTT', 'IOC', 'FOK'] as const;
export const SELF_TRADE_MODES = ['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement'] as const;
export const STOP_DIRECTIONS = ['gte', 'lte'] as const;
/**
 * What became of the take-profit and stop-loss of an order: `waiting` while it is open, `placed` as orders, `unfilled`
 * when it traded nothing; or why they could not be placed.
 */
export const EXIT_STATUSES = [
  ...(['waiting', 'placed', 'unfilled'] as const),
  ...(['balanceShort', 'tooSmall', 'tooMany', 'pairClosed', 'noLiquidity'] as const),
] as const;

/** `status` of an order: 0 open, 1 partly filled, 2 filled, 3 cancelled, 4 partly filled then cancelled, 5 rejected. */
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
      /** How far ahead a GTT order may expire, in milliseconds. */
      maxLifetimeMs: z.int(),
      selfTradeModes: z.array(z.enum(SELF_TRADE_MODES)),
      makerFee: decimalText,
      takerFee: decimalText,
      /** What `orderType` may be; `oco` stands for `/bibi/createOco`. */
      orderTypes: z.array(z.enum(OFFERED_ORDER_TYPES)),
      timesInForce: z.array(z.enum(TIMES_IN_FORCE)),
      status: z.enum(['open', 'cancelOnly', 'closed']),
      source: z.enum(['own', 'mirrored', 'simulated']),
    }),
  ),
});

export const balance = z.object({
  currencyName: z.string(),
  currency: z.string(),
  logo: z.string(),
  availableCurrency: decimalText,
  frozenCurrency: decimalText,
  /** In USDT; `0` where there is none. */
  price: decimalText,
  /** In USDT. */
  total: decimalText,
  status: z.int(),
});

export const spotAssets = endpoint({
  path: '/bibi/getAssets',
  summary: 'The coin account: what is available and frozen of every coin, and its value in USDT.',
  access: USER,
  charge: signedInRead(),
  fields: { currency: z.optional(coin), tradeType: z.optional(tradeType), ...pagingFields },
  data: z.extend(pageOf(balance), { total: decimalText }),
});

export const spotMovements = endpoint({
  path: '/bibi/getAssetsRecord',
  summary: 'What moved on the coin account, newest first.',
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
  /** Empty for market orders. */
  price: z.string(),
  /** Where a stop triggers; of a trailing stop, where it would now. Empty without a stop. */
  stopPrice: z.string(),
  /** Which way the last price must go through `stopPrice`; empty without a stop. */
  direction: z.enum(['', ...STOP_DIRECTIONS]),
  /** A trailing stop's distance in percent (`5` is 5 %); else empty. */
  trailPct: z.string(),
  /** Where a trailing stop begins to follow; empty for one that follows from the start, and for other orders. */
  activationPrice: z.string(),
  /** When it began to; 0 until then, and without an activation price. */
  activatedTime: z.int(),
  /** Whether a stop still waits or has become an order on the book; empty without a stop. */
  stopStatus: z.enum(['', 'waiting', 'triggered']),
  /** When a GTT order ends by itself; 0 when it does not. */
  expireTime: z.int(),
  /** The same for both legs of an OCO; else empty. */
  groupId: z.string(),
  /** The prices of the exits attached to a limit or market order; empty without them. */
  takeProfitPrice: z.string(),
  stopLossPrice: z.string(),
  /** The limit of the stop-loss; empty where it trades at the market. */
  stopLossLimitPrice: z.string(),
  /** What became of them: see `EXIT_STATUSES`; empty for an order without. */
  exitStatus: z.enum(['', ...EXIT_STATUSES]),
  /** Of an order that was placed as take-profit or stop-loss of another: the id of that one; else empty. */
  entryId: z.string(),
  stp: z.enum(SELF_TRADE_MODES),
  /** Empty where the order is by total. */
  amount: z.string(),
  /** Empty where the order is by amount. */
  total: z.string(),
  filledAmount: decimalText,
  filledTotal: decimalText,
  /** What self-trade prevention (`decrement`) took off without a trade, in the base coin. */
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
    'Places an order: limit (price and amount), market (amount in the base coin or total in the quote coin), or one that waits for the last price to go through `stopPrice` (`trailing`: to turn by `trailPct` percent, from `activationPrice` on where it is given). A GTT order ends at `expireTime` (milliseconds). A limit or market order may carry `takeProfitPrice` and `stopLossPrice`: when it ends, what it has bought is sold at the one or the other, of which each cancels the other; what a sale has brought buys back likewise, at most the amount that was sold, with prices on the other sides of the entry. Answered after the commit.',
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
    /** In percent, at most two decimals: `5` is 5 %. */
    trailPct: z.optional(positiveDecimal),
    activationPrice: z.optional(positiveDecimal),
    /** Attached to a limit or market order: when it ends, an order of the other side is placed at this price. */
    takeProfitPrice: z.optional(positiveDecimal),
    /** And one that trades once the last price reaches this one: at the market or, with `stopLossLimitPrice`, at that limit. */
    stopLossPrice: z.optional(positiveDecimal),
    stopLossLimitPrice: z.optional(positiveDecimal),
    stp: z.optional(z.enum(SELF_TRADE_MODES, 'l.field_choice')),
  },
  data: orderShape,
});

export const createOco = endpoint({
  path: '/bibi/createOco',
  summary:
    'Places two orders of which one cancels the other: a limit order at `limitPrice` and a stop at `stopPrice`, at market or, with `stopLimitPrice`, at that limit. One lies above the market and one below. Funds are held once, for the dearer leg.',
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
    'Changes an open order in one step: the price or the amount (filled part included), and of one that waits the stop price too. On the book a lower amount keeps its place in the queue, another price or a higher amount goes to the back. A limit order takes other exits, alone or with these, or its first ones: what is left out stays, `0` takes away, and its place in the queue stays. A leg of an OCO takes its own price; the amount is that of both legs. Of a trailing stop only the amount changes. The id stays.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    id,
    price: z.optional(positiveDecimal),
    amount: z.optional(positiveDecimal),
    stopPrice: z.optional(positiveDecimal),
    takeProfitPrice: z.optional(decimalOrNone),
    /** Without a stop-loss there is no limit of it, either. */
    stopLossPrice: z.optional(decimalOrNone),
    stopLossLimitPrice: z.optional(decimalOrNone),
  },
  data: orderShape,
});

export const cancelOrder = endpoint({
  path: '/bibi/cancelOrder',
  summary: 'Cancels an open order by `id`, or by the `clientId` it was placed with.',
  access: USER,
  charge: order,
  fields: { id: z.optional(id), clientId: z.optional(z.string().check(z.maxLength(36))) },
  data: orderShape,
});

export const cancelAllOrders = endpoint({
  path: '/bibi/cancelAll',
  summary: 'Cancels all open orders, of one pair or one side when named.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: { baseCoin: z.optional(coin), quoteCoin: z.optional(coin), tradeType: z.optional(tradeType) },
  data: z.object({
    /** Orders that were cancelled: each leg of an OCO is one. */
    count: z.int(),
    /** The same as lists show them, both legs of an OCO as one; absent in answers that were stored before it was counted. */
    entries: z.optional(z.int()),
  }),
});

/** Which orders, or fills of which orders. `entryStatus`: 0 unfinished, 1 finished, 2 cancelled. */
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
  summary: 'One of the own orders with its fills.',
  access: USER,
  charge: signedInRead(),
  fields: { id },
  data: z.object({
    ...orderShape.shape,
    makerRate: decimalText,
    takerRate: decimalText,
    /** When a stop became an order on the book; 0 when it has not. */
    triggerTime: z.int(),
    /** The newest 500, newest first. */
    fills: z.array(fill),
    /** How many fills the order has in all; `/bibi/getDealRecord` pages through them. */
    fillCount: z.int(),
    /** How many amendments the order has in all. */
    amendmentCount: z.int(),
    /** The newest 200, oldest first; what an order does not have is empty. */
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
    'Own fills, newest first. `orderType` and `entryStatus` are those of the own order that was filled.',
  access: USER,
  charge: signedInRead(2),
  fields: { ...orderFilters, ...pagingFields, ...periodFields },
  data: pageOf(fillShape),
});

export const feeTiers = endpoint({
  path: '/bibi/getFeeTiers',
  summary:
    'Every fee tier of spot trading, the lowest first: the 30-day volume that reaches it and its rates.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        tier: z.int(),
        /** USDT traded in the last 30 days. */
        volume: decimalText,
        /** Fractions: 0.001 is 0.1 %. */
        maker: decimalText,
        taker: decimalText,
      }),
    ),
  }),
});

export const feeRates = endpoint({
  path: '/bibi/getFee',
  summary: 'The own fee tier: rates, 30-day volume in USDT and the next tier.',
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
