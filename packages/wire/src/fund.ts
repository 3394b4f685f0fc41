import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import * as z from 'zod/mini';
import { decimalText, flagNumber, id, instantMs, positiveDecimal, termsShown, whole } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';
import { tradePasswordField } from './step-up.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };
const order: Charge = { limit: 'order', weight: 1 };

/** `status` of a fund: 1 open, 2 no new purchases, 3 closed. */
export const FUND_STATUS = { open: 1, stopped: 2, closed: 3 } as const;
/** `status` of a record: 0 waits for the next unit value, 1 holding, 2 sold, 3 liquidated, 4 exited. */
export const HOLDING_STATUS = { pending: 0, holding: 1, sold: 2, liquidated: 3, exited: 4 } as const;
/** `sellType`: 1 at the next unit value, 2 at the first that is at least the price asked. */
const SELL_TYPE = { market: 1, limit: 2 } as const;
const sellType = z.union([z.literal(SELL_TYPE.market), z.literal(SELL_TYPE.limit)]);
export const FUND_CANDLES_MAX = 300;

const leverage = whole(1, 5);
const status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);

export const fundRow = z.object({
  id: z.string(),
  code: z.string(),
  /** In the caller's language. */
  name: z.string(),
  currency: z.string(),
  /** Digits of amounts in the currency. */
  digits: z.int(),
  /** The latest unit value and its second; absent while an index is missing. */
  nav: z.optional(decimalText),
  navTime: z.optional(instantMs),
  /** 1 while the index of a constituent rests on two sources only: nothing is dealt. */
  degraded: flagNumber,
  /** A fraction: 0.01 is 1 %. */
  change24h: z.optional(decimalText),
  /** Unit values of the last 24 hours, hourly, oldest first. */
  spark: z.array(decimalText),
  leverages: z.array(z.int()),
  /** The least margin of one purchase, and the least part of a unit. */
  minAmount: decimalText,
  step: decimalText,
  /** Fractions per day: of the notional, and of the borrowed part. */
  manageRate: decimalText,
  financeRate: decimalText,
  /** The least equity as a fraction of the notional; the fee of a liquidation, of the notional. */
  mmr: decimalText,
  liqFee: decimalText,
  status: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** How much more notional the house can cover: 0 means nobody can buy. */
  coverable: decimalText,
  /** What a basket holds: so much of each indexed pair, and its present share of the value (a fraction). */
  composition: z.array(
    z.object({ symbol: z.string(), coin: z.string(), weight: decimalText, share: z.optional(decimalText) }),
  ),
  divisor: decimalText,
  version: z.int(),
});

export const fundList = endpoint({
  path: '/fund/getList',
  summary: 'The leveraged funds: unit value now and over 24 hours, composition, leverages and costs.',
  access: ANYONE,
  charge: publicRead(2),
  fields: pagingFields,
  data: pageOf(fundRow),
});

export const fundDetail = endpoint({
  path: '/fund/getDetail',
  summary: 'A fund with its documents, and what the insurance pool of its currency holds.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { id },
  data: z.extend(fundRow, {
    insurance: decimalText,
    documents: z.array(z.object({ title: z.string(), text: z.string() })),
  }),
});

export const fundNav = endpoint({
  path: '/fund/getNav',
  summary:
    'Candles of a fund’s unit value, oldest first; at most 300. `endTime` (seconds) asks for earlier ones.',
  access: ANYONE,
  charge: publicRead(5),
  fields: {
    id,
    timer: z._default(z.enum(CANDLE_TIMERS, 'l.field_choice'), '1min'),
    size: z._default(whole(1, FUND_CANDLES_MAX), 150),
    endTime: z.optional(whole(0, 9_999_999_999)),
  },
  data: z.array(
    z.object({
      /** Opening time in seconds. */
      id: z.int(),
      open: decimalText,
      high: decimalText,
      low: decimalText,
      close: decimalText,
    }),
  ),
});

const amounts = { margin: positiveDecimal, leverage };

export const previewFund = endpoint({
  path: '/fund/preview',
  summary: 'What a margin would buy at the present unit value, and where it would be liquidated.',
  access: USER,
  charge: signedInRead(1),
  fields: { id, ...amounts },
  data: z.object({
    nav: decimalText,
    quantity: decimalText,
    usedMargin: decimalText,
    notional: decimalText,
    /** Absent at leverage 1. */
    liqPrice: z.optional(decimalText),
    dailyCost: decimalText,
  }),
});

export const buyFund = endpoint({
  path: '/fund/buy',
  summary: 'Buys units with a margin at the first unit value after acceptance; what is not needed returns.',
  access: { who: 'user', verified: true, tradePassword: true },
  charge: transfer,
  idempotent: true,
  fields: { id, ...amounts, ...termsShown, ...tradePasswordField },
  data: z.object({ orderId: z.string(), acceptTime: instantMs, navTime: instantMs }),
});

