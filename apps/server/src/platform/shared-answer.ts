import type { Clock } from './clock.ts';
import { asOwnWork } from './database/lanes.ts';

export interface SharingOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** So long an answer is given at most, where nobody invalidates it before. */
  readonly maxAgeMs: number;
}

/**
 * An answer that is the same for everybody who asks: read once, given from memory, and read again after `invalidate` or
 * when it is too old. Whoever asks while it is being read waits for the same reading.
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
    const known = this.#reading;
    if (known !== undefined && nowMs - known.fromMs < maxAgeMs) return known.answer;
    // Read for everybody, so it waits for nobody's requests.
    const reading = { answer: asOwnWork(this.#read), fromMs: nowMs };
    this.#reading = reading;
    try {
      return await reading.answer;
    } catch (cause) {
      // A failure is nobody's answer: the next one asks again.
      if (this.#reading === reading) this.#reading = undefined;
      throw cause;
    }
  }

  /** What it says has changed: the next one who asks gets it as it is then. */
  invalidate(): void {
    this.#reading = undefined;
  }
}
