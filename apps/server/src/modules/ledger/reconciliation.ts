import { type Instant, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Ledger } from './service.ts';
import type { Log } from '../../platform/log.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import type { Halting } from './halting.ts';
import { holdProblems, type HoldSource, signProblems } from './audit-repository.ts';
import { verifyChain } from './chain.ts';
import { issueProblems } from './issues.ts';
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

const PERIOD_MS = 60_000;
/** So many entries are verified in one transaction. */
const SLICE_ENTRIES = 20_000;
/** So many accounts are compared in one statement. */
const PAGE_ACCOUNTS = 5_000;
/** What the full pass may use of each minute; one page is compared in any case. */
const FULL_PASS_MS = 2_000;
/** More touched accounts than this are not remembered one by one: the full pass begins anew and finds them. */
const TOUCHED_MAX = 500_000;
/** So many accounts and owners that differed are compared again each minute. */
const SUSPECTS_MAX = 10_000;

export interface ReconciliationReport {
  readonly at: Instant;
  readonly entries: number;
  readonly problems: readonly AuditProblem[];
}

interface Parts {
  readonly reader: Reader;
  readonly halting: Pick<Halting, 'halt' | 'haltAll'>;
  readonly holds: readonly HoldSource[];
  readonly clock: Clock;
  readonly log: Log;
  readonly sliceEntries?: number;
  readonly pageAccounts?: number;
  readonly touchedMax?: number;
  /** 0 for one page each time; undefined for the product's share of a minute. */
  readonly fullPassMs?: number;
}

/** What one transaction came to. */
interface Compared {
  readonly entries: number;
  readonly advanced: Advanced;
  /** Whether the checkpoint is at the end of the chain, so that what was touched has been compared. */
  readonly isAtEnd: boolean;
  readonly isBroken: boolean;
  readonly findings: readonly Finding[];
  readonly page: FullPassPage | undefined;
}

/**
 * Every minute: verifies the entries that are new since the last time and compares what they touched, balances with
 * postings and holds with what is frozen, so that it costs what the minute's activity costs. Beside it a full pass
 * compares all accounts, a page at a time, with a bounded share of each minute; it begins anew with the process. An
 * asset that does not add up is halted; a broken chain halts all.
 */
