import * as z from 'zod/mini';
import {
  coin,
  decimalText,
  flag,
  flagNumber,
  id,
  instantMs,
  positiveDecimal,
  symbol,
  tradeType,
} from './codecs.ts';
import { ANYONE, endpoint, USER, publicRead, signedInRead, type Charge } from './endpoint.ts';
import { pageOf, pagingFields, periodFields } from './paging.ts';

const order: Charge = { limit: 'order', weight: 1 };

export const ORDER_TYPES = ['limit', 'market'] as const;
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;
export const SELF_TRADE_MODES = ['cancelTaker', 'cancelMaker', 'cancelBoth'] as const;

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
      makerFee: decimalText,
      takerFee: decimalText,
      orderTypes: z.array(z.string()),
      timesInForce: z.array(z.string()),
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
  data: z.object({ list: z.array(balance), total: decimalText }),
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
  stopPrice: z.string(),
  /** Empty where the order is by total. */
  amount: z.string(),
  /** Empty where the order is by amount. */
  total: z.string(),
  filledAmount: decimalText,
  filledTotal: decimalText,
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
    'Places a limit order (price and amount) or a market order (amount in the base coin or total in the quote coin). Answered after the commit.',
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
    postOnly: z.optional(flag),
    stp: z.optional(z.enum(SELF_TRADE_MODES, 'l.field_choice')),
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
  data: z.object({ count: z.int() }),
});

const orderFilters = {
  baseCoin: z.optional(coin),
  quoteCoin: z.optional(coin),
  tradeType: z.optional(tradeType),
  orderType: z.optional(z.enum(ORDER_TYPES, 'l.field_choice')),
  ...pagingFields,
  ...periodFields,
};

export const orderRecords = endpoint({
  path: '/bibi/getOrderRecord',
  summary: 'Orders, newest first. `entryStatus`: 0 unfinished, 1 finished, 2 cancelled; all when absent.',
  access: USER,
  charge: signedInRead(2),
  fields: { entryStatus: z.optional(z.enum(['0', '1', '2'], 'l.field_choice')), ...orderFilters },
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
  data: z.object({ ...orderShape.shape, fills: z.array(fill) }),
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
  summary: 'Own fills, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: orderFilters,
  data: pageOf(fillShape),
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
