import type { UserId } from '@exchange/core/ids.ts';
import { instant, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import {
  isProjectedUntil,
  ownersOfAccounts,
  repeatingAccounts,
  saveProgress,
  sumMonths,
  sumProgress,
  type RepeatingAccount,
  type SumProgress,
} from './monthly-sums-repository.ts';
import type { Movements } from './movements.ts';

const PORTION_ACCOUNTS = 100;
/**
 * Greatest number of statement rows that one transaction reads. It is more than the monthly sums of any account, so
 * that repeated transactions for an account come to an end.
 */
const TRANSACTION_ROWS = 5_000;
/**
 * If more accounts than this have failed, the pass fails as a whole, because the cause is probably not in single
 * accounts.
 */
const FAILED_MAX = 1_000;
/** Milliseconds after which a run starts no further group of accounts; the next run continues with them. */
const RUN_MS = 10 * SECOND_MS;

/** A period of statement rows: from `from` (inclusive) to `until` (exclusive). */
interface Months {
  readonly from: Instant;
  readonly until: Instant;
}

interface MonthlySumsParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly bulkheads: Bulkheads;
  /**
   * Brings the calculations up to date that need every single statement row of an owner, such as the cost basis of
   * coins. Returns the number of the last ledger entry that they include; statement rows of later entries must not be
   * replaced by monthly sums yet.
   */
  readonly count: (owner: UserId) => Promise<number>;
}

/** Start of the UTC month one year ago; repeating statement rows before that time are replaced by monthly sums. */
export function summedBefore(now: Instant): Instant {
  const date = new Date(now);
  return instant(Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth(), 1));
}

/**
 * Replaces repeating statement rows older than a year by one row per account, kind and month. A pass over all
 * accounts is due once a month. It consists of transactions of limited size, and its progress is stored after
 * every hundred accounts. Repeating a transaction after a crash has no effect, because one row per month is
 * left.
 */
export class MonthlySums {
  private readonly parts: MonthlySumsParts;
  private isStopped = false;

  constructor(parts: MonthlySumsParts) {
    this.parts = parts;
  }

  defineJob(jobs: Jobs): void {
    jobs.define(
      'ledger.sumMonths',
      async () => {
        await this.run();
      },
      { cron: '* * * * *' },
      'background',
    );
  }

  /** Ends the run after its current transaction, without waiting for that; later runs sum nothing. */
  stop(): void {
    this.isStopped = true;
  }

  /**
   * Continues the due pass of monthly sums; after `forMs` it starts no further group of accounts. Returns
   * true if no pass is due any more; throws if more than `FAILED_MAX` accounts of the pass have failed.
   */
  async run(forMs = RUN_MS): Promise<boolean> {
    const { clock, database } = this.parts;
    const beganMs = clock.monotonicMs();
    const { summedUntil, pass: begun } = await this.duePass();
    if (begun === undefined) return true;
    let pass = begun;
    while (!this.isStopped && clock.monotonicMs() - beganMs <= forMs) {
      const accounts = await repeatingAccounts(database.store, pass.account, PORTION_ACCOUNTS);
      const last = accounts.at(-1);
      const retried = last === undefined ? await ownersOfAccounts(database.store, pass.failed) : [];
      const failed = await this.sumAccounts([...accounts, ...retried], {
        from: summedUntil,
        until: pass.until,
      });
      if (this.isStopped) return false;
      if (last === undefined) {
        const isOver = failed.length === 0;
        await saveProgress(database.store, {
          summedUntil: isOver ? pass.until : summedUntil,
          pass: isOver ? undefined : { until: pass.until, account: pass.account, failed },
        });
        return isOver;
      }
      pass = { until: pass.until, account: last.account, failed: [...pass.failed, ...failed] };
      if (pass.failed.length > FAILED_MAX) throw new Error(`${pass.failed.length} accounts cannot be summed`);
      await saveProgress(database.store, { summedUntil, pass });
    }
    return false;
  }

  /** Progress of the monthly sums of statements, as facts for operators. */
  async facts(): Promise<{ readonly summedUntil: string; readonly summing: string }> {
    const { summedUntil, pass } = await sumProgress(this.parts.database.store);
    return {
      summedUntil: summedUntil === 0 ? 'not yet' : new Date(summedUntil).toISOString(),
      summing: pass === undefined ? 'none' : `until ${new Date(pass.until).toISOString()}`,
    };
  }

  /**
   * The progress of the monthly sums, with the running pass, or with a new one if it is due; without a pass
   * otherwise.
   */
  private async duePass(): Promise<SumProgress> {
    const { clock, database } = this.parts;
    const progress = await sumProgress(database.store);
    if (progress.pass !== undefined) return progress;
    const { summedUntil } = progress;
    const until = summedBefore(clock.now());
    if (until <= summedUntil || !(await isProjectedUntil(database.store, until))) return progress;
    return { summedUntil, pass: { until, account: 0n, failed: [] } };
  }

  /**
   * Sums statement rows of accounts one by one. Returns the ids of the accounts that failed, or that wait for
   * a retry after a failure.
   */
  private async sumAccounts(accounts: readonly RepeatingAccount[], months: Months): Promise<bigint[]> {
    const unfinished = new Set(accounts.map(({ account }) => account));
    await this.parts.bulkheads.bulkheadOf('monthly sums').each(
      accounts,
      ({ account }) => String(account),
      async (repeating) => {
        if (await this.sumAccount(repeating, months)) unfinished.delete(repeating.account);
      },
    );
    return [...unfinished];
  }

  /**
   * Replaces the old statement rows of one account by monthly sums. Returns true if all of them are replaced, and false
   * if the server stops before.
   */
  private async sumAccount({ account, owner }: RepeatingAccount, { from, until }: Months): Promise<boolean> {
    const { database, count } = this.parts;
    if (this.isStopped) return false;
    const counted = await count(owner);
    let read = TRANSACTION_ROWS;
    while (read === TRANSACTION_ROWS && !this.isStopped)
      read = await database.transaction((tx) =>
        sumMonths(tx, account, { from, until, counted, limit: TRANSACTION_ROWS }),
      );
    return read < TRANSACTION_ROWS;
  }
}

/**
 * Health of the statements: number of entries that are not projected yet, and progress of the monthly sums.
 * Always up, because statements include entries that are not projected.
 */
export async function statementsHealth(
  movements: Pick<Movements, 'lag'>,
  sums: Pick<MonthlySums, 'facts'>,
): Promise<ComponentHealth> {
  const [entriesBehind, { summedUntil, summing }] = await Promise.all([movements.lag(), sums.facts()]);
  return { isUp: true, facts: { entriesBehind, summedUntil, summing } };
}
