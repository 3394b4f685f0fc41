import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { rowWriter } from '../../platform/sequencer/row-writer.ts';
import type { Countdown } from './domain/countdowns.ts';
import type { AlgoNotice } from './domain/algo-notice.ts';
import type { Chase } from './domain/chase.ts';
import type { Grid, GridCell, GridPlace } from './domain/grid.ts';
import type { Iceberg, SlicePlace } from './domain/iceberg.ts';
import type { Ladder, LadderPlace } from './domain/ladder.ts';
import type { Twap, TwapPlace } from './domain/twap.ts';
import type { Amended, StatusSet } from './domain/order.ts';
import type { LastPrice, SpotTrade, StoredMarking } from './tables.ts';

export const tradeWriter = rowWriter<SpotTrade>({
  table: 'spot_trade',
  columns: {
    id: 'uuid',
    sequence: 'bigint',
    symbol: 'word',
    price: 'numeric',
    amount: 'numeric',
    total: 'numeric',
    taker_side: 'word',
    taker: 'uuid',
    taker_order: 'uuid',
    taker_fee: 'numeric',
    maker: 'uuid',
    maker_order: 'uuid',
    maker_fee: 'numeric',
    value_usdt: 'numeric',
    at: 'bigint',
  },
  cells: (trade) => [
    trade.id,
    trade.sequence,
    trade.symbol,
    trade.price.toString(),
    trade.amount.toString(),
    trade.total.toString(),
    trade.takerSide,
    trade.taker,
    trade.takerOrder,
    trade.takerFee.toString(),
    trade.maker,
    trade.makerOrder,
    trade.makerFee.toString(),
    trade.valueUsdt?.toString() ?? null,
    trade.at,
  ],
});

export const amendmentWriter = rowWriter<Amended>({
  table: 'spot_amendment',
  columns: {
    order_id: 'uuid',
    sequence: 'bigint',
    at: 'bigint',
    price: 'numeric',
    amount: 'numeric',
    price_before: 'numeric',
    amount_before: 'numeric',
    stop_price: 'numeric',
    stop_price_before: 'numeric',
    take_profit: 'numeric',
    stop_loss: 'numeric',
    stop_loss_limit: 'numeric',
    take_profit_before: 'numeric',
    stop_loss_before: 'numeric',
    stop_loss_limit_before: 'numeric',
  },
  cells: ({ orderId, sequence, at, exits, exitsBefore, ...terms }) => [
    orderId,
    sequence,
    at,
    ...[terms.price, terms.amount, terms.priceBefore, terms.amountBefore].map(textOrNull),
    ...[terms.stopPrice, terms.stopPriceBefore].map(textOrNull),
    ...[exits?.takeProfit, exits?.stopLoss, exits?.stopLossLimit].map(textOrNull),
    ...[exitsBefore?.takeProfit, exitsBefore?.stopLoss, exitsBefore?.stopLossLimit].map(textOrNull),
  ],
});

/** Writer that stores the account that owns an order list, such as an OCO pair. */
export const listWriter = rowWriter<{ readonly id: string; readonly owner: UserId }>({
  table: 'spot_order_list',
  columns: { id: 'uuid', owner: 'uuid' },
  cells: ({ id, owner }) => [id, owner],
});

export const ladderWriter = rowWriter<Ladder>({
  table: 'spot_ladder',
  columns: {
    id: 'uuid',
    owner: 'uuid',
    symbol: 'word',
    side: 'word',
    from_price: 'numeric',
    to_price: 'numeric',
    amount: 'numeric',
    sizes: 'word',
    orders: 'integer',
    created_at: 'bigint',
  },
  cells: (ladder) => [
    ladder.id,
    ladder.owner,
    ladder.symbol,
    ladder.side,
    ladder.fromPrice.toString(),
    ladder.toPrice.toString(),
    ladder.amount.toString(),
    ladder.sizes,
    ladder.count,
    ladder.createdAt,
  ],
});

