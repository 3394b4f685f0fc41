import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later, MINUTE_MS, SECOND_MS, startOfDay, type Instant } from '@exchange/core/time.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import { DueWork } from '../../platform/jobs/due-work.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { deliverNotices, type DeclaredMessages } from '../messages/index.ts';
import { digestQueue, oldestUnreported, type ProductIncome } from './income-repository.ts';
import type { EarnJobsDeps } from './jobs.ts';
import { incomeDigest, type IncomeLine } from './words/income-digest.ts';
import { earnMessages } from './words/messages.ts';

/**
 * The daily cut-off (00:30 UTC) in milliseconds after midnight; from then on, the digests of the income before it are
 * sent. Interest is due at 00:00 and mining income at 00:10.
 */
const CUT_OFF_MS = 30 * MINUTE_MS;
/** If a digest is still not sent this many milliseconds after its cut-off (00:30 UTC), the component is unhealthy. */
const LATE_MS = 30 * MINUTE_MS;

type IncomeDigestDeps = Pick<
  EarnJobsDeps,
  'bulkheads' | 'clock' | 'log' | 'database' | 'identity' | 'messages'
> & {
  readonly jobs: Jobs;
};

/** The module of the daily income digest. */
export interface IncomeDigestModule {
  readonly name: 'income';
  readonly messages: DeclaredMessages;
  readonly jobs: DueWork;
  /** Starts the job, and sends the digests that became due while the server was down. */
  start(): void;
  stop(): Promise<void>;
  /**
   * Health of the digests: down if income from before the last cut-off (00:30 UTC) has no digest yet and the cut-off
   * was more than half an hour ago.
   */
  health(): Promise<ComponentHealth>;
  /**
   * Delay of the digests in seconds: the time since the last cut-off (00:30 UTC) while income from before it has no
   * digest, otherwise 0.
   */
  lateSeconds(): Promise<number>;
}

/** Creates the module that sends each owner one message about the day's income of all the owner's products. */
export function createIncomeDigest(deps: IncomeDigestDeps): IncomeDigestModule {
  const jobs = new DueWork({
    name: 'income',
    log: deps.log,
    settle: () => sendDigests(deps),
    writeNotices: () => Promise.resolve(),
  });
  jobs.define(deps.jobs);
  return {
    name: 'income',
    messages: earnMessages,
    jobs,
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    health: () => digestHealth(deps),
    lateSeconds: async () => (await lateDigests(deps)).seconds,
  };
}

/**
 * Delay of the digests in seconds since the last cut-off (00:30 UTC), 0 if none is missing, and the time of
 * the oldest income that was paid before this cut-off and is in no digest yet; undefined if there is none.
 */
async function lateDigests({
  clock,
  database,
}: IncomeDigestDeps): Promise<{ readonly seconds: number; readonly oldest: Instant | undefined }> {
  const now = clock.now();
  const cutOff = lastCutOff(now);
  const oldest = await oldestUnreported(database.store, cutOff);
  return { seconds: oldest === undefined ? 0 : Math.floor((now - cutOff) / SECOND_MS), oldest };
}

async function digestHealth(deps: IncomeDigestDeps): Promise<ComponentHealth> {
  const { seconds, oldest } = await lateDigests(deps);
  if (oldest === undefined) return { isUp: true, facts: { lateSeconds: 0 } };
  const facts = { lateSeconds: seconds, oldestIncome: new Date(oldest).toISOString() };
  if (seconds * SECOND_MS <= LATE_MS) return { isUp: true, facts };
  return { isUp: false, reason: `income waits for its digest since ${facts.oldestIncome}`, facts };
}

/** The latest 00:30 UTC that is not after `now`. */
export function lastCutOff(now: Instant): Instant {
  return later(startOfDay(later(now, -CUT_OFF_MS)), CUT_OFF_MS);
}

/**
 * Sends each owner the digest of the income from before the last cut-off (00:30 UTC) that no digest has reported. One
 * transaction deletes the notices of an owner's income, stores the cut-off for the owner and writes the message, so
 * that a crash neither loses nor repeats income. A digest that fails does not block others.
 */
async function sendDigests(deps: IncomeDigestDeps): Promise<void> {
  const cutOff = lastCutOff(deps.clock.now());
  await deliverNotices(deps, 'income digests', digestQueue(cutOff), (owners) =>
    owners
      .filter(({ incomes }) => incomes.length > 0)
      .map(({ owner, incomes }) => ({ userId: owner, message: digestOf(incomes, cutOff) })),
  );
}

function digestOf(incomes: readonly ProductIncome[], cutOff: Instant) {
  const sums = new Map<string, Decimal>();
  for (const { asset, amount } of incomes) sums.set(asset, (sums.get(asset) ?? Decimal.zero).plus(amount));
  const lines = incomes.map(({ name, asset, amount }): IncomeLine => ({
    name,
    asset,
    amount: amount.toString(),
  }));
  const totals = [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return incomeDigest({
    day: later(startOfDay(cutOff), -DAY_MS),
    lines,
    sums: totals.map(([asset, amount]) => `${amount.toString()} ${asset}`).join(' + '),
  });
}
