import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, TradeId, UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import { rowWriter } from '../../platform/sequencer/row-writer.ts';
import type { SpotOrder } from './order-domain.ts';

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
  spot_pair_status: { symbol: string; status: string; since: bigint };
};

/** A trade as it is stored. */
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

export const orderWriter = rowWriter<SpotOrder>({
  table: 'spot_order',
  columns: {
    id: 'uuid',
    owner: 'uuid',
    symbol: 'text',
    side: 'text',
    type: 'text',
    time_in_force: 'text',
    post_only: 'boolean',
    self_trade: 'text',
    price: 'numeric',
    amount: 'numeric',
    total: 'numeric',
    filled_amount: 'numeric',
    filled_total: 'numeric',
    fee: 'numeric',
    held: 'numeric',
    held_asset: 'text',
    status: 'text',
    reason: 'text',
    maker_rate: 'numeric',
    taker_rate: 'numeric',
    client_id: 'text',
    rank: 'bigint',
    created_at: 'bigint',
    updated_at: 'bigint',
  },
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
  ],
  upsert: {
    key: ['id'],
    keyOf: (order) => order,
    update: ['filled_amount', 'filled_total', 'fee', 'held', 'status', 'reason', 'updated_at'],
  },
});

export const tradeWriter = rowWriter<SpotTrade>({
  table: 'spot_trade',
  columns: {
    id: 'uuid',
    sequence: 'bigint',
    symbol: 'text',
    price: 'numeric',
    amount: 'numeric',
    total: 'numeric',
    taker_side: 'text',
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
