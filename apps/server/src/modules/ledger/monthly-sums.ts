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

const ACCOUNTS = 100;
/** Rows that one transaction reads. More months and kinds than that are in no account. */
const ROWS = 5_000;
/** Accounts that may fail in one pass: of more, something else is wrong. */
const FAILED_MOST = 1_000;
/** A run begins no portion after so long; the next minute goes on. */
const RUN_MS = 10 * SECOND_MS;

/** Rows at and after `from`, before `until`. */
interface Months {
  readonly from: Instant;
  readonly until: Instant;
}

interface MonthlySumsParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly bulkheads: Bulkheads;
  /**
   * Counts what depends on each single row of an owner's statement, such as the costs of coins; resolves to the last entry
   * that is counted. Rows behind it are not summed.
   */
  readonly count: (owner: UserId) => Promise<number>;
}

/** The first moment of a UTC month that is at least a year old: rows from before it are summed. */
export function summedBefore(now: Instant): Instant {
  const date = new Date(now);
  return instant(Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth(), 1));
}

/**
 * Replaces statement rows that only repeat by one row per account, kind and month when the month is older than a year. A pass
 * over all accounts is due once a month; it is made in transactions of bounded size, and its place is stored behind each
 * hundred accounts. A transaction that ran twice, as after a crash, changes nothing the second time: one row per month is left.
 */
export class MonthlySums {
  private readonly parts: MonthlySumsParts;
  private isStopped = false;

  constructor(parts: MonthlySumsParts) {
    this.parts = parts;
  }

  define(jobs: Jobs): void {
    jobs.define(
      'ledger.sumMonths',
      async () => {
        await this.run();
      },
      { cron: '* * * * *' },
      'background',
    );
  }

  /** Ends a run at the end of its transaction. */
  stop(): void {
    this.isStopped = true;
  }

  /** Goes on with the pass that is due, for at most `forMs`; resolves to whether none is due any more. */
  async run(forMs = RUN_MS): Promise<boolean> {
    const { clock, database } = this.parts;
    const beganMs = clock.monotonicMs();
    const { summedUntil, pass: begun } = await this.duePass();
    if (begun === undefined) return true;
    let pass = begun;
    while (!this.isStopped && clock.monotonicMs() - beganMs <= forMs) {
      const accounts = await repeatingAccounts(database.store, pass.account, ACCOUNTS);
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
      if (pass.failed.length > FAILED_MOST)
        throw new Error(`${pass.failed.length} accounts cannot be summed`);
      await saveProgress(database.store, { summedUntil, pass });
    }
    return false;
  }

  /** How far summing has come, as facts for operators. */
  async facts(): Promise<{ readonly summedUntil: string; readonly summing: string }> {
    const { summedUntil, pass } = await sumProgress(this.parts.database.store);
    return {
      summedUntil: summedUntil === 0 ? 'not yet' : new Date(summedUntil).toISOString(),
      summing: pass === undefined ? 'none' : `until ${new Date(pass.until).toISOString()}`,
    };
  }

  /** The pass under way, or the one that has become due. */
  private async duePass(): Promise<SumProgress> {
    const { clock, database } = this.parts;
    const progress = await sumProgress(database.store);
    if (progress.pass !== undefined) return progress;
    const { summedUntil } = progress;
    const until = summedBefore(clock.now());
    if (until <= summedUntil || !(await isProjectedUntil(database.store, until))) return progress;
    return { summedUntil, pass: { until, account: 0n, failed: [] } };
  }

  /** Sums accounts one by one; resolves to those that failed, or that pause after a failure. */
  private async sumAccounts(accounts: readonly RepeatingAccount[], months: Months): Promise<bigint[]> {
    const left = new Set(accounts.map(({ account }) => account));
    await this.parts.bulkheads.of('monthly sums').each(
      accounts,
      ({ account }) => String(account),
      async (repeating) => {
        if (await this.sumAccount(repeating, months)) left.delete(repeating.account);
      },
    );
    return [...left];
  }

  /** Resolves to whether all of the account is summed, which it is not when the server is stopping. */
  private async sumAccount({ account, owner }: RepeatingAccount, { from, until }: Months): Promise<boolean> {
    const { database, count } = this.parts;
    if (this.isStopped) return false;
    const counted = await count(owner);
    let read = ROWS;
    while (read === ROWS && !this.isStopped)
      read = await database.transaction((tx) =>
        sumMonths(tx, account, { from, until, counted, limit: ROWS }),
      );
    return read < ROWS;
  }
}

/**
 * How far statements are behind the entries, and up to when their rows are summed by month. They are whole all the same, so
 * that is no reason to be down.
 */
export async function statementsHealth(
  movements: Pick<Movements, 'lag'>,
  sums: Pick<MonthlySums, 'facts'>,
): Promise<ComponentHealth> {
  const [entriesBehind, { summedUntil, summing }] = await Promise.all([movements.lag(), sums.facts()]);
  return { isUp: true, facts: { entriesBehind, summedUntil, summing } };
}
