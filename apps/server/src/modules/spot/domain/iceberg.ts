import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { IcebergRequest } from '@exchange/core/spot-iceberg.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { AlgoEnding } from './algo-ending.ts';

/** An iceberg with its progress. The fields below `createdAt` change. */
export interface Iceberg extends IcebergRequest {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  /** The coin of `reserved`. */
  readonly heldAsset: AssetCode;
  readonly createdAt: Instant;
  /** Number of placed orders, and the sum of their amounts. */
  placed: number;
  placedAmount: Decimal;
  /** Funds reserved for what is not placed yet. */
  reserved: Decimal;
  /** The slice on the book; undefined only when the iceberg has ended. */
  slice: OrderId | undefined;
  /**
   * The turn of the slice: steps that place several slices number them, so that slices of the same step and price keep their
   * order on the book after a restart.
   */
  sliceTurn: number;
  /** Filled amount in the base coin, and its total in the quote coin. */
  filledAmount: Decimal;
  filledTotal: Decimal;
  /** Fees in the coin that the slices receive. */
  fee: Decimal;
  /** Undefined while it runs. */
  ending: AlgoEnding | undefined;
  updatedAt: Instant;
}

/** The place of an order in its iceberg. */
export interface SlicePlace {
  readonly iceberg: string;
  readonly position: number;
  readonly orderId: OrderId;
}

/** The amount in the base coin that is not on the book yet. */
export function hiddenAmount({ amount, placedAmount }: Pick<Iceberg, 'amount' | 'placedAmount'>): Decimal {
  return amount.minus(placedAmount);
}
