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
  /** Amount in the base coin. */
  amount: decimalText,
  /** How far from the start price it follows, in per cent. */
  distance: decimalText,
  /** Its limit price; empty for none. */
  limitPrice: z.string(),
  minutes: z.int(),
  /** The best price of its side at the start. */
  startPrice: decimalText,
  /** The worst price of its order, by the distance and the limit price. */
  worstPrice: decimalText,
  /** The price of its order: the present one, or the last one when it has ended. */
  price: decimalText,
  /** How often the price has changed. */
  moveCount: z.int(),
  /** `running`, `waiting` while the order cannot follow and stays on the book, or `ended`. */
  status: z.enum(['running', 'waiting', 'ended']),
  /**
   * Why it waits: `halted`, `band` (outside of the price band), `funds`, `rest` (what remains is too small for an order) or
   * `moves` (too many changes of the price). Why it has ended: `filled`, `user`, `time`, `selfTrade` (an order of the same
   * person was in the way) or `countdown` (of a trading program). Empty while it runs.
   */
  reason: z.string(),
  filledAmount: decimalText,
  filledTotal: decimalText,
  /** Average price of the fills; empty without fills. */
  avgPrice: z.string(),
  fee: decimalText,
  feeCoin: z.string(),
  createTime: instantMs,
  /** When it ends at the latest. */
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
    /** 1, or 0 if it had ended. */
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
    /** Its order, whose amendments are the changes of its price. */
    orders: z.array(orderShape),
  }),
});
