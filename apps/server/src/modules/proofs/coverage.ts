import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { sumOf, type Sums } from '@exchange/core/proofs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { inSnapshot } from '../../platform/database/snapshot.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { Chains } from '../chains/index.ts';
import { outsideAccounts, displayCoinTotals } from '../ledger/index.ts';
import type { Treasury } from '../treasury/index.ts';
import { inFlightWithdrawals, networksWithUnseen } from '../withdrawals/index.ts';
import {
  coveragePercent,
  coversOf,
  isShort,
  type CoverageInput,
  type CoinCoverage,
} from './coverage-domain.ts';

export interface CoverageParts {
  readonly database: Pick<Database, 'reader'>;
  readonly chains: Pick<Chains, 'channels' | 'backingOf'>;
  readonly systemUsers: () => Promise<readonly UserId[]>;
  readonly treasury: Pick<Treasury, 'pauseShort'>;
  /**
   * Number of the newest block of a network in which the withdrawals job has looked for transactions of withdrawals;
   * undefined before its first run, and for a network whose wallets are not read.
   */
  readonly followedBlock: (network: string) => number | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Milliseconds for which a comparison that cannot be made yet is retried every three seconds: because a
 * blockchain node has not reported its first block, or because withdrawals are not yet looked up in the
 * newest block. After this time a missing first block counts as a failure, and only the regular job compares
 * again.
 */
const FIRST_BLOCK_MS = 5 * MINUTE_MS;
const SOON_MS = 3 * SECOND_MS;

/** Thrown while a blockchain node has not reported its first block. */
class NoBlockYet extends Error {}

/**
 * Compares the exchange's holdings with its liabilities. A job computes the result every few minutes. Requests read the
 * latest result, so they neither wait for a blockchain node nor sum up accounts.
 */
export class HouseCoverage {
  private readonly parts: CoverageParts;
  private readonly runs = new SerialRuns(() => this.refreshOnce());
  private last: Coverage | undefined;
  /**
   * The failure of the latest comparison of holdings and liabilities; undefined if it succeeded or none was
   * made. Failures for which `isTooEarly` is true are not stored.
   */
  private trouble: string | undefined;
  /** Time at which a comparison first failed because a blockchain node had no block yet; undefined before that. */
  private blocklessSince: Instant | undefined;
  /**
   * Time since which the newest blocks contain withdrawals that are not looked up yet; undefined while there are none.
   */
  private behindSince: Instant | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(parts: CoverageParts) {
    this.parts = parts;
  }

  /**
   * Compares holdings with liabilities, pauses coins of which too little is held (their withdrawals are not sent and
   * large deposits wait), and logs shortages. Never rejects: after a failure, e.g. of a blockchain node, the previous
   * result remains.
   */
  refresh(): Promise<void> {
    return this.runs.run();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.retryTimer);
    await this.runs.whenIdle();
  }

  health(): ComponentHealth {
    return coverageHealth(this.last, { now: this.parts.clock.now(), trouble: this.trouble });
  }

  /** Coverage of liabilities in percent by coin, for metrics; unknown values are omitted. */
  percents(): Record<string, number> {
    const percents = (this.last?.covers ?? []).map((cover) => [cover.asset, coveragePercent(cover)] as const);
    return Object.fromEntries(
      percents.flatMap(([asset, percent]) =>
        percent === undefined ? [] : [[asset, Number(percent.toString())]],
      ),
    );
  }

  /**
   * Whether a comparison failed because a blockchain node has no first block, within `FIRST_BLOCK_MS` of the first such
   * failure and before any comparison succeeded. Such a failure is neither logged nor reported.
   */
  private isTooEarly(cause: unknown): boolean {
    if (!(cause instanceof NoBlockYet) || this.last !== undefined) return false;
    const now = this.parts.clock.now();
    this.blocklessSince ??= now;
    return now - this.blocklessSince < FIRST_BLOCK_MS;
  }

  private retrySoon(): void {
    clearTimeout(this.retryTimer);
    if (this.isStopped) return;
    this.retryTimer = setTimeout(() => void this.refresh(), SOON_MS);
    this.retryTimer.unref();
  }