export const fundRecord = z.object({
  id: z.string(),
  fundId: z.string(),
  name: z.string(),
  currency: z.string(),
  digits: z.int(),
  /** Absent while it waits for its unit value. */
  buyPrice: z.optional(decimalText),
  quantity: decimalText,
  /** Units that are not in an order to sell. */
  free: decimalText,
  step: decimalText,
  leverage: z.int(),
  margin: decimalText,
  mmr: decimalText,
  /** The latest unit value; of what is over, that at which it ended. */
  marketPrice: z.optional(decimalText),
  liqPrice: z.optional(decimalText),
  marginRatio: z.optional(decimalText),
  profit: decimalText,
  /** Paid so far for management and financing. */
  cost: decimalText,
  salePrice: z.optional(decimalText),
  sellType: z.optional(sellType),
  /** Of what is over: what came back, and the fee of a liquidation. */
  payout: z.optional(decimalText),
  fee: z.optional(decimalText),
  status,
  openTime: instantMs,
  closeTime: z.optional(instantMs),
  /** The second of the tape that it was bought at and that it ended at. */
  openSecond: z.optional(instantMs),
  closeSecond: z.optional(instantMs),
  /** Orders to sell that wait. */
  sells: z.array(
    z.object({
      id: z.string(),
      quantity: decimalText,
      sellType,
      salePrice: z.optional(decimalText),
      createTime: instantMs,
    }),
  ),
});

export const fundRecords = endpoint({
  path: '/fund/getRecord',
  summary: 'The own holdings, newest first, and what those that are held come to.',
  access: USER,
  charge: signedInRead(2),
  fields: { status: z.optional(z.enum(['1', '2', '3', '4'], 'l.field_choice')), ...pagingFields },
  data: z.extend(pageOf(fundRecord), {
    /** Sums over everything that is held, in USDT at the index. `profit` is after costs; `equity` is margin plus profit. */
    totals: z.object({
      margin: decimalText,
      equity: decimalText,
      profit: decimalText,
      /**
       * The sums by fund that these follow from, in the fund's currency: at a unit value, profit is
       * quantity × value − cost − costs − lost, and at least −margin.
       */
      held: z.array(
        z.object({
          fundId: z.string(),
          /** USDT for one of the fund's currency. */
          rate: decimalText,
          margin: decimalText,
          quantity: decimalText,
          /** What the units cost. */
          cost: decimalText,
          /** Paid so far for management and financing. */
          costs: decimalText,
          /** Margins of positions that are worth nothing; the units of these are not in `quantity`. */
          lost: decimalText,
        }),
      ),
    }),
  }),
});

export const fundRecordDetail = endpoint({
  path: '/fund/getRecordDetail',
  summary: 'One of the own holdings.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: fundRecord,
});

export const sellFund = endpoint({
  path: '/fund/sell',
  summary: 'Sells units at the next unit value (1), or at the first that is at least `salePrice` (2).',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    id,
    quantity: positiveDecimal,
    sellType: z.enum(['1', '2'], 'l.field_choice'),
    salePrice: z.optional(positiveDecimal),
  },
  data: z.object({ sellId: z.string() }),
});

export const cancelFundSell = endpoint({
  path: '/fund/cancelSell',
  summary: 'Takes back an order to sell, by its id, or every one of a holding, by the holding’s.',
  access: USER,
  charge: order,
  fields: { id },
  data: z.object({ cancelled: z.int() }),
});

export const addFundMargin = endpoint({
  path: '/fund/addMargin',
  summary: 'Adds to the margin of a holding, which lowers the value at which it is liquidated.',
  access: { who: 'user', verified: true, tradePassword: true },
  charge: transfer,
  idempotent: true,
  fields: { id, amount: positiveDecimal, ...tradePasswordField },
  data: z.object({ margin: decimalText, liqPrice: z.optional(decimalText) }),
});

export const fundProof = endpoint({
  path: '/fund/getProof',
  summary:
    'What a holding ended by: its terms, the second, and the basket, without its owner; recompute it from the tape.',
  access: ANYONE,
  charge: publicRead(5),
  fields: { id },
  data: z.object({
    id: z.string(),
    status,
    leverage: z.int(),
    quantity: decimalText,
    buyPrice: decimalText,
    margin: decimalText,
    costs: decimalText,
    mmr: decimalText,
    threshold: z.optional(decimalText),
    /** Absent where it was entered with the demo's generated past, which no tape has. */
    openSecond: instantMs,
    closeSecond: z.optional(instantMs),
    closePrice: z.optional(decimalText),
    constituents: z.array(z.object({ symbol: z.string(), weight: decimalText })),
    divisor: decimalText,
  }),
});

/** `funds`: every second, each fund's unit value by its id; null where there is none. */
export interface FundValuesMessage {
  t: number;
  values: Record<string, string | null>;
}
/** `fund`: snapshot `[]`, then each own holding that changed. */
export type FundMessage = { id: string; fundId: string; status: number }[];
