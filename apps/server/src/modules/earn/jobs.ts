import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import { DueWork } from '../../platform/jobs/due-work.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Identity } from '../identity/index.ts';
import { tellNotices, type AddressedMessage, type Messages } from '../messages/index.ts';

/** Orders of one step: it holds the sequencer for 7 ms, and 19 in the longest hundredth (bench/finance.ts). */
export const CHUNK = 40;
/** What is due for longer is late: the house has not funded its payer, or the asset is halted. */
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
  /** What orders do that are late, for whoever looks after the house. */
  readonly lateness: string;
  /** Does all that is due now, in steps of at most `CHUNK` orders, between which orders of spot pass. */
  readonly settle: () => Promise<void>;
  /** Of each thing that can be due, since when what waits longest for it has waited. */
  readonly oldest: (now: Instant) => Promise<readonly { readonly at: Instant }[]>;
  /** Takes away what owners are to be told. */
  readonly take: (tx: Tx, limit: number) => Promise<readonly AddressedMessage[]>;
}

/** What time makes due of orders, and what their owners are told. Nothing here moves money or decides anything. */
export class EarnJobs extends DueWork {
  private readonly clock: Clock;
  private readonly work: Work;

  constructor(deps: EarnJobsDeps, work: Work) {
    const tell = () => tellNotices(deps, work.take);
    super({ name: work.name, log: deps.log, settle: work.settle, tell });
    this.clock = deps.clock;
    this.work = work;
  }

  /** Not up while an order waits for longer than it should. */
  async health(): Promise<ComponentHealth> {
    const now = this.clock.now();
    const waiting = (await this.work.oldest(now)).map(({ at }) => at);
    const since = waiting.toSorted((one, other) => one - other)[0];
    if (since === undefined || now - since <= LATE_MS) return { isUp: true, facts: { late: 'none' } };
    const late = `since ${new Date(since).toISOString()}`;
    return { isUp: false, reason: `${this.work.lateness} ${late}`, facts: { late } };
  }
}
