import type { Clock } from './clock.ts';

/** Parts that took less are not named. */
const NAMED_FROM_MS = 10;

/** Measures how long the parts of a start took, for the log. Parts may run at the same time. */
export class StartTimeline {
  private readonly clock: Pick<Clock, 'monotonicMs'>;
  private begunMs: number;
  private readonly parts: { readonly name: string; readonly ms: number }[] = [];

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.clock = clock;
    this.begunMs = clock.monotonicMs();
  }

  /** Forgets the time so far: a standby has waited until it could become the writer. */
  begin(): void {
    this.begunMs = this.clock.monotonicMs();
    this.parts.length = 0;
  }

  /** Runs one part. Its time begins with the start if that began during the part. */
  async measured<T>(name: string, run: () => Promise<T> | T): Promise<T> {
    const calledMs = this.clock.monotonicMs();
    const result = await run();
    this.parts.push({ name, ms: this.clock.monotonicMs() - Math.max(calledMs, this.begunMs) });
    return result;
  }

  /** Milliseconds since the beginning, and those of each part that took 10 or more, longest first: `spot 412, market 95`. */
  fields(): { readonly ms: number; readonly parts: string } {
    const named = this.parts.filter(({ ms }) => ms >= NAMED_FROM_MS).toSorted((a, b) => b.ms - a.ms);
    return {
      ms: Math.round(this.clock.monotonicMs() - this.begunMs),
      parts: named.map(({ name, ms }) => `${name} ${Math.round(ms)}`).join(', '),
    };
  }
}
