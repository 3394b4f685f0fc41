import type { Log } from '../log.ts';
import type { Jobs } from './jobs.ts';
import { SerialRuns } from './serial-runs.ts';

interface DueWorkParts {
  /** Name of the due work in its job and log entries, e.g. `finance`. */
  readonly name: string;
  readonly log: Log;
  /** Processes all due work of the module whose work this is. */
  readonly settle: () => Promise<void>;
  /** Writes the queued messages about the work to the inboxes of the users whom it concerns. */
  readonly writeNotices: () => Promise<void>;
}

/**
 * Runs the due work of a module once a minute. At most one run that processes due work, and one that writes messages to
 * users' inboxes (notices), take place at a time.
 */
export class DueWork {
  private readonly parts: DueWorkParts;
  private readonly runs = new SerialRuns(() => this.settleDue());
  private notifying: Promise<void> = Promise.resolve();

  constructor(parts: DueWorkParts) {
    this.parts = parts;
  }

  define(jobs: Jobs): void {
    jobs.define(`${this.parts.name}.settle`, () => this.settle(), { cron: '* * * * *' });
  }

  /**
   * Starts processing the work that became due while the server was stopped, without waiting for it. If it fails, the
   * job tries again every minute.
   */
  start(): void {
    const { log, name } = this.parts;
    void this.settle().catch((cause: unknown) => log.warn(`${name}.not_settled`, { cause }));
  }

  /** Processes all work that is due at the time of the call, and then writes the notices. */
  settle(): Promise<void> {
    return this.runs.run();
  }

  /** Writes pending notices to the owners' inboxes. Notices that fail remain pending for the next minute. */
  publishNotices(): Promise<void> {
    const { log, name, writeNotices } = this.parts;
    this.notifying = this.notifying
      .then(writeNotices)
      .catch((cause: unknown) => log.warn(`${name}.not_told`, { cause }));
    return this.notifying;
  }

  /**
   * Resolves when running work and notices have ended. The job queue must be stopped first, because its job would start
   * further work.
   */
  async stop(): Promise<void> {
    await this.runs.whenIdle();
    await this.notifying;
  }

  private async settleDue(): Promise<void> {
    // Queued notices are written even if the processing of due work has failed.
    try {
      await this.parts.settle();
    } finally {
      await this.publishNotices();
    }
  }
}

/**
 * Processes all items of due work page by page. Starts again with the first page until all pages were read without
 * processing an item, because an item that is several days late is due again at once.
 */
export async function throughAll<Due>(
  next: (after: Due | undefined) => Promise<readonly Due[]>,
  propose: (due: readonly Due[]) => Promise<{ readonly done: number }>,
): Promise<void> {
  for (let done = 1; done > 0;) {
    done = 0;
    for (let due = await next(undefined); due.length > 0; due = await next(due.at(-1)))
      done += (await propose(due)).done;
  }
}
