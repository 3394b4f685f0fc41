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
  /** Total amount in the base coin. */
  amount: decimalText,
  minutes: z.int(),
  /** Number of planned children, and of placed ones. */
  count: z.int(),
  placedCount: z.int(),
  /** How far from the best price a child may trade, in per cent. */
  slippage: decimalText,
  /** The worst price of any child; empty for none. */
  limitPrice: z.string(),
  /** The best opposite price at the start. */
  startPrice: decimalText,
  /** `running`, `paused` while the next child waits, or `ended`. */
  status: z.enum(['running', 'paused', 'ended']),
  /**
   * Why it is paused: `halted`, `book` (no opposite side), `limit` (price beyond the limit price), `band` (outside of the
   * price band), `funds`, `orders` (too many open orders) or `account`. Why it has ended: `filled`, `rest` (what remains is
   * too small for an order), `time` or `user`. Empty while it runs.
   */
  reason: z.string(),
  filledAmount: decimalText,
  filledTotal: decimalText,
  /** Average price of the fills; empty without fills. */
  avgPrice: z.string(),
  /** How much worse the average is than the start price, in basis points; negative if better, empty without fills. */
  slippageBps: z.string(),
  fee: decimalText,
  feeCoin: z.string(),
  createTime: instantMs,
  /** When the next child is due; 0 when it has ended. */
  nextTime: z.int(),
  /** When it ends at the latest. */
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
    /** 1, or 0 if it had ended. */
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
    /** The placed children, oldest first. */
    orders: z.array(orderShape),
  }),
});

export const algoOrders = endpoint({
  path: '/bibi/getAlgoOrders',
  summary:
    'The caller’s running TWAP orders, icebergs and chase orders and open ladders, newest first; with `ended`, the others.',
  access: USER,
  charge: signedInRead(2),
  fields: { ended: z._default(flag, false), ...pagingFields },
  data: pageOf(
    z.object({
      id: z.string(),
      /** Exactly one of these is present. */
      twap: z.optional(twapShape),
      iceberg: z.optional(icebergShape),
      chase: z.optional(chaseShape),
      ladder: z.optional(ladderShape),
    }),
  ),
});
