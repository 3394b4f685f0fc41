import type { UserId } from '@exchange/core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { ListPage, PagedRows } from '../../platform/database/paged-rows.ts';
import {
  eventAt,
  entryOfEventPage,
  eventsBefore,
  eventsOf,
  type AccountEvent,
  type EventFilter,
} from './events-repository.ts';
import {
  entryHashes,
  entryOfPage,
  movementsBefore,
  movementsOf,
  projectNext,
  projectedUpTo,
  type Movement,
  type MovementFilter,
} from './movements-repository.ts';

const PAGE = 500;
const PERIOD_MS = 1_000;
/**
 * While more ledger entries wait to be projected into statements, the pause after a page is at most this many
 * times as long as the projection of the page took, so that storing new entries has priority.
 */
const PAUSE_SHARE = 4;
/**
 * The more pages of ledger entries wait to be projected into statements, the shorter is the pause between two pages;
 * from this number of waiting pages on there is none.
 */
const UNPAUSED_PAGES = 20;
/**
 * Milliseconds that a request waits until all stored ledger entries are projected into statements. If some are not by
 * then, the request computes their movements from the entries.
 */
const AWAITED_MS = 200;
const POLL_MS = 10;

/**
 * Statements: the movements of users' accounts with running balances, projected from the entries shortly
 * after the commit. The cursor advances in the same transaction, so that each entry is projected once.
 * Movements of the exchange's own users are not projected, because they would be most of the rows.
 */
export class Movements {
  private readonly database: Database;
  private readonly log: Log;
  private readonly clock: Clock;
  private readonly systemUsers: () => Promise<readonly UserId[]>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isProjecting = false;
  private stopped = true;