export class Reconciliation {
  private readonly parts: Parts;
  private readonly pageAccounts: number;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<ReconciliationReport> | undefined;
  /** Accounts that entries behind the last comparison touched. */
  private readonly touched = new Set<number>();
  private readonly suspectOwners = new Set<string>();
  private readonly suspectAccounts = new Set<number>();
  private pass: FullPass;
  private lastPassProblems: readonly AuditProblem[] = [];
  startedAt: Instant | undefined;
  last: ReconciliationReport | undefined;
  /** When a round last found nothing. */
  lastCleanAt: Instant | undefined;
  /** When entries or a page were last compared, whatever came of it. */
  progressAt: Instant | undefined;
  /** When the last full pass ended; it began with the process, or when the one before it had ended. */
  lastFullPassAt: Instant | undefined;
  /** When a page of the full pass was last compared. */
  pageAt: Instant | undefined;
  /** Why the last round could not be finished; undefined when it was. */
  failure: string | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
    this.pageAccounts = parts.pageAccounts ?? PAGE_ACCOUNTS;
    this.pass = this.newPass();
  }

  start(): void {
    const { clock, log } = this.parts;
    this.startedAt = clock.now();
    this.timer = setInterval(() => {
      if (this.running !== undefined) return;
      this.reconcile().catch((cause: unknown) => {
        // The database may be away for a moment; the next minute tries again, and health tells of a second failure.
        this.failure = String(cause);
        log.warn('ledger.reconciliation_failed', { cause });
      });
    }, PERIOD_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running?.catch(() => undefined);
  }

  /** How far the full pass is, for operators. */
  get fullPassProgress(): string {
    return this.pass.progress;
  }

  /** One round; what fails is halted before this returns. Rounds follow one another: a second caller waits for its own. */
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
      // What was found is halted, whatever became of the page behind it.
      await this.report(entries, findings);
    }
    return this.last!;
  }

  /** One transaction: advances the checkpoint by a slice; at the chain's end it compares what was touched, and a page. */
  private async compare(asked: { owners: readonly string[]; withPage: boolean }): Promise<Compared> {
    const compared = await this.parts.reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((transaction) => this.compareIn(transaction, asked));
    const { advanced, isAtEnd, page, findings } = compared;
    this.pass.add(advanced);
    page?.apply();
    const now = this.parts.clock.now();
    this.progressAt = now;
    if (page !== undefined) this.pageAt = now;
    if (isAtEnd && !asked.withPage) {
      this.suspectAccounts.clear();
      this.suspectOwners.clear();
    }
    if (isAtEnd) this.touched.clear();
    else for (const account of advanced.accounts) this.touched.add(account);
    this.forgetExcess();
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
    for (const some of pagesOf([...new Set([...this.touched, ...accounts])], this.pageAccounts)) {
      const scope = accountsIn(some);
      findings.push(...(await balanceProblems(transaction, scope)));
      findings.push(...(await signProblems(transaction, scope)));
      for (const owner of await ownersOf(transaction, scope)) owners.add(owner);
    }
    for (const some of pagesOf([...owners], this.pageAccounts))
      findings.push(...(await holdProblems(transaction, this.parts.holds, ownersIn(some))));
    return findings;
  }

  /** Reports and halts what this round has found, beside the sums that the last full pass found wrong. */
  private async report(entries: number, findings: readonly Finding[]): Promise<ReconciliationReport> {
    const { clock, log, halting } = this.parts;
    const named = new Map(
      [...findings, ...this.lastPassProblems].map(({ invariant, asset, detail }) => [
        `${invariant} ${asset} ${detail}`,
        { invariant, asset, detail },
      ]),
    );
    const problems = [...named.values()];
    for (const { invariant, asset, detail } of problems)
      log.error('ledger.does_not_add_up', { invariant, asset, detail });
    const at = clock.now();
    this.last = { at, entries, problems };
    for (const { invariant, asset, detail } of problems) {
      const why = { by: 'reconciliation', reason: `${invariant} ${detail}` };
      if (asset === undefined) await halting.haltAll(why);
      else await halting.halt(asset, why);
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

  /** Where too many accounts wait to be compared, a pass that begins now compares all of them. */
  private forgetExcess(): void {
    const { touchedMax = TOUCHED_MAX, log } = this.parts;
    if (this.touched.size <= touchedMax) return;
    log.warn('ledger.full_pass_begins_anew', { touched: this.touched.size });
    this.touched.clear();
    this.pass = this.newPass();
  }
}

function pagesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const pages: Item[][] = [];
  for (let at = 0; at < items.length; at += size) pages.push(items.slice(at, at + size));
  return pages;
}

/** A reconciliation runs every minute: one may fail. */
const OVERDUE_MS = 2 * MINUTE_MS;

/** Not well while any asset is halted; says which, since when and why. */
export function ledgerHealth(ledger: Ledger): ComponentHealth {
  const problems = ledger.halts.all.map(
    ({ asset, by, reason, since }) => `${asset} is halted since ${timeText(since)} by ${by}: ${reason}`,
  );
  const facts = { halted: ledger.haltedAssets.join(' ') || 'none' };
  return problems.length === 0 ? { isUp: true, facts } : { isUp: false, reason: problems.join('; '), facts };
}

/** One page of the full pass is compared every minute: so long without one is a failure, not slowness. */
const PAGE_OVERDUE_MS = 10 * MINUTE_MS;

/**
 * Not well when the last reconciliation found something, or entries were not compared for two minutes, or no page of
 * the full pass for ten. A full pass that is slow is well: the facts say when the last one ended and how far this one is.
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
    const where = first.asset ?? 'every asset';
    return { isUp: false, reason: `${where} does not add up: ${first.invariant} ${first.detail}`, facts };
  }
  const why = failure === undefined ? '' : `; the last one failed: ${failure}`;
  const now = clock.now();
  const from = progressAt ?? startedAt;
  if (from !== undefined && now - from > OVERDUE_MS)
    return { isUp: false, reason: `no reconciliation has come out clean for two minutes${why}`, facts };
  const pageFrom = pageAt ?? startedAt;
  if (pageFrom !== undefined && now - pageFrom > PAGE_OVERDUE_MS)
    return { isUp: false, reason: `the full pass has compared no page for ten minutes${why}`, facts };
  return { isUp: true, facts };
}

function timeText(at: number | undefined): string {
  return at === undefined ? 'not yet' : new Date(at).toISOString();
}
