import * as z from 'zod/mini';
import { coin, decimalText, flag, id, instantMs, positiveDecimal, tradeType } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { orderShape } from './spot.ts';

const order: Charge = { limit: 'order', weight: 1 };

export const icebergShape = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  tradeType: z.union([z.literal(1), z.literal(2)]),
  price: decimalText,
  /** Total amount of the iceberg order in the base coin. */
  amount: decimalText,
  /** Amount of a slice, the part that the order book shows, in the base coin. */
  visible: decimalText,
  postOnly: z.union([z.literal(0), z.literal(1)]),
  /** Number of orders that the iceberg order has placed so far. */
  placedCount: z.int(),
  /** Amount in the base coin that is not in the order book yet; 0 when the iceberg order has ended. */
  hiddenAmount: decimalText,
  status: z.enum(['running', 'ended']),
  /**
   * Reason why the order has ended: `filled`, `user` (the user has cancelled it), `selfTrade` (an order of the same
   * person would have traded with it) or `countdown` (the countdown of a trading program ran out). Empty while it runs.
   */
  reason: z.string(),
  filledAmount: decimalText,
  filledTotal: decimalText,
  /** Average price of the order's fills; empty without fills. */
  avgPrice: z.string(),
  fee: decimalText,
  feeCoin: z.string(),
  createTime: instantMs,
  updateTime: instantMs,
});

export const createIceberg = endpoint({
  path: '/bibi/createIceberg',
  summary:
    'Places an iceberg: a limit order over `amount`, of which the book shows one slice of `visible` at a time. When a slice is filled completely, the next one takes its place at the same price, behind the orders that rest there; an incoming order meets it before it trades at a worse price. What would trade at once trades first, as an order of its own; with `postOnly` the iceberg is refused instead. The funds of the whole amount are reserved. An iceberg has 2 to 100 slices, each at least as large as the pair’s least order; a rest that would be smaller is part of the last slice. Cancelling a slice cancels the iceberg. The client order id of its orders is its id.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    baseCoin: coin,
    quoteCoin: coin,
    tradeType,
    price: positiveDecimal,
    amount: positiveDecimal,
    visible: positiveDecimal,
    postOnly: z._default(flag, false),
  },
  data: z.object({ id: z.string() }),
});

export const cancelIceberg = endpoint({
  path: '/bibi/cancelIceberg',
  summary: 'Cancels an iceberg and its open slice. What has traded stays.',
  access: USER,
  charge: order,
  fields: { id },
  data: z.object({
    /** 1 if the iceberg order was cancelled; 0 if it had already ended. */
    count: z.int(),
  }),
});

export const icebergDetail = endpoint({
  path: '/bibi/getIceberg',
  summary: 'One of the caller’s icebergs with its orders.',
  access: USER,
  charge: signedInRead(2),
  fields: { id },
  data: z.object({
    iceberg: icebergShape,
    /** The orders that the iceberg order has placed, oldest first. */
    orders: z.array(orderShape),
  }),
});
