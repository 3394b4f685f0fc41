import {
  TWAP_CHILDREN_MAX,
  TWAP_CHILDREN_MIN,
  TWAP_MINUTES_MAX,
  TWAP_MINUTES_MIN,
} from '@exchange/core/spot-twap.ts';
import * as z from 'zod/mini';
import { coin, decimalText, flag, id, instantMs, positiveDecimal, tradeType, whole } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { chaseShape } from './chase.ts';
import { gridShape } from './grid.ts';
import { icebergShape } from './iceberg.ts';
import { ladderShape } from './ladder.ts';
import { pageOf, pagingFields } from './paging.ts';
import { orderShape } from './spot.ts';

const order: Charge = { limit: 'order', weight: 1 };

const twapShape = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  tradeType: z.union([z.literal(1), z.literal(2)]),
  /** Total amount of the TWAP order, in the base coin. */
  amount: decimalText,
  minutes: z.int(),
  /**
   * Number of planned orders; orders whose time passes during a pause are skipped. `placedCount` is the number of those
   * placed so far.
   */
  count: z.int(),
  placedCount: z.int(),
  /**
   * Maximum distance from the best opposite price at which an order of the TWAP order may trade, in percent.
   */
  slippage: decimalText,
  /** Worst price at which an order of the TWAP order may trade; empty if there is none. */
  limitPrice: z.string(),
  /** Best opposite price when the TWAP order was started. */
  startPrice: decimalText,
  /** State of the TWAP order: `running`; `paused` while the next order cannot be placed; `ended`. */
  status: z.enum(['running', 'paused', 'ended']),
  /**
   * Reason for `paused`: `halted`, `book` (no opposite orders), `limit` (price beyond the limit price), `band` (price
   * outside the price band), `funds`, `orders` (too many open orders) or `account` (the account may not place orders
   * now). Reason for `ended`: `filled`, `rest` (the open amount is too small for an order), `time` or `user`. Empty for
   * `running`.
   */
  reason: z.string(),
  filledAmount: decimalText,
  filledTotal: decimalText,
  /** Average price of the fills of the TWAP order; empty while there are no fills. */
  avgPrice: z.string(),
  /**
   * How much worse the average price is than `startPrice`, in basis points; negative if it is better, empty without
   * fills.
   */
  slippageBps: z.string(),
  fee: decimalText,
  feeCoin: z.string(),
  createTime: instantMs,
  /** Time in milliseconds UTC at which the next order is due; 0 when the TWAP order has ended. */
  nextTime: z.int(),
  /** Time at which the TWAP order ends at the latest. */
  endTime: instantMs,
  updateTime: instantMs,
});

export const createTwap = endpoint({
  path: '/bibi/createTwap',
  summary:
    'Starts a TWAP order: buys or sells `amount` within `minutes`, in `count` children at equal distances. Each is a limit order whose unfilled part is cancelled at once, at most `slippage` per cent from the best price and not worse than `limitPrice`. What a child does not fill is spread over the next ones; a child is at most twice an equal share. Nothing is reserved: a child that lacks funds, a book or a price waits and is placed when it can be, until the next one is due. The order ends after its last child, or at the end of its time, with what remains unfilled. The client order id of the children is the id of the TWAP order.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    baseCoin: coin,
    quoteCoin: coin,
    tradeType,
    amount: positiveDecimal,
    minutes: whole(TWAP_MINUTES_MIN, TWAP_MINUTES_MAX),
    count: whole(TWAP_CHILDREN_MIN, TWAP_CHILDREN_MAX),
    slippage: positiveDecimal,
    limitPrice: z.optional(positiveDecimal),
  },
  data: z.object({ id: z.string() }),
});

export const cancelTwap = endpoint({
  path: '/bibi/cancelTwap',
  summary: 'Ends a TWAP order: no further child is placed. What its children have traded stays.',
  access: USER,
  charge: order,
  fields: { id },
  data: z.object({
    /** 1 if the TWAP order was cancelled; 0 if it had already ended. */
    count: z.int(),
  }),
});

export const twapDetail = endpoint({
  path: '/bibi/getTwap',
  summary: 'One of the caller’s TWAP orders with its placed children.',
  access: USER,
  charge: signedInRead(2),
  fields: { id },
  data: z.object({
    twap: twapShape,
    /** The orders that the TWAP order has placed, oldest first. */
    orders: z.array(orderShape),
  }),
});

export const algoOrders = endpoint({
  path: '/bibi/getAlgoOrders',
  summary:
    'The caller’s running TWAP orders, icebergs, chase orders and grids and open ladders, newest first; with `ended`, the others.',
  access: USER,
  charge: signedInRead(2),
  fields: { ended: z._default(flag, false), ...pagingFields },
  data: pageOf(
    z.object({
      id: z.string(),
      /**
       * The TWAP order, if the algo order is one. Of this and the next four fields only that of its kind is
       * present.
       */
      twap: z.optional(twapShape),
      iceberg: z.optional(icebergShape),
      chase: z.optional(chaseShape),
      grid: z.optional(gridShape),
      ladder: z.optional(ladderShape),
    }),
  ),
});
