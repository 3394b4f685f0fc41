import { type Instant, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Ledger } from './service.ts';
import type { Log } from '../../platform/log.ts';
import type { Store, Tx } from '../../platform/database/database.ts';
import type { Halting } from './halts.ts';
import { holdProblems, type HoldSource, signProblems } from './audit-repository.ts';
import { issueProblems } from './audit.ts';
import { verifyChain } from './chain.ts';
import type { AuditProblem } from './domain.ts';
import { type Finding, FullPass, type FullPassPage } from './full-pass.ts';
import {
  advanceBalances,
  balanceProblems,
  checkpoint,
  moveCheckpoint,
  ownersOf,
  type Advanced,
} from './reconciliation-repository.ts';
import { accountsIn, ownersIn } from '../../platform/database/scope.ts';
import { writingInSnapshot } from '../../platform/database/snapshot.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';

const PERIOD_MS = 60_000;
/** Greatest number of ledger entries verified in one transaction. */
const SLICE_ENTRIES = 20_000;
/** Greatest number of accounts compared in one query. */
const PAGE_ACCOUNTS = 5_000;
/**
 * Milliseconds after the start of a run of the reconciliation (one a minute) from which on it compares no
 * further page of the full comparison of all accounts; each run compares at least one page.
 */
const FULL_PASS_MS = 2_000;
/**
 * Greatest number of changed accounts that the reconciliation remembers for comparison. If more changed, the comparison
 * of all accounts starts from the beginning, which includes them.
 */
const TOUCHED_MAX = 500_000;
/**
 * Greatest number of accounts, and of owners, with problems that each run of the reconciliation compares again until
 * the problem is resolved.
 */
const SUSPECTS_MAX = 10_000;

export interface ReconciliationReport {
  readonly at: Instant;
  readonly entries: number;
  readonly problems: readonly AuditProblem[];
}

interface Parts {
  readonly store: Store;
  readonly halting: Pick<Halting, 'halt' | 'haltAll'>;
  readonly holds: readonly HoldSource[];
  readonly clock: Clock;
  readonly log: Log;
  readonly sliceEntries?: number;
  readonly pageAccounts?: number;
  readonly touchedMax?: number;
  /**
   * Milliseconds after the start of a run from which on it compares no further page of the full comparison;
   * with 0, each run compares one page. `FULL_PASS_MS` if undefined.
   */
  readonly fullPassMs?: number;
}

/**
 * Result of one transaction of the reconciliation: of one slice of ledger entries and, at the end of the hash
 * chain, of the changed accounts and, if requested, one page of all accounts.
 */
interface Compared {
  readonly entries: number;
  readonly advanced: Advanced;
  /** True if the checkpoint includes the last ledger entry; then the changed accounts have been compared too. */
  readonly isAtEnd: boolean;
  readonly isBroken: boolean;
  readonly findings: readonly Finding[];
  readonly page: FullPassPage | undefined;
}

/**
 * Runs every minute. It verifies the new entries, and compares the balances that they changed with the postings, and
 * frozen balances with holds, so that its cost depends on the activity of the minute. In addition a full pass compares
 * all accounts, page by page, in a limited share of each minute; the full pass restarts when the process restarts. An
 * asset with a problem is halted; a broken hash chain halts all assets.
 */
