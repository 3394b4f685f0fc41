import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { LadderRequest } from '@exchange/core/spot-ladder.ts';
import type { Instant } from '@exchange/core/time.ts';

/** A scaled ladder as its owner requested it. Its progress is that of its orders. */
export interface Ladder extends LadderRequest {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  readonly createdAt: Instant;
}

/** The place of an order in its ladder; 0 is the order at `fromPrice`. */
export interface LadderPlace {
  readonly ladder: string;
  readonly position: number;
  readonly orderId: OrderId;
}

/** A ladder with the sums of its orders. */
export interface LadderProgress extends Ladder {
  /** Number of its orders that are open, and that are completely filled. */
  readonly open: number;
  readonly filled: number;
  /** Filled amount in the base coin, and its total in the quote coin. */
  readonly filledAmount: Decimal;
  readonly filledTotal: Decimal;
  /** Fees in the coin that the orders receive. */
  readonly fee: Decimal;
  readonly updatedAt: Instant;
}

/** The ladders with open orders, so that the step that ends the last of them knows it. */
export class OpenLadders {
  private readonly ladderOf = new Map<OrderId, string>();
  private readonly openOf = new Map<string, number>();

  add(ladder: string, order: OrderId): void {
    this.ladderOf.set(order, ladder);
    this.openOf.set(ladder, (this.openOf.get(ladder) ?? 0) + 1);
  }

  /** Records that an order has ended. Returns its ladder if that was its last open order. */
  recordEnded(order: OrderId): string | undefined {
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
