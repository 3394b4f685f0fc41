import type { Clock } from '../clock.ts';

/** A source of pre-serialized frames for many subscribers. */
export interface FrameSource {
  /** Sends the next frame to at most `maxReaders` further subscribers. Returns false if nothing remains to be sent. */
  sendNext(maxReaders: number): boolean;
}

/**
 * Milliseconds for which one turn of the event loop may write updates to sockets. Requests are served between the
 * turns.
 */
const TURN_MS = 5;
/** Number of writes after which the clock is read. A write takes microseconds. */
const SOCKETS_PER_CHECK = 50;

/**
 * Distributes the updates of topics with many subscribers, one topic after another in the order of arrival. It writes
 * for at most `TURN_MS` per turn of the event loop, however many topics change and however many subscribers they have.
 */
export class FrameDistributor {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #waiting = new Set<FrameSource>();
  #isDue = false;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Distributes a topic's frames in later turns of the event loop, until none remains. */
  add(spread: FrameSource): void {
    this.#waiting.add(spread);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isDue || this.#waiting.size === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#distribute();
    });
  }

  #distribute(): void {
    const untilMs = this.#clock.monotonicMs() + TURN_MS;
    for (const spread of this.#waiting) {
      while (spread.sendNext(SOCKETS_PER_CHECK)) {
        if (this.#clock.monotonicMs() < untilMs) continue;
        this.#schedule();
        return;
      }
      this.#waiting.delete(spread);
    }
  }
}
