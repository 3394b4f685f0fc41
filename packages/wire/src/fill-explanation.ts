import * as z from 'zod/mini';
import { coin, decimalText, id, instantMs } from './codecs.ts';
import { endpoint, signedInRead, USER } from './endpoint.ts';
import { periodEnd } from './paging.ts';
import { ORDER_TYPES } from './spot.ts';

/** A price level of the order book with which an incoming order traded. Amounts are in the base coin. */
const metLevel = z.object({
  price: decimalText,
  /**
   * Total amount, in the base coin, of the orders at the price before the incoming order; `after` is the
   * amount after it. Absent if not recorded.
   */
  before: z.optional(decimalText),
  after: z.optional(decimalText),
  /** Amount that the incoming order traded at this price, in the base coin. */
  traded: decimalText,
});

export const fillExplanation = endpoint({
  path: '/bibi/getFillExplanation',
  summary:
    'Why one of the caller’s fills has its price: the times of its order, and, where the order book was recorded, the levels that the incoming order met and the queue of a resting order. `id` is the id of the trade.',
  access: USER,
  charge: signedInRead(20),
  fields: { id },
  data: z.object({
    tradeId: z.string(),
    orderId: z.string(),
    symbol: z.string(),
    baseCoin: z.string(),
    quoteCoin: z.string(),
    /** Side of the caller’s order: 1 = buy, 2 = sell. */
    tradeType: z.union([z.literal(1), z.literal(2)]),
    orderType: z.enum(ORDER_TYPES),
    role: z.enum(['maker', 'taker']),
    price: decimalText,
    amount: decimalText,
    /** Limit price of the order when the fill was matched; absent for a market order. */
    limitPrice: z.optional(decimalText),
    /**
     * Time in milliseconds UTC at which the request for the order reached the exchange; absent for an order that the
     * exchange placed itself, and for old orders. `placedTime` is the time at which the order was placed, `matchedTime`
     * that at which the fill was matched, and `committedTime` that at which the fill was committed to the database
     * (absent if not recorded).
     */
    receivedTime: z.optional(instantMs),
    placedTime: instantMs,
    matchedTime: instantMs,
    committedTime: z.optional(instantMs),
    /** What the recorded order book shows about the fill; absent if the order book was not recorded at that time. */
    recorded: z.optional(
      z.object({
        /** Number of the engine step (the execution of one command) in which the incoming order traded. */
        step: z.int(),
        /**
         * Number of the part in `/proof/book`; `hash` is the hash of the part. Both are absent until the server has
         * stored the part, about a minute later.
         */
        seq: z.optional(z.int()),
        hash: z.optional(z.string()),
        bestBid: z.optional(decimalText),
        bestAsk: z.optional(decimalText),
        levels: z.array(metLevel),
      }),
    ),
    /** The queue at the price of the caller's order; absent if the caller's order was the incoming one. */
    queue: z.optional(
      z.object({
        /** Time at which the order entered the queue; absent if not recorded. */
        joinedTime: z.optional(instantMs),
        /**
         * Total amount, in the base coin, of the orders that were ahead of the caller's order in the queue when it
         * entered; absent if not recorded.
         */
        ahead: z.optional(decimalText),
        /**
         * Amount, in the base coin, that the incoming order traded with other orders at this price before it
         * traded with the caller's order; absent if not recorded.
         */
        tradedBefore: z.optional(decimalText),
      }),
    ),
  }),
});

export const pastOrders = endpoint({
  path: '/bibi/getPastOrders',
  summary:
    'The caller’s orders that were on the book of a pair in a period of at most an hour, with the price and amount that they had then: at most 200 of those open now and of the 1,000 newest placed before the end of the period.',
  access: USER,
  charge: signedInRead(5),
  fields: { baseCoin: coin, quoteCoin: coin, startTime: periodEnd, endTime: periodEnd },
  data: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        tradeType: z.union([z.literal(1), z.literal(2)]),
        price: decimalText,
        /** Amount of the order in the base coin, including its filled part. */
        amount: decimalText,
        /**
         * Beginning of the period in which the order was on the book with this price and amount, in milliseconds UTC.
         * `until` is its end; absent if the order is still on the book.
         */
        from: instantMs,
        until: z.optional(instantMs),
      }),
    ),
    /** True if there were more orders than this list contains. */
    hasMore: z.boolean(),
  }),
});
