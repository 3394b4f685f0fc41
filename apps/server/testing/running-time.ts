/** Milliseconds between two ticks of the timer that notices stalls. */
const TICK_MS = 50;
/** Milliseconds between two ticks above which the rest counts as a stall. */
const RESPONSIVE_MS = 500;

/**
 * Time that passes only while this process runs. A busy or suspended machine can stop a test process for seconds;
 * for an exchange in that process no more than half a second has passed then, as if the stall had not happened.
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

  /** Milliseconds lost in stalls so far. */
  get stalledMs(): number {
    return this.lostMs + Math.max(0, this.monotonic() - this.tickedMs - RESPONSIVE_MS);
  }

  /** Marks that the process runs; called at each tick of a timer. */
  tick(): void {
    this.lostMs = this.stalledMs;
    this.tickedMs = this.monotonic();
  }

  /** Unix time in milliseconds minus the stalls. */
  now(): number {
    return Math.floor(Date.now() - this.stalledMs);
  }

  /** Milliseconds of the process's monotonic clock minus the stalls. */
  monotonicMs(): number {
    return this.monotonic() - this.stalledMs;
  }
}

/** Running time of this process. Its timer does not keep the process alive. */
export const runningTime = new RunningTime();
setInterval(() => runningTime.tick(), TICK_MS).unref();
