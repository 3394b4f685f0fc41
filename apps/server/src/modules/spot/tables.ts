import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, TradeId, UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import { changeWriter, rowWriter, type ColumnType } from '../../platform/sequencer/row-writer.ts';
import type { SpotOrder } from './domain/order.ts';

export type SpotTables = {
  spot_order: {
    id: string;
    owner: string;
    symbol: string;
    side: string;
    type: string;
    time_in_force: string;
    post_only: boolean;
    self_trade: string;
    price: string | null;
    amount: string | null;
    total: string | null;
    filled_amount: string;
    filled_total: string;
    fee: string;
    held: string;
    held_asset: string;
    status: string;
    reason: string;
    maker_rate: string;
    taker_rate: string;
    client_id: string;
    rank: bigint;
    created_at: bigint;
    updated_at: bigint;
    trader: string | null;
    received_at: bigint | null;
  };
  spot_trade: {
    id: string;
    sequence: bigint;
    symbol: string;
    price: string;
    amount: string;
    total: string;
    taker_side: string;
    taker: string;
    taker_order: string;
    taker_fee: string;
    maker: string;
    maker_order: string;
    maker_fee: string;
    value_usdt: string | null;
    at: bigint;
  };
  /** Optional terms of an order; an order that never had any has no row. */
  spot_order_terms: {
    order_id: string;
    stop_price: string | null;
    direction: string | null;
    trail: string | null;
    extreme: string | null;
    activation: string | null;
    activated_at: bigint | null;
    stop_status: string | null;
    triggered_at: bigint | null;
    trade_sequence: bigint | null;
    expire_at: bigint | null;
    group_id: string | null;
    list_name: string | null;
    oto_id: string | null;
    oto_role: string | null;
    oto_released_at: bigint | null;
    take_profit: string | null;
    stop_loss: string | null;
    stop_loss_limit: string | null;
    exit_status: string | null;
    entry_id: string | null;
    session_id: string | null;
    cancelled_amount: string;
  };
  spot_ladder: {
    id: string;
    owner: string;
    symbol: string;
    side: string;
    from_price: string;
    to_price: string;
    amount: string;
    sizes: string;
    orders: number;
    created_at: bigint;
  };
  spot_ladder_order: {
    ladder: string;
    position: number;
    order_id: string;
  };
  spot_twap: {
    id: string;
    owner: string;
    symbol: string;
    side: string;
    amount: string;
    minutes: number;
    children: number;
    bound: string;
    limit_price: string | null;
    start_price: string;
    next_child: number;
    placed: number;
    filled_amount: string;
    filled_total: string;
    fee: string;
    pause: string | null;
    notified: string;
    ending: string | null;
    created_at: bigint;
    updated_at: bigint;
  };
  spot_twap_child: {
    twap: string;
    child: number;
    order_id: string;
  };
  spot_iceberg: {
    id: string;
    owner: string;
    symbol: string;
    side: string;
    price: string;
    amount: string;
    visible: string;
    post_only: boolean;
    placed_amount: string;
    placed: number;
    reserved: string;
    held_asset: string;
    slice: string | null;
    slice_turn: bigint;
    filled_amount: string;
    filled_total: string;
    fee: string;
    ending: string | null;
    created_at: bigint;
    updated_at: bigint;
  };
  spot_iceberg_slice: {
    iceberg: string;
    position: number;
    order_id: string;
  };
  spot_chase: {
    id: string;
    owner: string;
    symbol: string;
    side: string;
    amount: string;
    distance: string;
    limit_price: string | null;
    minutes: number;
    start_price: string;
    worst_price: string;
    order_id: string;
    moves: number;
    moved_at: bigint;
    ending: string | null;
    created_at: bigint;
    updated_at: bigint;
  };
  spot_grid: {
    id: string;
    owner: string;
    symbol: string;
    lower_price: string;
    upper_price: string;
    levels: number;
    spacing: string;
    investment: string;
    slippage: string;
    maker_rate: string;
    taker_rate: string;
    amount: string;
    start_price: string;
    start_base: string;
    start_cost: string;
    start_quote: string;
    all_in_base: string;
    base: string;
    quote: string;
    base_fee: string;
    quote_fee: string;
    rounds: number;
    round_profit: string;
    placed: number;
    ending: string | null;
    end_price: string | null;
    stop_loss: string | null;
    take_profit: string | null;
    sells_at_end: boolean;
    sold_base: string;
    sold_quote: string;
    created_at: bigint;
    updated_at: bigint;
  };
  spot_grid_level: {
    grid: string;
    level: number;
    order_id: string | null;
    turn: bigint;
    cost: string | null;
    bought: string | null;
  };
  spot_grid_order: {
    grid: string;
    position: number;
    order_id: string;
  };
  spot_algo_notice: { id: string; algo: string; kind: string };
  spot_amendment: {
    order_id: string;
    sequence: bigint;
    at: bigint;
    price: string | null;
    amount: string | null;
    price_before: string | null;
    amount_before: string | null;
    stop_price: string | null;
    stop_price_before: string | null;
    take_profit: string | null;
    stop_loss: string | null;
    stop_loss_limit: string | null;
    take_profit_before: string | null;
    stop_loss_before: string | null;
    stop_loss_limit_before: string | null;
  };
  /**
   * The countdowns of accounts: one row for each pair (or for all pairs) for which an account ever had a
   * countdown; `due_at` is null while no countdown runs.
   */
  spot_countdown: { owner: string; symbol: string; due_at: bigint | null; sequence: bigint };
  /** Table of the order lists (OCOs, OTOs and OTOCOs) by id, each with its owner. */
  spot_order_list: { id: string; owner: string };
  spot_last_price: { symbol: string; price: string; trade_sequence: bigint };
  spot_marking: { symbol: string; from_trade: bigint | null; to_trade: bigint | null };
  spot_pair_status: { symbol: string; status: string; since: bigint; set_by: string; reason: string };
  spot_pair_status_history: {
    sequence: bigint;
    symbol: string;
    status: string;
    status_before: string;
    set_by: string;
    reason: string;
    at: bigint;
  };
  spot_presence: { id: number; at: bigint; is_planned_stop: boolean };
  spot_fill_cursor: { id: number; sequence: bigint };
};

