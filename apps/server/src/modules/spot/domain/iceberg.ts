import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { IcebergRequest } from '@exchange/core/spot-iceberg.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { EndReason } from './order.ts';

/**
 * How an iceberg ended: everything is filled, its owner cancelled it or its slice, self-trade prevention removed a slice, or a
 * program's countdown ran out.
 */
export type IcebergEnding = 'filled' | 'user' | 'selfTrade' | 'countdown';

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
  ending: IcebergEnding | undefined;
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

/** How an iceberg ends when its open slice ends for this reason. */
export function endingFor(reason: EndReason): IcebergEnding {
  if (reason === 'user') return 'user';
  return reason === 'countdown' || reason === 'disconnected' ? 'countdown' : 'selfTrade';
}

/** The running icebergs by id and by owner. */
export class OpenIcebergs {
  private readonly byId = new Map<string, Iceberg>();
  private readonly counts = new Map<UserId, number>();

  /** Number of running icebergs. */
  get size(): number {
    return this.byId.size;
  }

  get(id: string): Iceberg | undefined {
    return this.byId.get(id);
  }

  countOf(owner: UserId): number {
    return this.counts.get(owner) ?? 0;
  }

  add(iceberg: Iceberg): void {
    this.byId.set(iceberg.id, iceberg);
    this.counts.set(iceberg.owner, this.countOf(iceberg.owner) + 1);
  }

  remove({ id, owner }: Iceberg): void {
    if (!this.byId.delete(id)) return;
    const count = this.countOf(owner) - 1;
    if (count === 0) this.counts.delete(owner);
    else this.counts.set(owner, count);
  }

  clear(): void {
    this.byId.clear();
    this.counts.clear();
  }

  [Symbol.iterator](): IterableIterator<Iceberg> {
    return this.byId.values();
  }
}
