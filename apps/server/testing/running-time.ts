/** Interval in milliseconds of the timer that detects stalls. */
const TICK_MS = 50;
/** Maximum milliseconds between two ticks that count as running time. Time beyond this is a stall. */
const RESPONSIVE_MS = 500;

/**
 * Measures how long this process has been stalled. A busy or suspended machine can stop a test process for seconds. If
 * two ticks of a timer are more than half a second apart, the time beyond the half second is a stall.
 */
export class RunningTime {
  private readonly monotonic: () => number;
  private tickedMs: number;
  private lostMs = 0;

  /** `monotonic` returns milliseconds of a clock that never goes back. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.monotonic = monotonic;
    this.tickedMs = monotonic();
  }

  /**
   * Milliseconds in which this process was stalled since the measurement began, including a stall that has not ended.
   */
  get stalledMs(): number {
    return this.lostMs + Math.max(0, this.monotonic() - this.tickedMs - RESPONSIVE_MS);
  }

  /** Adds the stall since the last tick, if any, to the sum. The timer calls it at each tick. */
  tick(): void {
    this.lostMs = this.stalledMs;
    this.tickedMs = this.monotonic();
  }
}

/** Object that measures the stalls of this process. Its timer does not keep the process alive. */
export const runningTime = new RunningTime();
setInterval(() => runningTime.tick(), TICK_MS).unref();
