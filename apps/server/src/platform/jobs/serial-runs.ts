/**
 * Runs `work` one run at a time. Each call gets a run that begins after the call and therefore sees all earlier changes
 * of the caller. Calls during a run share the next run, so at most one run waits.
 */
export class SerialRuns<Result = void> {
  private readonly work: () => Promise<Result>;
  /** The run in progress; undefined if no run is in progress or waiting. */
  private current: Promise<Result> | undefined;
  private next: Promise<Result> | undefined;

  constructor(work: () => Promise<Result>) {
    this.work = work;
  }

  /** Returns a promise with the result of a run that begins after this call. */
  run(): Promise<Result> {
    if (this.current === undefined) return this.begin();
    this.next ??= this.current
      // The callers who requested the current run receive its error.
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.begin();
      });
    return this.next;
  }

  /** Whether a run waits to begin. A further call would share this run. */
  get isWaiting(): boolean {
    return this.next !== undefined;
  }

  /** Resolves when no run is in progress or waiting. Never rejects. */
  async whenIdle(): Promise<void> {
    for (let last = this.next ?? this.current; last !== undefined; last = this.next ?? this.current)
      await last.catch(() => undefined);
  }

  private begin(): Promise<Result> {
    const run = this.work().finally(() => {
      if (this.next === undefined) this.current = undefined;
    });
    this.current = run;
    return run;
  }
}
