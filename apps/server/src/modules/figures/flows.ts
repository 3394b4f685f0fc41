import type { UserId } from '@exchange/core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { addNextFlows, flowProgress, resetFlows } from './flows-repository.ts';

/** Greatest number of ledger entries that one transaction adds to the daily flows. */
const PAGE = 2_000;
const PERIOD_MS = 1_000;
/**
 * While further ledger entries wait, the pause between two pages is this many times as long as adding the last page
 * took, so that orders have priority.
 */
const PAUSE_SHARE = 4;

/**
 * Adds the ledger's entries to daily flows shortly after their commit. The cursor advances in the same transaction, so
 * that each entry is added only once, also across a crash.
 */
export class Flows {
  private readonly parts: {
    readonly clock: Clock;
    readonly database: Pick<Database, 'own' | 'transaction'>;
    readonly log: Log;
    /** Returns the ids of the accounts with which the exchange itself trades. */
    readonly systemUsers: () => Promise<readonly UserId[]>;
  };
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private isStopped = true;

  constructor(parts: Flows['parts']) {
    this.parts = parts;
  }

  start(): void {
    this.isStopped = false;
    this.schedule(PERIOD_MS);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Adds stored ledger entries to the daily flows until none is left. */
  async catchUp(): Promise<void> {
    while ((await this.addPage()) > 0);
  }

  /** Number of ledger entries that are not added to the daily flows yet. */
  async behind(): Promise<number> {
    const { added, last } = await flowProgress(this.parts.database.own);
    return Math.max(0, last - added);
  }

  /**
   * Deletes the daily flows. They are then computed again in the background from the first ledger entry; the
   * figures of past days are incomplete until all entries are added.
   */
  async recount(): Promise<void> {
    await this.parts.database.transaction(resetFlows);
  }

  private schedule(afterMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.addWaiting().then((pauseMs) => {
        if (!this.isStopped) this.schedule(pauseMs);
      });
    }, afterMs);
    this.timer.unref();
  }

  /**
   * Adds a page of ledger entries to the daily flows; returns the milliseconds to wait before the next page.
   * A failure is only logged; the page is then tried again after `PERIOD_MS`.
   */
  private async addWaiting(): Promise<number> {
    const { clock, log } = this.parts;
    const startedMs = clock.monotonicMs();
    try {
      const count = await this.addPage();
      return count < PAGE ? PERIOD_MS : (clock.monotonicMs() - startedMs) * PAUSE_SHARE;
    } catch (cause) {
      // The database may be unavailable for a short time. The cursor has not advanced, so no entry is skipped.
      log.warn('figures.flows_not_added', { cause: String(cause) });
      return PERIOD_MS;
    }
  }

  private async addPage(): Promise<number> {
    const { database, systemUsers } = this.parts;
    const { added, last } = await flowProgress(database.own);
    if (added >= last) return 0;
    // The system users are read after `last`, so that they include every system user who has ledger entries up to
    // `last`.
    const own = await systemUsers();
    return database.transaction((tx) => addNextFlows(tx, { own, last, limit: PAGE }));
  }
}
