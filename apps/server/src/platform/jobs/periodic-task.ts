interface PeriodicTaskOptions {
  readonly everyMs: number;
  /** Called with the error of a failed run. Without it, the work must handle its own errors. */
  readonly onError?: (cause: unknown) => void;
}

/**
 * Runs work at an interval. Runs never overlap: an interval that ends during a run is skipped. The timer does not
 * keep the process alive.
 */
export class PeriodicTask {
  private readonly work: () => Promise<unknown> | void;
  private readonly options: PeriodicTaskOptions;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;

  constructor(work: () => Promise<unknown> | void, options: PeriodicTaskOptions) {
    this.work = work;
    this.options = options;
  }

  /** Starts the interval. The first run begins at its end. Has no effect on a started task. */
  start(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => this.runOnce(), this.options.everyMs);
    this.timer.unref();
  }

  /**
   * Ends the interval, and resolves when the current run has ended. Never rejects. A stopped task may be started again.
   */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.running?.catch(() => undefined);
  }

  private runOnce(): void {
    if (this.running !== undefined) return;
    const run = this.begin();
    if (run === undefined) return;
    this.running = run.finally(() => (this.running = undefined));
    if (this.options.onError !== undefined) this.running.catch(this.options.onError);
  }

  private begin(): Promise<unknown> | undefined {
    try {
      return this.work() ?? undefined;
    } catch (cause) {
      if (this.options.onError === undefined) throw cause;
      this.options.onError(cause);
      return undefined;
    }
  }
}
