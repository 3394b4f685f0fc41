import type { UserId } from '@exchange/core/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { movementsOf, projectNext, type Movement, type MovementFilter } from './movements-repository.ts';

const PAGE = 1_000;
const PERIOD_MS = 1_000;

/**
 * Statements: the movements of users' accounts with running balances, projected from the entries a
 * moment after the commit. The cursor moves in the same transaction, so each entry is projected once.
 */
export class Movements {
  private readonly database: Database;
  private readonly log: Log;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor({ database, log }: { database: Database; log: Log }) {
    this.database = database;
    this.log = log;
  }

  start(): void {
    this.stopped = false;
    this.schedule();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Projects everything that is waiting. */
  async catchUp(): Promise<void> {
    while ((await this.projectPage()) === PAGE);
  }

  /** A user's movements, newest first, and their count. */
  ofOwner(
    owner: UserId,
    filter: MovementFilter,
    page: { limit: number; offset: number },
  ): Promise<{ list: Movement[]; total: number }> {
    return movementsOf(this.database.reader, owner, filter, page);
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.running = this.projectPage()
        .catch((cause: unknown) => {
          // The database may be away for a moment; the cursor has not moved, so nothing is lost.
          this.log.warn('ledger.projection_failed', { cause: String(cause) });
        })
        .then(() => {
          if (!this.stopped) this.schedule();
        });
    }, PERIOD_MS);
    this.timer.unref();
  }

  private projectPage(): Promise<number> {
    return this.database.transaction((transaction) => projectNext(transaction, PAGE));
  }
}
