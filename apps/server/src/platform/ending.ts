export interface EndingOptions {
  /** Called before a requested stop, while calls are still served. It is not called after a failure. */
  readonly drain?: () => Promise<void>;
  /** Stops all parts that the process has started, such as servers and jobs. */
  readonly stop: () => Promise<void>;
  readonly exit: (code: number) => void;
  /**
   * Maximum number of milliseconds from a failure to the exit of the process, even if `stop` has not ended. The failure
   * may have damaged the parts that `stop` stops.
   */
  readonly timeoutMs: number;
}

/**
 * Ends the process with a normal shutdown, after a signal or a failure. A further signal during the shutdown
 * ends the process at once.
 */
export class Ending {
  readonly #options: EndingOptions;
  #isUnderWay = false;
  #exitCode = 0;

  constructor(options: EndingOptions) {
    this.#options = options;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /**
   * Ends the process with a normal shutdown after a signal. If the process is already ending, also after a failure,
   * exits without waiting.
   */
  requestStop(): void {
    if (this.#isUnderWay) this.#options.exit(1);
    else void this.#end(0, this.#options.drain);
  }

  /**
   * Ends the process after a failure, at the latest after `timeoutMs`. A stop that is already running continues, so
   * that the database is stopped too.
   */
  fail(): void {
    const timer = setTimeout(() => this.#options.exit(1), this.#options.timeoutMs);
    timer.unref();
    if (this.#isUnderWay) this.#exitCode = 1;
    else void this.#end(1);
  }

  async #end(exitCode: number, drain?: () => Promise<void>): Promise<void> {
    this.#isUnderWay = true;
    this.#exitCode = exitCode;
    try {
      if (drain !== undefined) await drain();
      await this.#options.stop();
    } catch {
      this.#exitCode = 1;
    }
    this.#options.exit(this.#exitCode);
  }
}
