import { LADDER_ORDERS_MAX, LADDER_ORDERS_MIN, LADDER_SIZES } from '@exchange/core/spot-ladder.ts';
import * as z from 'zod/mini';
import { coin, decimalText, flag, id, instantMs, positiveDecimal, tradeType, whole } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';
import { orderShape } from './spot.ts';

const order: Charge = { limit: 'order', weight: 1 };
/** Each full group of this many orders of a ladder adds 1 to the weight of the request that places them. */
const ORDERS_PER_CHARGE = 5;

export const ladderShape = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  tradeType: z.union([z.literal(1), z.literal(2)]),
  /** Price of the first order; `toPrice` is the price of the last one. */
  fromPrice: decimalText,
  toPrice: decimalText,
  /** Number of orders of the ladder. */
  count: z.int(),
  /** Total amount of all orders, in the base coin. */
  amount: decimalText,
  sizes: z.enum(LADDER_SIZES),
  /** Number of the orders that are open; 0 when the ladder has ended. */
  openCount: z.int(),
  /** Number of the orders that are completely filled. */
  filledCount: z.int(),
  filledAmount: decimalText,
  filledTotal: decimalText,
  /** Average price of the fills of all orders; empty without fills. */
  avgPrice: z.string(),
  fee: decimalText,
  feeCoin: z.string(),
  createTime: instantMs,
  /** Time of the last change of any of the orders. */
  updateTime: instantMs,
});

export const createLadder = endpoint({
  path: '/bibi/createLadder',
  summary:
    'Places a scaled ladder: `count` post-only limit orders with prices from `fromPrice` to `toPrice` at equal distances, whose amounts add up to `amount`. With `sizes` `rising` the amounts rise from `fromPrice` to `toPrice`. All orders are placed in one step, or none: each must satisfy the limits of the pair and rest on the book, and the balance must suffice for all. The client order id of the orders is the id of the ladder.',
  access: USER,
  charge: order,
  costOf: ({ count }) => ({ surcharge: Math.floor(count / ORDERS_PER_CHARGE) }),
  idempotent: true,
  fields: {
    baseCoin: coin,
    quoteCoin: coin,
    tradeType,
    fromPrice: positiveDecimal,
    toPrice: positiveDecimal,
    count: whole(LADDER_ORDERS_MIN, LADDER_ORDERS_MAX),
    amount: positiveDecimal,
    sizes: z._default(z.enum(LADDER_SIZES, 'l.field_choice'), 'equal'),
  },
  data: z.object({
    id: z.string(),
    /** IDs of the orders, in sequence from `fromPrice` to `toPrice`. */
    orders: z.array(z.string()),
  }),
});

export const cancelLadder = endpoint({
  path: '/bibi/cancelLadder',
  summary: 'Cancels all open orders of a ladder in one step. Orders that have ended stay as they are.',
  access: USER,
  charge: order,
  fields: { id },
  data: z.object({
    /** Number of orders that were cancelled; 0 if the ladder had already ended. */
    count: z.int(),
  }),
});

export const ladders = endpoint({
  path: '/bibi/getLadders',
  summary: 'The caller’s ladders with open orders, newest first; with `ended`, those without.',
  access: USER,
  charge: signedInRead(2),
  fields: { ended: z._default(flag, false), ...pagingFields },
  data: pageOf(ladderShape),
});

export const ladderDetail = endpoint({
  path: '/bibi/getLadder',
  summary: 'One of the caller’s ladders with its orders.',
  access: USER,
  charge: signedInRead(2),
  fields: { id },
  data: z.object({
    ladder: ladderShape,
    /** The orders, in sequence from `fromPrice` to `toPrice`. */
    orders: z.array(orderShape),
  }),
});
