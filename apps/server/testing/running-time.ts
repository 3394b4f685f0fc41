/** Interval in milliseconds of the timer that detects stalls. */
const TICK_MS = 50;
/** Milliseconds between two ticks that count as running time; the rest is a stall. */
const RESPONSIVE_MS = 500;

/**
 * Measures how long this process has been stalled. A busy or suspended machine can stop a test process for seconds. The
 * time between two ticks of a timer that exceeds half a second is a stall.
 */
export class RunningTime {
  private readonly monotonic: () => number;
  private tickedMs: number;
  private lostMs = 0;

  /** `monotonic` returns milliseconds that never decrease. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.monotonic = monotonic;
    this.tickedMs = monotonic();
  }

  /** Milliseconds of stalls so far, including one that has not ended. */
  get stalledMs(): number {
    return this.lostMs + Math.max(0, this.monotonic() - this.tickedMs - RESPONSIVE_MS);
  }

  /** Records that the process runs. The timer calls it at each tick. */
  tick(): void {
    this.lostMs = this.stalledMs;
    this.tickedMs = this.monotonic();
  }
}

/** Running time of this process. Its timer does not keep the process alive. */
export const runningTime = new RunningTime();
setInterval(() => runningTime.tick(), TICK_MS).unref();