/** Writer that stores the position of an order in its ladder (a group of limit orders at graded prices). */
export const ladderOrderWriter = rowWriter<LadderPlace>({
  table: 'spot_ladder_order',
  columns: {
    ladder: 'uuid',
    position: 'integer',
    order_id: 'uuid',
  },
  cells: ({ ladder, position, orderId }) => [ladder, position, orderId],
});

export const twapWriter = rowWriter<Twap>({
  table: 'spot_twap',
  columns: {
    id: 'uuid',
    owner: 'uuid',
    symbol: 'word',
    side: 'word',
    amount: 'numeric',
    minutes: 'integer',
    children: 'integer',
    bound: 'numeric',
    limit_price: 'numeric',
    start_price: 'numeric',
    next_child: 'integer',
    placed: 'integer',
    filled_amount: 'numeric',
    filled_total: 'numeric',
    fee: 'numeric',
    pause: 'word',
    notified: 'text',
    ending: 'word',
    created_at: 'bigint',
    updated_at: 'bigint',
  },
  cells: (twap) => [
    twap.id,
    twap.owner,
    twap.symbol,
    twap.side,
    twap.amount.toString(),
    twap.minutes,
    twap.count,
    twap.bound.toString(),
    twap.limitPrice?.toString() ?? null,
    twap.startPrice.toString(),
    twap.next,
    twap.placed,
    twap.filledAmount.toString(),
    twap.filledTotal.toString(),
    twap.fee.toString(),
    twap.pause ?? null,
    twap.notified,
    twap.ending ?? null,
    twap.createdAt,
    twap.updatedAt,
  ],
  upsert: {
    key: ['id'],
    keyOf: ({ id }) => id,
    update: [
      'next_child',
      'placed',
      'filled_amount',
      'filled_total',
      'fee',
      'pause',
      'notified',
      'ending',
      'updated_at',
    ],
  },
});

/** Writer that stores the index of a child order within its TWAP order. */
export const twapChildWriter = rowWriter<TwapPlace>({
  table: 'spot_twap_child',
  columns: {
    twap: 'uuid',
    child: 'integer',
    order_id: 'uuid',
  },
  cells: ({ twap, child, orderId }) => [twap, child, orderId],
});

export const icebergWriter = rowWriter<Iceberg>({
  table: 'spot_iceberg',
  columns: {
    id: 'uuid',
    owner: 'uuid',
    symbol: 'word',
    side: 'word',
    price: 'numeric',
    amount: 'numeric',
    visible: 'numeric',
    post_only: 'boolean',
    placed_amount: 'numeric',
    placed: 'integer',
    reserved: 'numeric',
    held_asset: 'word',
    slice: 'uuid',
    slice_turn: 'bigint',
    filled_amount: 'numeric',
    filled_total: 'numeric',
    fee: 'numeric',
    ending: 'word',
    created_at: 'bigint',
    updated_at: 'bigint',
  },
  cells: (iceberg) => [
    iceberg.id,
    iceberg.owner,
    iceberg.symbol,
    iceberg.side,
    iceberg.price.toString(),
    iceberg.amount.toString(),
    iceberg.visible.toString(),
    iceberg.postOnly,
    iceberg.placedAmount.toString(),
    iceberg.placed,
    iceberg.reserved.toString(),
    iceberg.heldAsset,
    iceberg.slice ?? null,
    iceberg.sliceTurn,
    iceberg.filledAmount.toString(),
    iceberg.filledTotal.toString(),
    iceberg.fee.toString(),
    iceberg.ending ?? null,
    iceberg.createdAt,
    iceberg.updatedAt,
  ],
  upsert: {
    key: ['id'],
    keyOf: ({ id }) => id,
    update: [
      'placed_amount',
      'placed',
      'reserved',
      'slice',
      'slice_turn',
      'filled_amount',
      'filled_total',
      'fee',
      'ending',
      'updated_at',
    ],
  },
});

/** Writer that stores the index of a child order within its iceberg order. */
export const sliceWriter = rowWriter<SlicePlace>({
  table: 'spot_iceberg_slice',
  columns: {
    iceberg: 'uuid',
    position: 'integer',
    order_id: 'uuid',
  },
  cells: ({ iceberg, position, orderId }) => [iceberg, position, orderId],
});

