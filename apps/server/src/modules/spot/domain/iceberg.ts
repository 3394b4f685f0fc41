import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { IcebergRequest } from '@exchange/core/spot-iceberg.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { AlgoEnding } from './algo-ending.ts';

/** An iceberg with its progress: the fields without `readonly` change while it runs and when it ends. */
export interface Iceberg extends IcebergRequest {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  /** The coin of the funds in `reserved`. */
  readonly heldAsset: AssetCode;
  readonly createdAt: Instant;
  /**
   * Number of placed orders, and the sum of the amounts that they placed: of slices their whole amount, of the order
   * that traded at once, if there was one, only what it filled or self-trade prevention removed.
   */
  placed: number;
  placedAmount: Decimal;
  /** Funds reserved for the amount that is not placed yet. */
  reserved: Decimal;
  /** The id of the slice on the book; undefined only when the iceberg has ended. */
  slice: OrderId | undefined;
  /**
   * Number of the slice among those that the same step placed. After a restart, it determines the sequence on the
   * book of slices of the same step and price.
   */
  sliceTurn: number;
  /** Filled amount in the base coin, and the total of the fills in the quote coin. */
  filledAmount: Decimal;
  filledTotal: Decimal;
  /** Fees so far in the coin that the slices receive. */
  fee: Decimal;
  /** How the iceberg ended; undefined while it runs. */
  ending: AlgoEnding | undefined;
  updatedAt: Instant;
}

/**
 * The ids of an iceberg and of one of its orders, and the position of the order among them, from 0; the order
 * that traded at once, if there was one, is the first.
 */
export interface SlicePlace {
  readonly iceberg: string;
  readonly position: number;
  readonly orderId: OrderId;
}

/** The amount of an iceberg in the base coin that none of its orders has placed yet. */
export function hiddenAmount({ amount, placedAmount }: Pick<Iceberg, 'amount' | 'placedAmount'>): Decimal {
  return amount.minus(placedAmount);
}
