export interface EndingOptions {
  /** Prepares a stop that a person requested, while calls are still served; not used after a failure. */
  readonly drain?: () => Promise<void>;
  /** Stops everything that the process has started. */
  readonly stop: () => Promise<void>;
  readonly exit: (code: number) => void;
  /**
   * Milliseconds that `stop` may take after a failure, which may have damaged the parts that have
   * to be stopped.
   */
  readonly timeoutMs: number;
}

/**
 * Ends the process once and in order. If a person requests it a second time, the process ends at
 * once.
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

  /** A signal requests the process to end; a second one makes it exit without waiting. */
  requestStop(): void {
    if (this.#isUnderWay) this.#options.exit(1);
    else void this.#end(0, this.#options.drain);
  }

  /**
   * Ends the process after a failure, by `timeoutMs` at the latest. A stop that is already running continues, so
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
