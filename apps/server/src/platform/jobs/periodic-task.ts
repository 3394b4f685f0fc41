interface PeriodicTaskOptions {
  readonly everyMs: number;
  /** Called with the error of a failed run. If absent, the work must handle its own errors. */
  readonly onError?: (cause: unknown) => void;
}

/**
 * Runs work repeatedly at an interval. Runs never overlap: if the previous run has not ended when an interval ends, no
 * run begins. The timer does not prevent the process from ending.
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

  /** Starts the task. The first run begins after one interval. Does nothing if the task is started already. */
  start(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => this.runOnce(), this.options.everyMs);
    this.timer.unref();
  }

  /**
   * Stops the task, and resolves when the current run has ended. Never rejects. A stopped task may be started again.
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
