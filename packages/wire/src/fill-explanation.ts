import * as z from 'zod/mini';
import { coin, decimalText, id, instantMs } from './codecs.ts';
import { endpoint, signedInRead, USER } from './endpoint.ts';
import { periodEnd } from './paging.ts';
import { ORDER_TYPES } from './spot.ts';

/** A level of the order book that an incoming order met. Amounts are in the base coin. */
const metLevel = z.object({
  price: decimalText,
  /** Total amount at the price before the order and after it; absent when it was not recorded. */
  before: z.optional(decimalText),
  after: z.optional(decimalText),
  /** Amount that the incoming order traded at the price. */
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
    /** Limit price of the order at the time of the fill; absent for a market order. */
    limitPrice: z.optional(decimalText),
    /**
     * Times in milliseconds UTC: when the request for the order reached the exchange (absent for an order that the exchange
     * placed itself, and for old orders), when the order was placed, when the fill was matched, and when its step was
     * committed (absent when it was not recorded).
     */
    receivedTime: z.optional(instantMs),
    placedTime: instantMs,
    matchedTime: instantMs,
    committedTime: z.optional(instantMs),
    /** What the recorded order book says about the fill; absent when the book was not recorded at its time. */
    recorded: z.optional(
      z.object({
        /** Number of the step in which the incoming order traded. */
        step: z.int(),
        /** Number of the part in `/proof/book`, and its hash; absent for about a minute, until the part is stored. */
        seq: z.optional(z.int()),
        hash: z.optional(z.string()),
        bestBid: z.optional(decimalText),
        bestAsk: z.optional(decimalText),
        levels: z.array(metLevel),
      }),
    ),
    /** The queue at the price of a resting order of the caller; absent when the caller’s order was the incoming one. */
    queue: z.optional(
      z.object({
        /** When the order took its place in the queue; absent when it was not recorded. */
        joinedTime: z.optional(instantMs),
        /** Amount of the orders before it at that time, in the base coin; absent when it was not recorded. */
        ahead: z.optional(decimalText),
        /** Amount that the same incoming order traded at the price before it reached this order. */
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
        /** Amount of the order including what was filled, in the base coin. */
        amount: decimalText,
        /** Period on the book with this price and amount, in milliseconds UTC; no `until` for an order that is open now. */
        from: instantMs,
        until: z.optional(instantMs),
      }),
    ),
    /** Whether there were more orders than the list contains. */
    hasMore: z.boolean(),
  }),
});
