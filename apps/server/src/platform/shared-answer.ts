import type { Clock } from './clock.ts';
import { asOwnWork } from './database/lanes.ts';

export interface SharingOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Maximum age in milliseconds of a cached answer. */
  readonly maxAgeMs: number;
}

/**
 * Caches an answer that is the same for every caller. The answer is read once and used again until `invalidate` is
 * called or the answer is too old. Calls during a read share this read.
 */
export class SharedAnswer<T> {
  readonly #read: () => Promise<T>;
  readonly #options: SharingOptions;
  #reading: { readonly answer: Promise<T>; readonly fromMs: number } | undefined;

  constructor(read: () => Promise<T>, options: SharingOptions) {
    this.#read = read;
    this.#options = options;
  }

  async get(): Promise<T> {
    const { clock, maxAgeMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const reading = this.#reading;
    if (reading !== undefined && nowMs - reading.fromMs < maxAgeMs) return reading.answer;
    // The answer is for all callers, so it is read with the exchange's own database pools instead of those of requests.
    const newReading = { answer: asOwnWork(this.#read), fromMs: nowMs };
    this.#reading = newReading;
    try {
      return await newReading.answer;
    } catch (cause) {
      // A failure is not cached, so the next call reads again.
      if (this.#reading === newReading) this.#reading = undefined;
      throw cause;
    }
  }

  /** Discards the cached answer, because its source has changed. The next `get` reads again. */
  invalidate(): void {
    this.#reading = undefined;
  }
}
