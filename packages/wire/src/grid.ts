import { GRID_LEVELS_MAX, GRID_LEVELS_MIN, GRID_SPACINGS } from '@exchange/core/spot-grid.ts';
import * as z from 'zod/mini';
import { coin, decimalText, flag, flagNumber, id, instantMs, positiveDecimal, whole } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';
import { orderShape } from './spot.ts';

const order: Charge = { limit: 'order', weight: 1 };
/** Each full group of this many levels of a grid adds 1 to the weight of the request that starts it. */
const LEVELS_PER_CHARGE = 5;

export const gridShape = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  lowerPrice: decimalText,
  upperPrice: decimalText,
  /** Number of prices of the grid, including the lower and the upper one. */
  levels: z.int(),
  spacing: z.enum(GRID_SPACINGS),
  /** The requested investment in the quote coin. The grid uses at most this amount; `invested` is what it used. */
  investment: decimalText,
  /**
   * Maximum slippage in percent: of the purchase at the start above the best ask, and of the sale at the end below the
   * price at the end.
   */
  slippage: decimalText,
  /**
   * Stop-loss price below the range and take-profit price above the range. A trade at or beyond one of them ends the
   * grid. Empty for none.
   */
  stopLossPrice: z.string(),
  takeProfitPrice: z.string(),
  /** 1 if the grid sells its coins when its stop-loss or take-profit price ends it; otherwise 0. */
  sellAtEnd: flagNumber,
  /** Amount of each resting order at the start of the grid, in the base coin. */
  amount: decimalText,
  /** Middle between the best bid and the best ask at the start. */
  startPrice: decimalText,
  /**
   * Amount in the quote coin that the grid used at its start: the cost of its immediate purchase and the amount that
   * its resting buy orders reserved.
   */
  invested: decimalText,
  /** Cost of the grid's immediate purchase at its start, in the quote coin. */
  startCost: decimalText,
  /** Amount of the base coin that the grid had after its start; `startQuote` is the amount of the quote coin. */
  startBase: decimalText,
  startQuote: decimalText,
  /** Amount of the base coin that `invested` would have bought at the start, after the fee. */
  allInBase: decimalText,
  /**
   * Amount of the base coin that the grid has after all fees, also in its open orders; `quote` is the amount of the
   * quote coin.
   */
  base: decimalText,
  quote: decimalText,
  /** Fees so far: those of purchases in the base coin, those of sales in the quote coin. */
  baseFee: decimalText,
  quoteFee: decimalText,
  /**
   * Number of completed pairs of a purchase and the following sale at the next level; `gridProfit` is their total
   * profit in the quote coin after both fees.
   */
  rounds: z.int(),
  gridProfit: decimalText,
  /**
   * Price at which the values and profits are computed: that of the pair's last trade; for an ended grid, that at its
   * end.
   */
  price: decimalText,
  /**
   * Value in the quote coin of `base` and `quote`, the amounts that the grid has. `profit` is the value less
   * `invested`.
   */
  value: decimalText,
  profit: decimalText,
  /**
   * Value in the quote coin of `startBase` and `startQuote`, as if they had been held without further trades.
   * `holdingProfit` is the value less `invested`.
   */
  holdingValue: decimalText,
  holdingProfit: decimalText,
  /**
   * Value in the quote coin of `allInBase`, as if the whole investment had been spent on the base coin at the start.
   * `allInProfit` is the value less `invested`.
   */
  allInValue: decimalText,
  allInProfit: decimalText,
  /**
   * Number of open orders. A running grid has one open order less than it has levels, unless the user has cancelled
   * single orders.
   */
  openCount: z.int(),
  /** Number of orders that the grid has placed so far. */
  placedCount: z.int(),
  /**
   * Amount of the base coin that the grid sold at its end, and in `soldQuote` the proceeds in the quote coin after
   * fees. Coins that were not sold remain in `base`.
   */
  soldBase: decimalText,
  soldQuote: decimalText,
  status: z.enum(['running', 'ended']),
  /**
   * Reason why the grid has ended: `user` (the user has cancelled it or its orders), `selfTrade` (an order of the same
   * person would have traded with its last order), `countdown` (the countdown of a trading program ran out), `rest`
   * (what its last order received is too small for an order), `stopLoss` or `takeProfit` (a trade reached this price of
   * the grid). Empty while it runs.
   */
  reason: z.string(),
  createTime: instantMs,
  updateTime: instantMs,
});