  /**
   * Retries the comparison after a few seconds while withdrawals are not looked up in the newest blocks, e.g. after a
   * start of the server. If that lasts longer than `FIRST_BLOCK_MS`, e.g. because a node does not answer, only the
   * regular job compares again.
   */
  private retryBehind(isBehind: boolean, now: Instant): void {
    if (!isBehind) {
      this.behindSince = undefined;
      return;
    }
    this.behindSince ??= now;
    if (now - this.behindSince < FIRST_BLOCK_MS) this.retrySoon();
  }

  private async refreshOnce(): Promise<void> {
    try {
      await this.compute();
      this.trouble = undefined;
    } catch (cause) {
      if (this.isTooEarly(cause)) {
        this.retrySoon();
        return;
      }
      this.trouble = errorMessage(cause);
      this.parts.log.warn('proofs.coverage_not_read', { cause });
    }
  }

  private async compute(): Promise<void> {
    const { clock, log } = this.parts;
    // The block at which a wallet is read is chosen before the ledger is read. The ledger counts transfers
    // only some blocks later, so the wallet's balance includes every transfer that the ledger has counted.
    const chains = this.blocks();
    const at = clock.now();
    const { leaving, unseen, ...books } = await this.readBooks();
    const wallets = [];
    const behind = new Map<string, string>();
    for (const { networks, block, holdings } of chains) {
      // After a start of the server the newest blocks are read before withdrawals are looked up in them. A withdrawal
      // that such a block contains has left the wallet but is not counted as paid, so the coin would seem short. Until
      // the withdrawals are looked up, the holdings of the network count as unknown.
      for (const network of networks)
        if (unseen.has(network) && (this.parts.followedBlock(network) ?? -1) < block)
          behind.set(network, `withdrawals of ${network} are not read up to block ${block} yet`);
      const inFlight = leaving.filter(
        (withdrawal) => networks.includes(withdrawal.network) && withdrawal.block <= block,
      );
      // The ledger still owes in-flight withdrawals that have left the wallet, so they count as holdings.
      wallets.push(await holdings(), ...inFlight.map(({ asset, amount }) => new Map([[asset, amount]])));
    }
    const covers = coversOf({ ...books, wallets: sumOf(...wallets), behind });
    this.retryBehind(behind.size > 0, at);
    for (const { asset, owed, held } of covers.filter(isShort))
      log.error('proofs.not_covered', { asset, owed: owed.toString(), held: held!.toString() });
    this.last = { at, covers };
    await this.parts.treasury.pauseShort(
      covers.flatMap(({ asset, owed, held }) =>
        held === undefined ? [] : [{ asset, missing: owed.minus(held) }],
      ),
    );
  }

  private blocks() {
    return this.parts.chains.channels.flatMap(({ wallets, networks }) => {
      if (wallets === undefined) return [];
      const block = wallets.block();
      if (block === undefined) throw new NoBlockYet(`no block of ${networks.join(', ')} was read yet`);
      return [{ networks, block, holdings: () => wallets.holdings(block) }];
    });
  }

  /**
   * Reads, at one instant, what the ledger says: liabilities to users, the exchange's own funds, the amounts
   * that the exchange holds by coin and network, and withdrawals that have left a wallet but are not settled.
   */
  private async readBooks(): Promise<
    Omit<CoverageInput, 'wallets' | 'behind'> & {
      readonly leaving: Awaited<ReturnType<typeof inFlightWithdrawals>>;
      readonly unseen: Awaited<ReturnType<typeof networksWithUnseen>>;
    }
  > {
    const { database, systemUsers, chains } = this.parts;
    const house = await systemUsers();
    return inSnapshot(database.reader, async (tx) => {
      // This query runs every few minutes, so it derives the liabilities from all other accounts instead of reading all
      // users' accounts. The daily proof reads the users' accounts.
      const coins = await displayCoinTotals(tx, house);
      const totals = (field: 'users' | 'trading' | 'house'): Sums =>
        new Map(
          coins
            .map((coin) => [coin.asset, Decimal.parse(coin[field])] as const)
            .filter(([, amount]) => !amount.isZero()),
        );
      const outside = (await outsideAccounts(tx)).map(({ asset, network, balance }) => ({
        asset,
        network,
        amount: Decimal.parse(balance).negated(),
        backing: chains.backingOf(asset, network),
      }));
      const own = sumOf(totals('house'), totals('trading'));
      return {
        owed: totals('users'),
        own,
        outside,
        leaving: await inFlightWithdrawals(tx),
        unseen: await networksWithUnseen(tx),
      };
    });
  }
}

