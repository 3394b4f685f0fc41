import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { LadderRequest } from '@exchange/core/spot-ladder.ts';
import type { Instant } from '@exchange/core/time.ts';

/** A scaled ladder as its owner requested it. Its fills are those of its orders. */
export interface Ladder extends LadderRequest {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  readonly createdAt: Instant;
}

/**
 * The ids of a ladder and of one of its orders, and the position of the order; position 0 is at `fromPrice`.
 */
export interface LadderPlace {
  readonly ladder: string;
  readonly position: number;
  readonly orderId: OrderId;
}

/** A ladder with the numbers of its open and filled orders, and the sums of their fills and fees. */
export interface LadderProgress extends Ladder {
  /** Number of the ladder's open orders, and of its completely filled ones. */
  readonly open: number;
  readonly filled: number;
  /** Filled amount in the base coin, and the total of the fills in the quote coin. */
  readonly filledAmount: Decimal;
  readonly filledTotal: Decimal;
  /** Fees so far in the coin that the orders receive. */
  readonly fee: Decimal;
  readonly updatedAt: Instant;
}

/** Counts the open orders of each ladder, to detect the end of a ladder's last open order. */
export class OpenLadders {
  private readonly ladderOf = new Map<OrderId, string>();
  private readonly openOf = new Map<string, number>();

  add(ladder: string, order: OrderId): void {
    this.ladderOf.set(order, ladder);
    this.openOf.set(ladder, (this.openOf.get(ladder) ?? 0) + 1);
  }

  /**
   * Removes an ended order. Returns the id of its ladder if it was the last open order of the ladder; otherwise
   * undefined.
   */
  recordEnded(order: OrderId): string | undefined {
    // This function is called for every order that ends, and usually no ladder is open.
    if (this.ladderOf.size === 0) return undefined;
    const ladder = this.ladderOf.get(order);
    if (ladder === undefined) return undefined;
    this.ladderOf.delete(order);
    const open = this.openOf.get(ladder)! - 1;
    if (open > 0) {
      this.openOf.set(ladder, open);
      return undefined;
    }
    this.openOf.delete(ladder);
    return ladder;
  }

  clear(): void {
    this.ladderOf.clear();
    this.openOf.clear();
  }
}
