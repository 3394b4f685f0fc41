import type { Log } from '../log.ts';
import type { Jobs } from './jobs.ts';

interface DueWorkParts {
  /** Whose work it is, e.g. `finance`. */
  readonly name: string;
  readonly log: Log;
  /** Does all that is due now. */
  readonly settle: () => Promise<void>;
  /** Writes what owners are to be told. */
  readonly tell: () => Promise<void>;
}

/** What time makes due, once a minute: one run at a time, and one telling at a time. */
export class DueWork {
  private readonly parts: DueWorkParts;
  private running: Promise<void> | undefined;
  private telling: Promise<void> = Promise.resolve();

  constructor(parts: DueWorkParts) {
    this.parts = parts;
  }

  define(jobs: Jobs): void {
    jobs.define(`${this.parts.name}.settle`, () => this.settle(), { cron: '* * * * *' });
  }

  /** Begins with what came due while nothing ran; nobody waits for it, and every minute tries again. */
  start(): void {
    const { log, name } = this.parts;
    void this.settle().catch((cause: unknown) => log.warn(`${name}.not_settled`, { cause }));
  }

  /** Does all that is due now, then tells; whoever asks meanwhile waits for the same. */
  settle(): Promise<void> {
    this.running ??= this.settleDue().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Writes into inboxes what is to be told. What fails stays for the next minute. */
  tell(): Promise<void> {
    const { log, name, tell } = this.parts;
    this.telling = this.telling.then(tell).catch((cause: unknown) => log.warn(`${name}.not_told`, { cause }));
    return this.telling;
  }

  /** Ends with what is under way. */
  async stop(): Promise<void> {
    await this.running?.catch(() => undefined);
    await this.telling;
  }

  private async settleDue(): Promise<void> {
    // What was done has to be told also where the rest failed.
    try {
      await this.parts.settle();
    } finally {
      await this.tell();
    }
  }
}

/**
 * Page by page behind the last, so that what a page leaves due is passed by; again from the start until a whole pass
 * has done nothing: what is behind by several days is due again at once.
 */
export async function throughAll<Due>(
  next: (behind: Due | undefined) => Promise<readonly Due[]>,
  propose: (due: readonly Due[]) => Promise<{ readonly done: number }>,
): Promise<void> {
  for (let done = 1; done > 0;) {
    done = 0;
    for (let due = await next(undefined); due.length > 0; due = await next(due.at(-1)))
      done += (await propose(due)).done;
  }
}
