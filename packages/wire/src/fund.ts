import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import * as z from 'zod/mini';
import {
  decimalText,
  flagNumber,
  id,
  instantMs,
  positiveDecimal,
  termsVersionField,
  whole,
} from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';
import { tradePasswordField } from './step-up.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };
const order: Charge = { limit: 'order', weight: 1 };

/** `status` of a fund: 1 open, 2 no new purchases, 3 closed. */
export const FUND_STATUS = { open: 1, stopped: 2, closed: 3 } as const;
/**
 * `status` of a fund position: 0 waiting for the next unit value, 1 open, 2 sold, 3 liquidated, 4 closed together with
 * the fund.
 */
export const HOLDING_STATUS = { pending: 0, holding: 1, sold: 2, liquidated: 3, exited: 4 } as const;
/** `sellType`: 1 sells at the next unit value; 2 sells at the first unit value that is at least the requested price. */
const SELL_TYPE = { market: 1, limit: 2 } as const;
const sellType = z.union([z.literal(SELL_TYPE.market), z.literal(SELL_TYPE.limit)]);
export const FUND_CANDLES_MAX = 300;

const leverage = whole(1, 5);
const status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);

export const fundRow = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  /** Number of decimals of amounts in the fund's currency. */
  digits: z.int(),
  /**
   * The latest unit value of the fund; `navTime` is the second of that value. Both are absent while an index price of
   * the basket is missing.
   */
  nav: z.optional(decimalText),
  navTime: z.optional(instantMs),
  /**
   * 1 while the index price of a constituent is from only two sources: the fund then executes no orders and liquidates
   * no positions. Otherwise 0.
   */
  degraded: flagNumber,
  /**
   * Change of the fund's unit value in the last 24 hours as a fraction (0.01 is 1 %); absent if either of the two
   * values is unknown.
   */
  change24h: z.optional(decimalText),
  /** Unit values of the fund in the last 24 hours, one per hour, oldest first. */
  spark: z.array(decimalText),
  leverages: z.array(z.int()),
  /**
   * Minimum margin of a purchase, in the fund's currency. The number of purchased or sold units must be a multiple of
   * `step`.
   */
  minAmount: decimalText,
  step: decimalText,
  /**
   * Daily management rate as a fraction of the notional; `financeRate` is the daily financing rate as a fraction of the
   * borrowed part.
   */
  manageRate: decimalText,
  financeRate: decimalText,
  /**
   * Maintenance margin as a fraction of the notional; `liqFee` is the liquidation fee as a fraction of the notional.
   */
  mmr: decimalText,
  liqFee: decimalText,
  status: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /**
   * Additional notional that the exchange can cover at present, in the fund's currency; if it is 0, no user
   * can buy units of the fund.
   */
  coverable: decimalText,
  /**
   * Constituents of the fund's basket. `weight` is an amount in units of the pair's base coin, with decimals,
   * and `share` the present part of the basket's value that the constituent has, as a fraction; absent while
   * an index price of the basket is missing.
   */
  composition: z.array(
    z.object({ symbol: z.string(), coin: z.string(), weight: decimalText, share: z.optional(decimalText) }),
  ),
  divisor: decimalText,
  version: z.int(),
});

export const fundList = endpoint({
  path: '/fund/getList',
  summary: 'The leveraged funds: current and 24-hour unit values, composition, leverages and costs.',
  access: ANYONE,
  charge: publicRead(2),
  fields: pagingFields,
  data: pageOf(fundRow),
});

export const fundDetail = endpoint({
  path: '/fund/getDetail',
  summary: 'A fund with its documents, and the balance of the insurance pool of its currency.',
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
    'Candles of a fund’s unit value, oldest first; at most 300. With `endTime` (seconds) only candles that opened earlier.',
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
      /** Opening time of the candle in seconds since 1970 UTC. */
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
  summary: 'The units that a margin buys at the current unit value, and the liquidation price.',
  access: USER,
  charge: signedInRead(1),
  fields: { id, ...amounts },
  data: z.object({
    nav: decimalText,
    quantity: decimalText,
    usedMargin: decimalText,
    notional: decimalText,
    /** Unit value below which the position is liquidated; absent for a position with leverage 1. */
    liqPrice: z.optional(decimalText),
    dailyCost: decimalText,
  }),
});

export const buyFund = endpoint({
  path: '/fund/buy',
  summary:
    'Buys units with a margin at the first unit value after acceptance; the unused margin is returned.',
  access: { who: 'user', verified: true, tradePassword: true },
  charge: transfer,
  idempotent: true,
  fields: { id, ...amounts, ...termsVersionField, ...tradePasswordField },
  data: z.object({ orderId: z.string(), acceptTime: instantMs, navTime: instantMs }),
});

