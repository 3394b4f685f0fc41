import { Decimal } from '@exchange/core/decimal.ts';

/** Price and amount of a level as text, in the format of the trading API. */
export type Level = readonly [string, string];

/** The answer of `/api/v3/depth`. */
export interface DepthSnapshot {
  readonly lastUpdateId: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** An event of a depth stream: the changes `U` to `u` of a book, with the new amounts of the changed levels. */
export interface DepthEvent {
  readonly U: number;
  readonly u: number;
  readonly b: readonly Level[];
  readonly a: readonly Level[];
}

/**
 * An order book that a client builds from a snapshot and a stream of changes, as the guide to the trading API
 * describes.
 */
export class LocalBook {
  readonly sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
  lastUpdateId: number;

  constructor(snapshot: DepthSnapshot) {
    this.lastUpdateId = snapshot.lastUpdateId;
    for (const [price, amount] of snapshot.bids) this.sides.bids.set(price, amount);
    for (const [price, amount] of snapshot.asks) this.sides.asks.set(price, amount);
  }

  /** Applies an event of book changes. Throws if an event is missing. */
  apply(event: DepthEvent): void {
    if (event.u <= this.lastUpdateId) return;
    if (event.U > this.lastUpdateId + 1) throw new Error(`a gap before ${event.U}`);
    for (const [side, levels] of [
      ['bids', event.b],
      ['asks', event.a],
    ] as const)
      for (const [price, amount] of levels)
        if (Number(amount) === 0) this.sides[side].delete(price);
        else this.sides[side].set(price, amount);
    this.lastUpdateId = event.u;
  }

  /** The levels of a side, the best price first. */
  sorted(side: 'bids' | 'asks'): Level[] {
    const levels = [...this.sides[side]];
    return levels.toSorted(([left], [right]) => {
      const order = Decimal.parse(left).compare(Decimal.parse(right));
      return side === 'asks' ? order : -order;
    });
  }
}
