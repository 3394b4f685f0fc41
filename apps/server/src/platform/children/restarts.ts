import type { Clock } from '../clock.ts';

interface RestartParts {
  readonly clock: Clock;
  /** Starts the supervised process or thread. */
  readonly startRun: () => void;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/**
 * Milliseconds after which a run of the supervised process or thread counts as stable, so that the next pause is the
 * first one again.
 */
const STEADY_MS = 60_000;

/**
 * Restarts a process or thread whenever it ends: first after `firstPauseMs`, then each time after twice the previous
 * pause, up to `longestPauseMs`. After a run of more than a minute the pause is `firstPauseMs` again.
 */
export class Restarts {
  private readonly parts: RestartParts;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private startedMs = 0;
  private isRunning = false;
  /** Number of starts of the process or thread so far, including restarts. */
  count = 0;

  constructor(parts: RestartParts) {
    this.parts = parts;
  }

  /** Starts the process or thread for the first time. Returns false if it is already started. */
  start(): boolean {
    if (this.isRunning) return false;
    this.isRunning = true;
    this.startRun();
    return true;
  }

  /**
   * Schedules a restart after the process or thread has ended. Returns the milliseconds until the restart, or undefined
   * if `stop` was called, which prevents it.
   */
  schedule(): number | undefined {
    if (!this.isRunning) return undefined;
    const { clock, firstPauseMs, longestPauseMs } = this.parts;
    if (clock.monotonicMs() - this.startedMs > STEADY_MS) this.failures = 0;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.failures, 16));
    this.failures += 1;
    this.timer = setTimeout(() => this.startRun(), pauseMs);
    return pauseMs;
  }

  /** Cancels a scheduled restart and prevents further ones. A running process or thread is not ended. */
  stop(): void {
    this.isRunning = false;
    clearTimeout(this.timer);
  }

  private startRun(): void {
    this.startedMs = this.parts.clock.monotonicMs();
    this.count += 1;
    this.parts.startRun();
  }
}