/** The liabilities and holdings of all coins at the time of one comparison. */
export interface Coverage {
  readonly at: Instant;
  readonly covers: readonly CoinCoverage[];
}

/**
 * Age in milliseconds at which the latest comparison of holdings and liabilities is overdue; long enough for
 * several failed comparisons.
 */
const OVERDUE_MS = 30 * MINUTE_MS;
const NOT_YET = 'not yet';
/** Advice that names the usual cause of a shortage. The health report adds it when a coin is not covered. */
const ADVICE =
  'see whether coins are at an address that is not in the settings, such as the change of a refill from cold storage';

/**
 * Health of the coverage: down if liabilities are not covered, the result is overdue, or none could be
 * computed; up and unmeasured before the first comparison. `trouble` is the failure of the latest one.
 */
export function coverageHealth(
  last: Coverage | undefined,
  { now, trouble }: { readonly now: Instant; readonly trouble: string | undefined },
): ComponentHealth {
  const troubleText = trouble === undefined ? '' : `: ${trouble}`;
  if (last === undefined)
    return trouble === undefined
      ? { isUp: true, isUnmeasured: true, facts: { looked: NOT_YET } }
      : { isUp: false, reason: `what is held cannot be read${troubleText}`, facts: { looked: NOT_YET } };
  const { covers, at } = last;
  const known = covers.filter(({ held }) => held !== undefined);
  const uncovered = covers.filter(isShort);
  const lowest = known
    .flatMap((cover) => {
      const percent = coveragePercent(cover);
      return percent === undefined ? [] : [{ asset: cover.asset, percent }];
    })
    .toSorted((left, right) => left.percent.compare(right.percent))[0];
  const facts = {
    looked: new Date(at).toISOString(),
    covered: `${known.length - uncovered.length} of ${covers.length} coins`,
    ...(lowest === undefined ? {} : { least: `${lowest.asset} ${lowest.percent} %` }),
    ...(known.length === covers.length ? {} : { unknown: covers.length - known.length }),
  };
  const rows = covers.toSorted((left, right) => rankOf(left) - rankOf(right)).map(rowOf);
  const reasons = [
    ...uncovered.map(
      ({ asset, owed, held }) => `${asset}: ${held} held for ${owed} owed, ${owed.minus(held!)} missing`,
    ),
    ...(uncovered.length > 0 ? [ADVICE] : []),
    ...(now - at > OVERDUE_MS
      ? [`what is held has not been read since ${new Date(at).toISOString()}${troubleText}`]
      : []),
  ];
  return reasons.length === 0
    ? { isUp: true, facts, rows }
    : { isUp: false, reason: reasons.join('; '), facts, rows };
}

/** Rank of a coin in lists: 0 if its holdings are too small, 1 if they are unknown, otherwise 2. */
function rankOf(cover: CoinCoverage): number {
  if (isShort(cover)) return 0;
  return cover.held === undefined ? 1 : 2;
}

function rowOf(cover: CoinCoverage): Record<string, string> {
  const { asset, owed, own, held, unknown } = cover;
  return {
    asset,
    state: ['short', 'not known', 'covered'][rankOf(cover)]!,
    coveragePercent: coveragePercent(cover)?.toString() ?? '',
    owedToUsers: owed.toString(),
    held: held?.toString() ?? '',
    difference: held?.minus(owed).toString() ?? '',
    ownedByHouse: own.toString(),
    ...(unknown === '' ? {} : { note: unknown }),
  };
}
