import type { Clock } from '../clock.ts';

interface RestartParts {
  readonly clock: Clock;
  /** Starts the next life of whatever ends now and then. */
  readonly begin: () => void;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** A life of so many milliseconds was steady: after it the pauses begin anew. */
const STEADY_MS = 60_000;

/**
 * Starts a process or a thread again whenever it ends: after `firstPauseMs`, then after twice as long each time, up to
 * `longestPauseMs`.
 */
export class Restarts {
  private readonly parts: RestartParts;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private startedMs = 0;
  private isRunning = false;
  /** Lives so far. */
  count = 0;

  constructor(parts: RestartParts) {
    this.parts = parts;
  }

  /** Begins the first life. Returns false where `stop` has not been called since the last `start`. */
  start(): boolean {
    if (this.isRunning) return false;
    this.isRunning = true;
    this.begin();
    return true;
  }

  /** Schedules the next life after one that ended, and returns the pause before it in ms; undefined once stopped. */
  schedule(): number | undefined {
    if (!this.isRunning) return undefined;
    const { clock, firstPauseMs, longestPauseMs } = this.parts;
    if (clock.monotonicMs() - this.startedMs > STEADY_MS) this.failures = 0;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.failures, 16));
    this.failures += 1;
    this.timer = setTimeout(() => this.begin(), pauseMs);
    return pauseMs;
  }

  /** No life begins after this. */
  stop(): void {
    this.isRunning = false;
    clearTimeout(this.timer);
  }

  private begin(): void {
    this.startedMs = this.parts.clock.monotonicMs();
    this.count += 1;
    this.parts.begin();
  }
}
