import type { Clock } from './clock.ts';

/** Minimum duration in milliseconds of a part of the start that is named in the log. */
const NAMED_FROM_MS = 10;

/** Measures the durations of the parts of a start, for the log. Parts may run concurrently. */
export class StartTimeline {
  private readonly clock: Pick<Clock, 'monotonicMs'>;
  private begunMs: number;
  private readonly parts: { readonly name: string; readonly ms: number }[] = [];

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.clock = clock;
    this.begunMs = clock.monotonicMs();
  }

  /**
   * Begins the measurement again. A standby calls it when it becomes the writer, so that its waiting does not count.
   */
  begin(): void {
    this.begunMs = this.clock.monotonicMs();
    this.parts.length = 0;
  }

  /** Runs a part and measures its duration. If `begin` is called during the part, the duration counts from then. */
  async measured<T>(name: string, run: () => Promise<T> | T): Promise<T> {
    const calledMs = this.clock.monotonicMs();
    const result = await run();
    this.parts.push({ name, ms: this.clock.monotonicMs() - Math.max(calledMs, this.begunMs) });
    return result;
  }

  /**
   * Returns in `ms` the milliseconds since the construction or the last call of `begin`, and in `parts` the
   * milliseconds of each part that took 10 or more, longest first, as in `spot 412, market 95`.
   */
  fields(): { readonly ms: number; readonly parts: string } {
    const named = this.parts.filter(({ ms }) => ms >= NAMED_FROM_MS).toSorted((a, b) => b.ms - a.ms);
    return {
      ms: Math.round(this.clock.monotonicMs() - this.begunMs),
      parts: named.map(({ name, ms }) => `${name} ${Math.round(ms)}`).join(', '),
    };
  }
}
