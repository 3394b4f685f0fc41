import type { CancelledMaker, Fill } from './contract.ts';
import type { BookOrder } from './level.ts';
import type { RestingOrders } from './resting-orders.ts';
import type { Effects } from './sweep.ts';

/** Carries a sweep out on the book and writes down what happened. */
export class Recorder implements Effects {
  readonly fills: Fill[] = [];
  readonly cancelledMakers: CancelledMaker[] = [];
  private readonly orders: RestingOrders;

  constructor(orders: RestingOrders) {
    this.orders = orders;
  }

  fill(maker: BookOrder, price: bigint, lots: bigint): void {
    const makerRemaining = maker.amount - lots;
    this.fills.push({ makerId: maker.id, makerOwner: maker.owner, price, amount: lots, makerRemaining });
    this.takeOff(maker, lots);
  }

  cancelMaker(maker: BookOrder, price: bigint, lots: bigint): void {
    const remaining = maker.amount - lots;
    this.cancelledMakers.push({ id: maker.id, owner: maker.owner, price, amount: lots, remaining });
    this.takeOff(maker, lots);
  }

  private takeOff(maker: BookOrder, lots: bigint): void {
    if (lots === maker.amount) this.orders.remove(maker);
    else maker.level.reduce(maker, lots);
  }
}