export const createGrid = endpoint({
  path: '/bibi/createGrid',
  summary:
    'Starts a trading grid: `levels` prices from `lowerPrice` to `upperPrice`, at equal distances or, with `spacing` `ratio`, at equal ratios. The coins for the sales above the present price are bought at once, completely or not at all, at most `slippage` per cent above the best ask and below the first sale; purchases rest below, sales above, and the level nearest to the price stays empty. All orders have the same amount, the greatest that `investment` (in the quote coin) pays for. When a purchase is filled completely, a sale at the next level follows in the same step, and when that is filled, a purchase at the level below; they use only what the grid has. The grid runs until it is cancelled or a trade of the pair reaches `stopLossPrice` (below the lower price) or `takeProfitPrice` (above the upper price): then all its orders are cancelled in the same step and, with `sellAtEnd`, its coins are sold at once, at most `slippage` per cent below the price that was reached; what is not sold stays. A grid of which a step does not earn more than its fees is refused. The client order id of the orders is the id of the grid.',
  access: USER,
  charge: order,
  costOf: ({ levels }) => ({ surcharge: Math.floor(levels / LEVELS_PER_CHARGE) }),
  idempotent: true,
  fields: {
    baseCoin: coin,
    quoteCoin: coin,
    lowerPrice: positiveDecimal,
    upperPrice: positiveDecimal,
    levels: whole(GRID_LEVELS_MIN, GRID_LEVELS_MAX),
    spacing: z._default(z.enum(GRID_SPACINGS, 'l.field_choice'), 'equal'),
    investment: positiveDecimal,
    slippage: positiveDecimal,
    stopLossPrice: z.optional(positiveDecimal),
    takeProfitPrice: z.optional(positiveDecimal),
    sellAtEnd: z.optional(flag),
  },
  data: z.object({ id: z.string() }),
});

export const cancelGrid = endpoint({
  path: '/bibi/cancelGrid',
  summary:
    'Cancels a grid and all its open orders in one step; orders that hold a halted coin end when its halt is lifted. The coins that it has stay as they are; with `sell`, they are sold at once, at most the slippage of the grid below the best bid, and what is not sold stays.',
  access: USER,
  charge: order,
  fields: { id, sell: z.optional(flag) },
  data: z.object({
    /** 1 if the grid was cancelled; 0 if it had already ended. */
    count: z.int(),
    /**
     * Number of the grid's orders that reserve a coin whose trading operators have halted. They are not cancelled yet:
     * they cannot trade any more, and end automatically when the halt is lifted.
     */
    haltedOrders: z.int(),
    /**
     * Amount of the base coin that was sold because the request contained `sell`, and in `soldQuote` the proceeds in
     * the quote coin after fees. Both are 0 without a sale.
     */
    soldBase: decimalText,
    soldQuote: decimalText,
  }),
});

export const gridDetail = endpoint({
  path: '/bibi/getGrid',
  summary:
    'One of the caller’s grids with its results and its open orders. The results include all fees, and are given beside holding the start without trades and beside buying the coin with the whole investment.',
  access: USER,
  charge: signedInRead(2),
  fields: { id },
  data: z.object({
    grid: gridShape,
    /** The open orders, from the lowest level to the highest. */
    orders: z.array(orderShape),
  }),
});

export const gridOrders = endpoint({
  path: '/bibi/getGridOrders',
  summary: 'All orders that one of the caller’s grids has placed, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: { id, ...pagingFields },
  data: pageOf(orderShape),
});