export const fundRecord = z.object({
  id: z.string(),
  fundId: z.string(),
  name: z.string(),
  currency: z.string(),
  digits: z.int(),
  /** Unit value at which the units were bought; absent until the purchase is executed. */
  buyPrice: z.optional(decimalText),
  quantity: decimalText,
  /** Number of the position's units that no pending sell order contains. */
  free: decimalText,
  step: decimalText,
  leverage: z.int(),
  margin: decimalText,
  mmr: decimalText,
  /**
   * The latest unit value of the fund; for a closed position, the unit value at which it was closed. Absent
   * while it is unknown.
   */
  marketPrice: z.optional(decimalText),
  liqPrice: z.optional(decimalText),
  marginRatio: z.optional(decimalText),
  profit: decimalText,
  /**
   * Management and financing costs that were charged to the position so far, once a day, in the fund's
   * currency.
   */
  cost: decimalText,
  salePrice: z.optional(decimalText),
  sellType: z.optional(sellType),
  /**
   * Amount paid out for a closed position, absent for others; `fee` is the liquidation fee of a liquidated
   * position, absent for others. Both are in the fund's currency.
   */
  payout: z.optional(decimalText),
  fee: z.optional(decimalText),
  status,
  openTime: instantMs,
  closeTime: z.optional(instantMs),
  /**
   * Second of the recorded index at which the position was opened; `closeSecond` is the second at which it
   * was closed. Each is absent before that.
   */
  openSecond: z.optional(instantMs),
  closeSecond: z.optional(instantMs),
  /** Pending orders of the user that sell units of the position. */
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
  summary: 'The caller’s holdings, newest first, with totals of the open ones.',
  access: USER,
  charge: signedInRead(2),
  fields: { status: z.optional(z.enum(['1', '2', '3', '4'], 'l.field_choice')), ...pagingFields },
  data: z.extend(pageOf(fundRecord), {
    /**
     * Sums over the user's open positions and the margins of purchases that wait for a unit value, in USDT at the index
     * price. `profit` is after costs; `equity` is `margin` plus `profit`.
     */
    totals: z.object({
      margin: decimalText,
      equity: decimalText,
      profit: decimalText,
      /**
       * Sums by fund, in the fund's currency, from which the totals can be calculated. At a given unit value, the
       * profit is quantity × value − cost − costs − lost, at least −margin.
       */
      held: z.array(
        z.object({
          fundId: z.string(),
          /** Value in USDT of one unit of the fund's currency. */
          rate: decimalText,
          margin: decimalText,
          quantity: decimalText,
          /** Total purchase price of the units that `quantity` counts, in the fund's currency. */
          cost: decimalText,
          /**
           * Management and financing costs charged so far to the positions that `quantity` counts, in the
           * fund's currency.
           */
          costs: decimalText,
          /**
           * Sum of the margins of the positions whose equity is negative, in the fund's currency; `quantity`
           * does not count their units.
           */
          lost: decimalText,
        }),
      ),
    }),
  }),
});

export const fundRecordDetail = endpoint({
  path: '/fund/getRecordDetail',
  summary: 'One of the caller’s holdings.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: fundRecord,
});

export const sellFund = endpoint({
  path: '/fund/sell',
  summary: 'Sells units at the next unit value (1), or at the first unit value of at least `salePrice` (2).',
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
  summary: 'Cancels an order to sell by its id, or all orders to sell of a holding by the holding’s id.',
  access: USER,
  charge: order,
  fields: { id },
  data: z.object({ cancelled: z.int() }),
});

export const addFundMargin = endpoint({
  path: '/fund/addMargin',
  summary: 'Adds margin to a holding, which lowers its liquidation price.',
  access: { who: 'user', verified: true, tradePassword: true },
  charge: transfer,
  idempotent: true,
  fields: { id, amount: positiveDecimal, ...tradePasswordField },
  data: z.object({ margin: decimalText, liqPrice: z.optional(decimalText) }),
});

export const fundProof = endpoint({
  path: '/fund/getProof',
  summary:
    'The data that closed a holding: terms, second and basket, without the owner; it can be recomputed from the tape.',
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
    /** The second at whose recorded index price the position was opened. */
    openSecond: instantMs,
    closeSecond: z.optional(instantMs),
    closePrice: z.optional(decimalText),
    constituents: z.array(z.object({ symbol: z.string(), weight: decimalText })),
    divisor: decimalText,
  }),
});

/** Topic `funds`: every second the unit value of each fund by fund ID; null if the fund has none at that second. */
export interface FundValuesMessage {
  t: number;
  values: Record<string, string | null>;
}
/** Topic `fund`: the snapshot is `[]`; an update contains each position of the user that has changed. */
export type FundMessage = { id: string; fundId: string; status: number }[];