export const chaseWriter = rowWriter<Chase>({
  table: 'spot_chase',
  columns: {
    id: 'uuid',
    owner: 'uuid',
    symbol: 'word',
    side: 'word',
    amount: 'numeric',
    distance: 'numeric',
    limit_price: 'numeric',
    minutes: 'integer',
    start_price: 'numeric',
    worst_price: 'numeric',
    order_id: 'uuid',
    moves: 'integer',
    moved_at: 'bigint',
    ending: 'word',
    created_at: 'bigint',
    updated_at: 'bigint',
  },
  cells: (chase) => [
    chase.id,
    chase.owner,
    chase.symbol,
    chase.side,
    chase.amount.toString(),
    chase.distance.toString(),
    chase.limitPrice?.toString() ?? null,
    chase.minutes,
    chase.startPrice.toString(),
    chase.worstPrice.toString(),
    chase.orderId,
    chase.moves,
    chase.movedAt,
    chase.ending ?? null,
    chase.createdAt,
    chase.updatedAt,
  ],
  upsert: {
    key: ['id'],
    keyOf: ({ id }) => id,
    update: ['moves', 'moved_at', 'ending', 'updated_at'],
  },
});

export const gridWriter = rowWriter<Grid>({
  table: 'spot_grid',
  columns: {
    id: 'uuid',
    owner: 'uuid',
    symbol: 'word',
    lower_price: 'numeric',
    upper_price: 'numeric',
    levels: 'integer',
    spacing: 'word',
    investment: 'numeric',
    slippage: 'numeric',
    maker_rate: 'numeric',
    taker_rate: 'numeric',
    amount: 'numeric',
    start_price: 'numeric',
    start_base: 'numeric',
    start_cost: 'numeric',
    start_quote: 'numeric',
    all_in_base: 'numeric',
    base: 'numeric',
    quote: 'numeric',
    base_fee: 'numeric',
    quote_fee: 'numeric',
    rounds: 'integer',
    round_profit: 'numeric',
    placed: 'integer',
    ending: 'word',
    end_price: 'numeric',
    stop_loss: 'numeric',
    take_profit: 'numeric',
    sells_at_end: 'boolean',
    sold_base: 'numeric',
    sold_quote: 'numeric',
    created_at: 'bigint',
    updated_at: 'bigint',
  },
  cells: (grid) => [
    grid.id,
    grid.owner,
    grid.symbol,
    grid.lowerPrice.toString(),
    grid.upperPrice.toString(),
    grid.levels,
    grid.spacing,
    grid.investment.toString(),
    grid.slippage.toString(),
    grid.makerRate.toString(),
    grid.takerRate.toString(),
    grid.amount.toString(),
    grid.startPrice.toString(),
    grid.startBase.toString(),
    grid.startCost.toString(),
    grid.startQuote.toString(),
    grid.allInBase.toString(),
    grid.base.toString(),
    grid.quote.toString(),
    grid.baseFee.toString(),
    grid.quoteFee.toString(),
    grid.rounds,
    grid.roundProfit.toString(),
    grid.placed,
    grid.ending ?? null,
    textOrNull(grid.endPrice),
    textOrNull(grid.stopLoss),
    textOrNull(grid.takeProfit),
    grid.sellsAtEnd ?? false,
    grid.soldBase.toString(),
    grid.soldQuote.toString(),
    grid.createdAt,
    grid.updatedAt,
  ],
  upsert: {
    key: ['id'],
    keyOf: ({ id }) => id,
    update: [
      'base',
      'quote',
      'base_fee',
      'quote_fee',
      'rounds',
      'round_profit',
      'placed',
      'ending',
      'end_price',
      'sold_base',
      'sold_quote',
      'updated_at',
    ],
  },
});

/**
 * Writer that stores, for two neighbouring prices of a grid, the open order and, if it is a sale, the cost
 * and the amount of the grid's purchase before it.
 */
