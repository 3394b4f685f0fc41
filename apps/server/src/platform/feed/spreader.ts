import type { Clock } from '../clock.ts';

/** A source of pre-serialised frames for many subscribers. */
export interface FrameSource {
  /** Sends the next frame to at most this many further subscribers; false if nothing remains to be sent. */
  sendNext(maxReaders: number): boolean;
}

/**
 * Milliseconds for which one turn of the event loop may write to sockets; requests are served
 * between turns.
 */
const TURN_MS = 5;
/** Greatest number of writes between two readings of the clock; a write takes microseconds. */
const SOCKETS_PER_CHECK = 50;

/**
 * Distributes the updates of topics with many subscribers, one topic after another in order of
 * arrival. Each turn of the event loop stays short, however many topics change and however many
 * subscribers they have.
 */
export class FrameDistributor {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #waiting = new Set<FrameSource>();
  #isDue = false;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Distributes a topic's frames from the next turn of the event loop on, until none remains. */
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