/**
 * The trades of a pair whose triggered stops are not all marked as due. Both ends are undefined if
 * there are no such trades.
 */
export interface StoredMarking {
  readonly symbol: string;
  /**
   * The sequence number of the first trade whose triggered stops are not all marked as due; some of them may
   * be marked. Undefined if the stops of all trades are marked.
   */
  readonly from: number | undefined;
  /** The sequence number of the last trade whose triggered stops are not all marked as due. */
  readonly to: number | undefined;
}

/** The price and the sequence number of the last trade of a pair. */
export interface LastPrice {
  readonly symbol: string;
  readonly price: Decimal;
  readonly tradeSequence: number;
}

/** A stored trade. */
export interface SpotTrade {
  readonly id: TradeId;
  readonly sequence: number;
  readonly symbol: string;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly total: Decimal;
  readonly takerSide: Side;
  readonly taker: UserId;
  readonly takerOrder: OrderId;
  readonly takerFee: Decimal;
  readonly maker: UserId;
  readonly makerOrder: OrderId;
  readonly makerFee: Decimal;
  readonly valueUsdt: Decimal | undefined;
  readonly at: Instant;
}

/**
 * The database columns of orders and of their optional terms with the column types, in the order in which
 * cells are written and read.
 */
export const ORDER_COLUMNS = {
  id: 'uuid',
  owner: 'uuid',
  symbol: 'word',
  side: 'word',
  type: 'word',
  time_in_force: 'word',
  post_only: 'boolean',
  self_trade: 'word',
  price: 'numeric',
  amount: 'numeric',
  total: 'numeric',
  filled_amount: 'numeric',
  filled_total: 'numeric',
  fee: 'numeric',
  held: 'numeric',
  held_asset: 'word',
  status: 'word',
  reason: 'word',
  maker_rate: 'numeric',
  taker_rate: 'numeric',
  client_id: 'text',
  rank: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
  trader: 'uuid',
  received_at: 'bigint',
} as const satisfies Record<keyof SpotTables['spot_order'], ColumnType>;
export const TERMS_COLUMNS = {
  order_id: 'uuid',
  stop_price: 'numeric',
  direction: 'word',
  trail: 'numeric',
  extreme: 'numeric',
  activation: 'numeric',
  activated_at: 'bigint',
  stop_status: 'word',
  triggered_at: 'bigint',
  trade_sequence: 'bigint',
  expire_at: 'bigint',
  group_id: 'uuid',
  list_name: 'text',
  oto_id: 'uuid',
  oto_role: 'word',
  oto_released_at: 'bigint',
  take_profit: 'numeric',
  stop_loss: 'numeric',
  stop_loss_limit: 'numeric',
  exit_status: 'word',
  entry_id: 'uuid',
  session_id: 'uuid',
  cancelled_amount: 'numeric',
} as const satisfies Record<keyof SpotTables['spot_order_terms'], ColumnType>;

