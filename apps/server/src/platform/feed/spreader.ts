import type { Clock } from '../clock.ts';

/** Something that has frames to hand out to many readers. */
export interface Spread {
  /** Hands the next frame to at most `most` readers; false when there is nothing left. */
  handOut(most: number): boolean;
}

/** How long one turn of the event loop may write to sockets; calls are answered between turns. */
const TURN_MS = 5;
/** A write takes microseconds, so the clock is not asked after each. */
const SOCKETS_PER_LOOK = 50;

/**
 * Hands out all channels' updates in turns of the event loop, one channel after the other in the order in which they
 * had news: however many topics change at once and however many listen, a turn stays short.
 */
export class Spreader {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #waiting = new Set<Spread>();
  #isDue = false;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Hands out, from the next turn on, what `spread` has until nothing is left. */
  add(spread: Spread): void {
    this.#waiting.add(spread);
    this.#takeTurn();
  }

  #takeTurn(): void {
    if (this.#isDue || this.#waiting.size === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#turn();
    });
  }

  #turn(): void {
    const untilMs = this.#clock.monotonicMs() + TURN_MS;
    for (const spread of this.#waiting) {
      while (spread.handOut(SOCKETS_PER_LOOK)) {
        if (this.#clock.monotonicMs() < untilMs) continue;
        this.#takeTurn();
        return;
      }
      this.#waiting.delete(spread);
    }
  }
}
