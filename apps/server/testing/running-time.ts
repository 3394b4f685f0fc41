/** Milliseconds between two ticks of the timer that notices stalls. */
const TICK_MS = 50;
/** Milliseconds between two ticks above which the rest counts as a stall. */
const RESPONSIVE_MS = 500;

/**
 * Measures for how long this process has not run. A busy or suspended machine can stop a test process for seconds;
 * what exceeds half a second between two ticks is a stall.
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

  /** Marks that the process runs; called at each tick of a timer. */
  tick(): void {
    this.lostMs = this.stalledMs;
    this.tickedMs = this.monotonic();
  }
}

/** Running time of this process. Its timer does not keep the process alive. */
export const runningTime = new RunningTime();
setInterval(() => runningTime.tick(), TICK_MS).unref();
