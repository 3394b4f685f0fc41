import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { PagedRows } from '../../platform/database/paged-rows.ts';
import {
  movementsBefore,
  movementsOf,
  netDepositsOf,
  projectNext,
  type Movement,
  type MovementFilter,
} from './movements-repository.ts';

const PAGE = 500;
const PERIOD_MS = 1_000;
/** While more is waiting, a pause this many times as long as the page took: the writer's batches come first. */
const PAUSE_SHARE = 4;

/**
 * Statements: the movements of users' accounts with running balances, projected from the entries a
 * moment after the commit. The cursor moves in the same transaction, so each entry is projected once. What the
 * house's users trade is most of what happens, and stays in the entries alone.
 */
export class Movements {
  private readonly database: Database;
  private readonly log: Log;
  private readonly clock: Clock;
  private readonly systemUsers: () => Promise<readonly UserId[]>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(parts: {
    database: Database;
    log: Log;
    clock: Clock;
    /** The house's own users, which never sign in: they have no statement. */
    systemUsers: () => Promise<readonly UserId[]>;
  }) {
    this.database = parts.database;
    this.log = parts.log;
    this.clock = parts.clock;
    this.systemUsers = parts.systemUsers;
  }

  start(): void {
    this.stopped = false;
    this.schedule(PERIOD_MS);
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
    page: PagedRows,
  ): Promise<{ list: Movement[]; total: number }> {
    return movementsOf(this.database.replica.lagging, owner, filter, page);
  }

  /** A user's movements that are older than one of them, by its id, or the newest; newest first. */
  before(
    owner: UserId,
    filter: MovementFilter,
    rows: { before: string | undefined; limit: number },
  ): Promise<Movement[]> {
    return movementsBefore(this.database.replica.lagging, owner, filter, rows);
  }

  /** Coins that came to a user's accounts from outside since a moment, less those that left, by coin. */
  netDeposits(owner: UserId, from: Instant): Promise<{ asset: string; amount: Decimal }[]> {
    return netDepositsOf(this.database.replica.lagging, owner, from);
  }

  private schedule(afterMs: number): void {
    this.timer = setTimeout(() => {
      const beganMs = this.clock.monotonicMs();
      this.running = this.projectPage()
        .catch((cause: unknown) => {
          // The database may be away for a moment; the cursor has not moved, so nothing is lost.
          this.log.warn('ledger.projection_failed', { cause: String(cause) });
          return 0;
        })
        .then((projected) => {
          const pauseMs = (this.clock.monotonicMs() - beganMs) * PAUSE_SHARE;
          if (!this.stopped) this.schedule(projected === PAGE ? pauseMs : PERIOD_MS);
        });
    }, afterMs);
    this.timer.unref();
  }

  private async projectPage(): Promise<number> {
    const unread = await this.systemUsers();
    return this.database.transaction((transaction) => projectNext(transaction, PAGE, unread));
  }
}