/** Writer that inserts new orders. */
export const orderWriter = rowWriter<SpotOrder>({
  table: 'spot_order',
  columns: ORDER_COLUMNS,
  cells: (order) => [
    order.id,
    order.owner,
    order.pair.symbol,
    order.side,
    order.type,
    order.timeInForce,
    order.postOnly,
    order.selfTrade,
    order.price?.toString() ?? null,
    order.amount?.toString() ?? null,
    order.total?.toString() ?? null,
    order.filledAmount.toString(),
    order.filledTotal.toString(),
    order.fee.toString(),
    order.held.toString(),
    order.heldAsset,
    order.state,
    order.reason,
    order.makerRate.toString(),
    order.takerRate.toString(),
    order.clientId,
    order.rank,
    order.createdAt,
    order.updatedAt,
    order.trader === order.owner ? null : order.trader,
    order.receivedAt ?? null,
  ],
  keyOf: (order) => order,
});

/** Writer that updates the changeable columns of stored orders. */
export const orderChangeWriter = changeWriter<SpotOrder>({
  after: orderWriter,
  key: ['id', 'uuid'],
  columns: {
    price: 'numeric',
    amount: 'numeric',
    rank: 'bigint',
    filled_amount: 'numeric',
    filled_total: 'numeric',
    fee: 'numeric',
    held: 'numeric',
    status: 'word',
    reason: 'word',
    updated_at: 'bigint',
  },
  cells: (order) => [
    order.id,
    order.price?.toString() ?? null,
    order.amount?.toString() ?? null,
    order.rank,
    order.filledAmount.toString(),
    order.filledTotal.toString(),
    order.fee.toString(),
    order.held.toString(),
    order.state,
    order.reason,
    order.updatedAt,
  ],
});

/** Whether an order has optional terms, which need a row of their own; most orders do not. */
export function hasTerms(order: SpotOrder): boolean {
  const { stop, expireAt, groupId, oto, exits, entryId, sessionId, cancelledAmount } = order;
  const isPlain = stop === undefined && expireAt === undefined && exits === undefined;
  const isAlone = groupId === '' && oto === undefined && entryId === '' && sessionId === '';
  return !isPlain || !isAlone || !cancelledAmount.isZero();
}

export const termsWriter = rowWriter<SpotOrder>({
  table: 'spot_order_terms',
  columns: TERMS_COLUMNS,
  cells: ({ id, stop, expireAt, groupId, listName, oto, exits, entryId, sessionId, cancelledAmount }) => [
    id,
    stop?.price.toString() ?? null,
    stop?.direction ?? null,
    stop?.trail?.toString() ?? null,
    stop?.extreme?.toString() ?? null,
    stop?.activation?.toString() ?? null,
    stop?.activatedAt ?? null,
    stop?.status ?? null,
    stop?.triggeredAt ?? null,
    stop?.tradeSequence ?? null,
    expireAt ?? null,
    groupId === '' ? null : groupId,
    listName === '' ? null : listName,
    oto?.id ?? null,
    oto?.role ?? null,
    oto?.releasedAt ?? null,
    exits?.takeProfit?.toString() ?? null,
    exits?.stopLoss?.toString() ?? null,
    exits?.stopLossLimit?.toString() ?? null,
    exits?.status ?? null,
    entryId === '' ? null : entryId,
    sessionId === '' ? null : sessionId,
    cancelledAmount.toString(),
  ],
  upsert: {
    key: ['order_id'],
    keyOf: (order) => order,
    update: [
      'stop_price',
      'extreme',
      'activated_at',
      'stop_status',
      'triggered_at',
      'trade_sequence',
      'expire_at',
      'oto_released_at',
      'take_profit',
      'stop_loss',
      'stop_loss_limit',
      'exit_status',
      'cancelled_amount',
    ],
  },
});