export class Reconciliation {
  private readonly parts: Parts;
  private readonly pageAccounts: number;
  private readonly rounds: PeriodicTask;
  private running: Promise<ReconciliationReport> | undefined;
  /** Ids of accounts that ledger entries changed and that are not compared yet. */
  private readonly touched = new Set<number>();
  private readonly suspectOwners = new Set<string>();
  private readonly suspectAccounts = new Set<number>();
  private pass: FullPass;
  private lastPassProblems: readonly AuditProblem[] = [];
  startedAt: Instant | undefined;
  last: ReconciliationReport | undefined;
  /** Time of the last reconciliation without problems; undefined before the first one. */
  lastCleanAt: Instant | undefined;
  /**
   * Time at which a slice of ledger entries or a page of accounts was last compared, with or without
   * problems; undefined before the first comparison.
   */
  progressAt: Instant | undefined;
  /**
   * Time at which the comparison of all accounts was last completed; undefined before the first completion.
   */
  lastFullPassAt: Instant | undefined;
  /** Time at which the comparison of all accounts last compared a page; undefined before the first page. */
  pageAt: Instant | undefined;
  /** Error of the last reconciliation; undefined if it completed. */
  failure: string | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
    this.rounds = new PeriodicTask(() => this.reconcile(), {
      everyMs: PERIOD_MS,
      // The database may be briefly unavailable. The next run retries, and health reports a repeated failure.
      onError: (cause) => {
        this.failure = errorMessage(cause);
        parts.log.warn('ledger.reconciliation_failed', { cause });
      },
    });
    this.pageAccounts = parts.pageAccounts ?? PAGE_ACCOUNTS;
    this.pass = this.newPass();
  }

  start(): void {
    this.startedAt = this.parts.clock.now();
    this.rounds.start();
  }

  async stop(): Promise<void> {
    await this.rounds.stop();
    await this.running?.catch(() => undefined);
  }

  /** Progress of the comparison of all accounts, as text for operators. */
  get fullPassProgress(): string {
    return this.pass.progress;
  }

  /**
   * Runs one reconciliation; assets with problems are halted before it resolves. Runs do not
   * overlap: a caller during a run gets its own run afterwards.
   */
  async reconcile(): Promise<ReconciliationReport> {
    const before = this.running;
    const round = (before ?? Promise.resolve()).catch(() => undefined).then(() => this.round());
    this.running = round;
    try {
      return await round;
    } finally {
      if (this.running === round) this.running = undefined;
    }
  }

  private async round(): Promise<ReconciliationReport> {
    const { clock, fullPassMs = FULL_PASS_MS } = this.parts;
    const startedMs = clock.monotonicMs();
    for (const account of this.suspectAccounts) this.touched.add(account);
    const owners = [...this.suspectOwners];
    const findings: Finding[] = [];
    let entries = 0;
    const compare = async (withPage: boolean): Promise<Compared> => {
      const compared = await this.compare({ owners, withPage });
      entries += compared.entries;
      findings.push(...compared.findings);
      return compared;
    };
    let compared: Compared;
    do compared = await compare(false);
    while (!compared.isAtEnd && !compared.isBroken);
    try {
      let isOver = compared.isBroken;
      while (!isOver) {
        compared = await compare(true);
        isOver = compared.isBroken || this.endPassWhenDone() || clock.monotonicMs() - startedMs >= fullPassMs;
      }
    } finally {
      // The problems found so far are reported and their assets halted, even if a later page of the comparison failed.
      await this.report(entries, findings);
    }
    return this.last!;
  }

  /**
   * One transaction of the reconciliation: advances the checkpoint by a slice of entries. At the end of the hash chain
   * it compares the changed accounts and, with `withPage`, one page of the comparison of all accounts.
   */
  private async compare(options: { owners: readonly string[]; withPage: boolean }): Promise<Compared> {
    const compared = await writingInSnapshot(this.parts.store, (transaction) =>
      this.compareIn(transaction, options),
    );
    const { advanced, isAtEnd, page, findings } = compared;
    this.pass.add(advanced);
    page?.apply();
    const now = this.parts.clock.now();
    this.progressAt = now;
    if (page !== undefined) this.pageAt = now;
    if (isAtEnd && !options.withPage) {
      this.suspectAccounts.clear();
      this.suspectOwners.clear();
    }
    if (isAtEnd) this.touched.clear();
    else for (const account of advanced.accounts) this.touched.add(account);
    this.restartPassOnExcess();
    for (const { account, owner } of findings) {
      if (account !== undefined && this.suspectAccounts.size < SUSPECTS_MAX)
        this.suspectAccounts.add(account);
      if (owner !== undefined && this.suspectOwners.size < SUSPECTS_MAX) this.suspectOwners.add(owner);
    }
    return compared;
  }

  private async compareIn(
    transaction: Tx,
    { owners, withPage }: { owners: readonly string[]; withPage: boolean },
  ): Promise<Compared> {
    const { sliceEntries = SLICE_ENTRIES } = this.parts;
    const from = await checkpoint(transaction);
    const chain = await verifyChain(transaction, from, sliceEntries);
    const slice = { from: from.sequence, to: chain.sequence, counted: this.pass.counted };
    const advanced = await advanceBalances(transaction, slice);
    await moveCheckpoint(transaction, chain);
    const isBroken = chain.problems.length > 0;
    const findings: Finding[] = [...chain.problems, ...advanced.problems];
    const isAtEnd = chain.isAtEnd && !isBroken;
    let page: FullPassPage | undefined;
    if (isAtEnd) {
      const suspects = withPage ? [] : owners;
      findings.push(...(await this.touchedProblems(transaction, advanced.accounts, suspects)));
      if (!withPage) findings.push(...(await issueProblems(transaction, this.parts.holds)));
      if (withPage) page = await this.pass.nextPage(transaction);
      findings.push(...(page?.findings ?? []));
    }
    return { entries: chain.sequence - from.sequence, advanced, isAtEnd, isBroken, findings, page };
  }

  private async touchedProblems(
    transaction: Tx,
    accounts: readonly number[],
    suspects: readonly string[],
  ): Promise<Finding[]> {
    const findings: Finding[] = [];
    const owners = new Set(suspects);
    for (const page of pagesOf([...new Set([...this.touched, ...accounts])], this.pageAccounts)) {
      const scope = accountsIn(page);
      findings.push(...(await balanceProblems(transaction, scope)));
      findings.push(...(await signProblems(transaction, scope)));
      for (const owner of await ownersOf(transaction, scope)) owners.add(owner);
    }
    for (const page of pagesOf([...owners], this.pageAccounts))
      findings.push(...(await holdProblems(transaction, this.parts.holds, ownersIn(page))));
    return findings;
  }

  /**
   * Logs the problems that this run and the last full comparison's sums have found, and halts their assets; a problem
   * without an asset halts all.
   */
  private async report(entries: number, findings: readonly Finding[]): Promise<ReconciliationReport> {
    const { clock, log, halting } = this.parts;
    const uniqueProblems = new Map(
      [...findings, ...this.lastPassProblems].map(({ invariant, asset, detail }) => [
        `${invariant} ${asset} ${detail}`,
        { invariant, asset, detail },
      ]),
    );
    const problems = [...uniqueProblems.values()];
    for (const { invariant, asset, detail } of problems)
      log.error('ledger.does_not_add_up', { invariant, asset, detail });
    const at = clock.now();
    this.last = { at, entries, problems };
    for (const { invariant, asset, detail } of problems) {
      const haltReason = { by: 'reconciliation', reason: `${invariant} ${detail}` };
      if (asset === undefined) await halting.haltAll(haltReason);
      else await halting.halt(asset, haltReason);
    }
    if (problems.length === 0) this.lastCleanAt = at;
    this.failure = undefined;
    return this.last;
  }

  private endPassWhenDone(): boolean {
    if (!this.pass.isDone) return false;
    this.lastFullPassAt = this.parts.clock.now();
    this.lastPassProblems = this.pass.sumProblems;
    this.pass = this.newPass();
    return true;
  }

  private newPass(): FullPass {
    return new FullPass(this.parts.holds, this.pageAccounts);
  }

  /**
   * Restarts the comparison of all accounts if more than `TOUCHED_MAX` changed accounts are not compared yet; the new
   * comparison includes all of them.
   */
  private restartPassOnExcess(): void {
    const { touchedMax = TOUCHED_MAX, log } = this.parts;
    if (this.touched.size <= touchedMax) return;
    log.warn('ledger.full_pass_begins_anew', { touched: this.touched.size });
    this.touched.clear();
    this.pass = this.newPass();
  }
}

function pagesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const pages: Item[][] = [];
  for (let start = 0; start < items.length; start += size) pages.push(items.slice(start, start + size));
  return pages;
}

/**
 * Milliseconds without any comparison after which the reconciliation counts as failed. It runs every minute, so a
 * single failed run is tolerated.
 */
const OVERDUE_MS = 2 * MINUTE_MS;

/**
 * Health of the ledger: down while any asset is halted; the reason names the asset, the time and
 * the cause.
 */
export function ledgerHealth(ledger: Ledger): ComponentHealth {
  const problems = ledger.halts.all.map(
    ({ asset, by, reason, since }) => `${asset} is halted since ${timeText(since)} by ${by}: ${reason}`,
  );
  const facts = { halted: ledger.haltedAssets.join(' ') || 'none' };
  return problems.length === 0 ? { isUp: true, facts } : { isUp: false, reason: problems.join('; '), facts };
}

/**
 * Milliseconds without a compared page of accounts after which the reconciliation counts as failed; normally at least
 * one page is compared every minute.
 */
const PAGE_OVERDUE_MS = 10 * MINUTE_MS;

/**
 * Health of the reconciliation: down if the last one found a problem, if nothing was compared for two minutes, or if no
 * page of accounts was compared for ten minutes. A slow comparison of all accounts is not a failure; the facts state
 * its progress and when the last one ended.
 */
export function reconciliationHealth(reconciliation: Reconciliation, clock: Clock): ComponentHealth {
  const { last, lastCleanAt, progressAt, pageAt, startedAt, failure } = reconciliation;
  const problems = last?.problems ?? [];
  const facts = {
    last: timeText(last?.at),
    lastClean: timeText(lastCleanAt),
    problems: problems.length,
    lastFullPass: timeText(reconciliation.lastFullPassAt),
    fullPass: reconciliation.fullPassProgress,
  };
  const [first] = problems;
  if (first !== undefined) {
    const assetText = first.asset ?? 'every asset';
    return { isUp: false, reason: `${assetText} does not add up: ${first.invariant} ${first.detail}`, facts };
  }
  const failureText = failure === undefined ? '' : `; the last one failed: ${failure}`;
  const now = clock.now();
  const from = progressAt ?? startedAt;
  if (from !== undefined && now - from > OVERDUE_MS)
    return {
      isUp: false,
      reason: `no reconciliation has made progress for two minutes${failureText}`,
      facts,
    };
  const pageFrom = pageAt ?? startedAt;
  if (pageFrom !== undefined && now - pageFrom > PAGE_OVERDUE_MS)
    return { isUp: false, reason: `the full pass has compared no page for ten minutes${failureText}`, facts };
  return { isUp: true, facts };
}

function timeText(at: number | undefined): string {
  return at === undefined ? 'not yet' : new Date(at).toISOString();
}