  constructor(parts: {
    database: Database;
    log: Log;
    clock: Clock;
    /** Returns the ids of the exchange's own users, which never sign in and have no statement. */
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

  /** Projects all waiting ledger entries into statements. */
  async catchUp(): Promise<void> {
    while ((await this.projectPage()) === PAGE);
  }

  /**
   * A user's movements, newest first. The first page includes everything stored before the call. Later pages are read
   * from a replica that may lag behind, if it already has the movements up to the start of the page, otherwise from the
   * main database.
   */
  async ofOwner(owner: UserId, filter: MovementFilter, page: PagedRows): Promise<ListPage<Movement>> {
    const { replica, reader } = this.database;
    const entry = entryOfPage(page);
    const isLater = page.offset > 0 || page.after !== undefined;
    if (isLater && (entry === undefined || (await projectedUpTo(replica.lagging)).projected >= entry))
      return movementsOf(replica.lagging, owner, filter, page);
    const isMerged = !(await this.awaitProjection());
    return movementsOf(reader, owner, filter, { ...page, isMerged });
  }

  /** The hashes (hex) of entries of the ledger's chain by sequence number; unknown entries are left out. */
  async hashesOf(entries: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return entryHashes(this.database.reader, entries);
  }

  /**
   * A user's movements older than the movement with the id `before`, newest first, from a replica that may lag behind;
   * without `before`, the newest movements, with everything stored before the call.
   */
  async before(
    owner: UserId,
    filter: MovementFilter,
    rows: { before: string | undefined; limit: number },
  ): Promise<Movement[]> {
    const { replica, reader } = this.database;
    if (rows.before !== undefined) return movementsBefore(replica.lagging, owner, filter, rows);
    const isMerged = !(await this.awaitProjection());
    return movementsBefore(reader, owner, filter, { before: undefined, limit: rows.limit, isMerged });
  }

  /**
   * A page of a user's events: entries with all their changes, without those that only hold or release funds. The first
   * page includes everything stored before the call. Later pages are read from a replica that may lag behind, if it
   * already has the events up to the start of the page, otherwise from the main database.
   */
  async eventsOf(owner: UserId, filter: EventFilter, page: PagedRows): Promise<ListPage<AccountEvent>> {
    const { replica, reader } = this.database;
    const entry = entryOfEventPage(page);
    const isLater = page.offset > 0 || page.after !== undefined;
    if (isLater && (entry === undefined || (await projectedUpTo(replica.lagging)).projected >= entry))
      return eventsOf(replica.lagging, owner, filter, page);
    const isMerged = !(await this.awaitProjection());
    return eventsOf(reader, owner, filter, { ...page, isMerged });
  }

  /**
   * The event with the number of its ledger entry, as the first of `owners` sees it whose balances the entry changed;
   * undefined if it changed none of their balances.
   */
  async eventAt(
    owners: readonly UserId[],
    entry: number,
  ): Promise<(AccountEvent & { readonly owner: UserId }) | undefined> {
    return eventAt(this.database.reader, owners, entry);
  }

  /**
   * A user's events older than the event `before`, newest first, from a replica that may lag behind; without `before`,
   * the newest events, with everything stored before the call.
   */
  async eventsBefore(
    owner: UserId,
    filter: EventFilter,
    rows: { readonly before: AccountEvent | undefined; readonly limit: number },
  ): Promise<AccountEvent[]> {
    const { replica, reader } = this.database;
    if (rows.before !== undefined) return eventsBefore(replica.lagging, owner, filter, rows);
    const isMerged = !(await this.awaitProjection());
    return eventsBefore(reader, owner, filter, { before: undefined, limit: rows.limit, isMerged });
  }

  /** Number of stored ledger entries that are not projected into statements yet. */
  async lag(): Promise<number> {
    const { projected, last } = await projectedUpTo(this.database.reader);
    return Math.max(0, last - projected);
  }

  /**
   * Waits at most 200 ms until all ledger entries stored at the time of the call are projected into statements; returns
   * false if they are not. Does not wait after `stop`.
   */
  async awaitProjection(): Promise<boolean> {
    const { reader } = this.database;
    const beganMs = this.clock.monotonicMs();
    const { projected, last } = await projectedUpTo(reader);
    if (projected >= last) return true;
    if (this.stopped) return false;
    this.projectSoon();
    while (this.clock.monotonicMs() - beganMs < AWAITED_MS) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      if ((await projectedUpTo(reader)).projected >= last) return true;
    }
    return false;
  }

  /** Skips the pause before the next projection of statements. */
  private projectSoon(): void {
    if (this.isProjecting) return;
    clearTimeout(this.timer);
    this.schedule(0);
  }

  private schedule(afterMs: number): void {
    this.timer = setTimeout(() => {
      this.isProjecting = true;
      this.running = this.project().then((pauseMs) => {
        this.isProjecting = false;
        if (!this.stopped) this.schedule(pauseMs);
      });
    }, afterMs);
    this.timer.unref();
  }

  /**
   * Projects a page of ledger entries into statements. Returns the pause after it in milliseconds,
   * which is shorter when more entries wait.
   */
  private async project(): Promise<number> {
    const beganMs = this.clock.monotonicMs();
    try {
      if ((await this.projectPage()) < PAGE) return PERIOD_MS;
      const pages = (await this.lag()) / PAGE;
      const share = PAUSE_SHARE * Math.max(0, 1 - pages / UNPAUSED_PAGES);
      return (this.clock.monotonicMs() - beganMs) * share;
    } catch (cause) {
      // A failure is only logged, because the database may be unavailable for a short time. The cursor has not
      // advanced, so the next attempt projects the same entries.
      this.log.warn('ledger.projection_failed', { cause: String(cause) });
      return PERIOD_MS;
    }
  }

  /**
   * Projects the next page of ledger entries into statements and returns the number of entries. Without new
   * entries this is a single query.
   */
  private async projectPage(): Promise<number> {
    const { projected, last } = await projectedUpTo(this.database.reader);
    if (projected >= last) return 0;
    const unread = await this.systemUsers();
    return this.database.transaction((transaction) => projectNext(transaction, PAGE, unread));
  }
}
