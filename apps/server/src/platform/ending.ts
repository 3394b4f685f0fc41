export interface EndingOptions {
  /** Stops everything that was started. */
  readonly stop: () => Promise<void>;
  readonly exit: (code: number) => void;
  /** How long stopping may take after a failure; it may have hurt what has to be stopped. */
  readonly timeoutMs: number;
}

/** The end of the process: in order, once, and at once only for a person who asks again. */
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

  /** Somebody wants the process to end; who asks again does not want to wait. */
  ask(): void {
    if (this.#isUnderWay) this.#options.exit(1);
    else void this.#end(0);
  }

  /** The process must not go on. A stop that is under way goes on, so that the database is stopped whatever fails meanwhile. */
  fail(): void {
    const timer = setTimeout(() => this.#options.exit(1), this.#options.timeoutMs);
    timer.unref();
    if (this.#isUnderWay) this.#exitCode = 1;
    else void this.#end(1);
  }

  async #end(exitCode: number): Promise<void> {
    this.#isUnderWay = true;
    this.#exitCode = exitCode;
    try {
      await this.#options.stop();
    } catch {
      this.#exitCode = 1;
    }
    this.#options.exit(this.#exitCode);
  }
}
