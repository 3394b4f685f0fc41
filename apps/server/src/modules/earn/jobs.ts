import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import { DueWork } from '../../platform/jobs/due-work.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Identity } from '../identity/index.ts';
import type { Messages } from '../messages/index.ts';

/**
 * Greatest number of orders that one step pays. Such a step occupies the sequencer for 7 ms on average and 19 ms at the
 * 99th percentile (bench/finance.ts).
 */
export const CHUNK = 40;
/**
 * Milliseconds; a due payment that waits longer than this makes the component unhealthy. Possible causes: the paying
 * account is not funded, the coin is halted, or the payment fails.
 */
const LATE_MS = 10 * MINUTE_MS;

export interface EarnJobsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly bulkheads: Bulkheads;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

interface Work {
  readonly name: 'finance' | 'mining';
  /** Text that describes the overdue payments in the health report for operators. */
  readonly overdueText: string;
  /**
   * Makes all due payments of orders that can be paid now, in steps of at most `CHUNK` orders each, so that other steps
   * of the sequencer can run in between; the others stay due.
   */
  readonly settle: () => Promise<void>;
  /** Returns, for each kind of due payment, the time since which the oldest one waits. */
  readonly oldest: (now: Instant) => Promise<readonly { readonly at: Instant }[]>;
  /** Sends the queued notices about orders to the users' inboxes. */
  readonly sendNotices: () => Promise<void>;
}

/**
 * Makes the due payments of orders and sends the notices about them. The commands move the money and make all
 * decisions.
 */
export class EarnJobs extends DueWork {
  private readonly clock: Clock;
  private readonly work: Work;

  constructor(deps: EarnJobsDeps, work: Work) {
    super({ name: work.name, log: deps.log, settle: work.settle, writeNotices: work.sendNotices });
    this.clock = deps.clock;
    this.work = work;
  }

  /** Reports a problem if a due payment of an order has waited for more than ten minutes. */
  async health(): Promise<ComponentHealth> {
    const now = this.clock.now();
    const dueSince = (await this.work.oldest(now)).map(({ at }) => at);
    const oldest = dueSince.toSorted((left, right) => left - right)[0];
    if (oldest === undefined || now - oldest <= LATE_MS) return { isUp: true, facts: { late: 'none' } };
    const lateText = `since ${new Date(oldest).toISOString()}`;
    return { isUp: false, reason: `${this.work.overdueText} ${lateText}`, facts: { late: lateText } };
  }
}
