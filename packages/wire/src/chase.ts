import { CHASE_MINUTES_MAX, CHASE_MINUTES_MIN } from '@exchange/core/spot-chase.ts';
import * as z from 'zod/mini';
import { coin, decimalText, id, instantMs, positiveDecimal, tradeType, whole } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { orderShape } from './spot.ts';

const order: Charge = { limit: 'order', weight: 1 };

export const chaseShape = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  tradeType: z.union([z.literal(1), z.literal(2)]),
  /** Amount of the chase order in the base coin. */
  amount: decimalText,
  /** Maximum distance between the price of the chase order and its start price, in percent of the start price. */
  distance: decimalText,
  /** Limit price of the chase order; empty if it has none. */
  limitPrice: z.string(),
  minutes: z.int(),
  /** Best price of the order's side at the start of the chase order. */
  startPrice: decimalText,
  /** Worst price that the chase order can get, from the distance and the limit price. */
  worstPrice: decimalText,
  /** Price of the order in the book; after the end of the chase order, its last price. */
  price: decimalText,
  /** Number of changes of the order's price so far. */
  moveCount: z.int(),
  /**
   * State of the chase order: `running`; `waiting` while the order stays in the book and its price cannot follow the
   * best price; `ended`.
   */
  status: z.enum(['running', 'waiting', 'ended']),
  /**
   * Reason for `waiting`: `halted` (trading on the pair is paused), `band` (best price outside the price
   * band), `funds` (the balance does not cover the new price), `rest` (the open amount is too small for an
   * order) or `moves` (too many price changes). Reason for `ended`: `filled`, `user` (the user has cancelled
   * it), `time` (`endTime` was reached), `selfTrade` (an order of the same person would have traded with it)
   * or `countdown` (the countdown of a trading program ran out). Empty for `running`.
   */
  reason: z.string(),
  filledAmount: decimalText,
  filledTotal: decimalText,
  /** Average price of the order's fills; empty without fills. */
  avgPrice: z.string(),
  fee: decimalText,
  feeCoin: z.string(),
  createTime: instantMs,
  /** Time at which the chase order ends at the latest. */
  endTime: instantMs,
  updateTime: instantMs,
});

export const createChase = endpoint({
  path: '/bibi/createChase',
  summary:
    'Starts a chase order: a post-only limit order at the best price of its own side, which follows that price towards the other side when it moves away, at most every two seconds. It goes no further than `distance` per cent from the best price at the start and no further than `limitPrice`; there it rests. It never moves back, and never outbids the best price. What is not filled after `minutes` is cancelled. Only the present price is reserved; to start, the balance must suffice for the worst price. Cancelling its order cancels the chase order. The client order id of the order is the id of the chase order.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    baseCoin: coin,
    quoteCoin: coin,
    tradeType,
    amount: positiveDecimal,
    distance: positiveDecimal,
    limitPrice: z.optional(positiveDecimal),
    minutes: whole(CHASE_MINUTES_MIN, CHASE_MINUTES_MAX),
  },
  data: z.object({ id: z.string() }),
});

export const cancelChase = endpoint({
  path: '/bibi/cancelChase',
  summary: 'Cancels a chase order and its order. What has traded stays.',
  access: USER,
  charge: order,
  fields: { id },
  data: z.object({
    /** 1 if the chase order was cancelled; 0 if it had already ended. */
    count: z.int(),
  }),
});

export const chaseDetail = endpoint({
  path: '/bibi/getChase',
  summary: 'One of the caller’s chase orders with its order.',
  access: USER,
  charge: signedInRead(2),
  fields: { id },
  data: z.object({
    chase: chaseShape,
    /**
     * List with the one order that the chase order has placed; empty if that order is not found. A change of
     * the chase order's price amends that order and places no other.
     */
    orders: z.array(orderShape),
  }),
});