export const gridLevelWriter = rowWriter<GridCell>({
  table: 'spot_grid_level',
  columns: {
    grid: 'uuid',
    level: 'integer',
    order_id: 'uuid',
    turn: 'bigint',
    cost: 'numeric',
    bought: 'numeric',
  },
  cells: ({ grid, level, orderId, turn, purchase }) => [
    grid,
    level,
    orderId ?? null,
    turn,
    textOrNull(purchase?.cost),
    textOrNull(purchase?.bought),
  ],
  upsert: {
    key: ['grid', 'level'],
    keyOf: ({ grid, level }) => `${grid} ${level}`,
    update: ['order_id', 'turn', 'cost', 'bought'],
  },
});

/** Writer that stores the position of an order among the orders that its grid has placed. */
export const gridOrderWriter = rowWriter<GridPlace>({
  table: 'spot_grid_order',
  columns: {
    grid: 'uuid',
    position: 'integer',
    order_id: 'uuid',
  },
  cells: ({ grid, position, orderId }) => [grid, position, orderId],
});

export const algoNoticeWriter = rowWriter<AlgoNotice>({
  table: 'spot_algo_notice',
  columns: {
    id: 'uuid',
    algo: 'uuid',
    kind: 'word',
  },
  cells: ({ id, algo, kind }) => [id, algo, kind],
});

export const lastPriceWriter = rowWriter<LastPrice>({
  table: 'spot_last_price',
  columns: { symbol: 'word', price: 'numeric', trade_sequence: 'bigint' },
  cells: ({ symbol, price, tradeSequence }) => [symbol, price.toString(), tradeSequence],
  upsert: { key: ['symbol'], keyOf: ({ symbol }) => symbol, update: ['price', 'trade_sequence'] },
});

export const markingWriter = rowWriter<StoredMarking>({
  table: 'spot_marking',
  columns: {
    symbol: 'word',
    from_trade: 'bigint',
    to_trade: 'bigint',
  },
  cells: ({ symbol, from, to }) => [symbol, from ?? null, to ?? null],
  upsert: {
    key: ['symbol'],
    keyOf: ({ symbol }) => symbol,
    update: ['from_trade', 'to_trade'],
  },
});

/**
 * Writer that stores an account's countdown, at whose end the account's orders on a pair or on all pairs are cancelled.
 * A row without `expireAt` means that no countdown runs.
 */
export const countdownWriter = rowWriter<Omit<Countdown, 'expireAt'> & Partial<Pick<Countdown, 'expireAt'>>>({
  table: 'spot_countdown',
  columns: {
    owner: 'uuid',
    symbol: 'word',
    due_at: 'bigint',
    sequence: 'bigint',
  },
  cells: ({ owner, symbol, expireAt, rank }) => [owner, symbol, expireAt ?? null, rank],
  upsert: {
    key: ['owner', 'symbol'],
    keyOf: ({ owner, symbol }) => `${owner} ${symbol}`,
    update: ['due_at', 'sequence'],
  },
});

export const pairStatusWriter = rowWriter<StatusSet>({
  table: 'spot_pair_status',
  columns: { symbol: 'word', status: 'word', since: 'bigint', set_by: 'text', reason: 'text' },
  cells: ({ symbol, status, at, by, reason }) => [symbol, status, at, by, reason],
  upsert: {
    key: ['symbol'],
    keyOf: ({ symbol }) => symbol,
    update: ['status', 'since', 'set_by', 'reason'],
  },
});

export const statusHistoryWriter = rowWriter<StatusSet>({
  table: 'spot_pair_status_history',
  columns: {
    sequence: 'bigint',
    symbol: 'word',
    status: 'word',
    status_before: 'word',
    set_by: 'text',
    reason: 'text',
    at: 'bigint',
  },
  cells: ({ sequence, symbol, status, statusBefore, by, reason, at }) => [
    sequence,
    symbol,
    status,
    statusBefore,
    by,
    reason,
    at,
  ],
});

function textOrNull(value: Decimal | undefined): string | null {
  return value?.toString() ?? null;
}
