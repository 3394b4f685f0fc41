import { type Instant, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Ledger } from './service.ts';
import type { Log } from '../../platform/log.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { type HoldSource, conservationProblems, holdProblems } from './audit-repository.ts';
import { verifyChain } from './chain.ts';
import { issueProblems } from './issues.ts';
import type { AuditProblem } from './domain.ts';
import { advanceBalances, assetsInUse, checkpoint, moveCheckpoint } from './reconciliation-repository.ts';
import type { Halting } from './halting.ts';

const PERIOD_MS = 60_000;

export interface ReconciliationReport {
  readonly at: Instant;
  readonly entries: number;
  readonly problems: readonly AuditProblem[];
}

/**
 * Every minute, in one snapshot: verifies the entries that are new since the last time, recomputes the
 * balances they touch from the checkpoint, and checks conservation, signs and holds over everything. An
 * asset that does not add up is halted; a broken chain halts all.
 */
export class Reconciliation {
  private readonly reader: Reader;
  private readonly halting: Pick<Halting, 'halt'>;
  private readonly holds: readonly HoldSource[];
  private readonly clock: Clock;
  private readonly log: Log;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  startedAt: Instant | undefined;
  last: ReconciliationReport | undefined;
  /** When a round last found nothing. */
  lastCleanAt: Instant | undefined;
  /** Why the last round could not be finished; undefined when it was. */
  failure: string | undefined;

  constructor(parts: {
    reader: Reader;
    halting: Pick<Halting, 'halt'>;
    holds: readonly HoldSource[];
    clock: Clock;
    log: Log;
  }) {
    this.reader = parts.reader;
    this.halting = parts.halting;
    this.holds = parts.holds;
    this.clock = parts.clock;
    this.log = parts.log;
  }

  start(): void {
    this.startedAt = this.clock.now();
    this.timer = setInterval(() => {
      this.running = this.reconcile().catch((cause: unknown) => {
        // The database may be away for a moment; the next minute tries again, and health tells of a second failure.
        this.failure = String(cause);
        this.log.warn('ledger.reconciliation_failed', { cause });
      });
    }, PERIOD_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** One round; what fails is halted before this returns. */
  async reconcile(): Promise<ReconciliationReport> {
    const { entries, problems } = await this.reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((transaction) => checkSinceCheckpoint(transaction, this.holds));
    for (const { invariant, asset, detail } of problems) {
      this.log.error('ledger.does_not_add_up', { invariant, asset, detail });
    }
    const at = this.clock.now();
    this.last = { at, entries, problems };
    for (const { invariant, asset, detail } of problems) {
      const assets = asset === undefined ? await assetsInUse(this.reader) : [asset];
      const reason = `${invariant} ${detail}`;
      for (const one of assets) await this.halting.halt(one, { by: 'reconciliation', reason });
    }
    if (problems.length === 0) this.lastCleanAt = at;
    this.failure = undefined;
    return this.last;
  }
}

/** Checks what is new since the checkpoint, moves the checkpoint, and names what does not add up. */
async function checkSinceCheckpoint(
  transaction: Tx,
  holds: readonly HoldSource[],
): Promise<{ entries: number; problems: AuditProblem[] }> {
  const from = await checkpoint(transaction);
  const chain = await verifyChain(transaction, from);
  const problems = [
    ...chain.problems,
    ...(await advanceBalances(transaction, from.sequence, chain.sequence)),
    ...(await conservationProblems(transaction)),
    ...(await holdProblems(transaction, holds)),
    ...(await issueProblems(transaction, holds)),
  ];
  await moveCheckpoint(transaction, chain);
  return { entries: chain.sequence - from.sequence, problems };
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

/** Not well when the last reconciliation found something, or none has come out clean for two minutes. */
export function reconciliationHealth(reconciliation: Reconciliation, clock: Clock): ComponentHealth {
  const { last, lastCleanAt, startedAt, failure } = reconciliation;
  const problems = last?.problems ?? [];
  const facts = { last: timeText(last?.at), lastClean: timeText(lastCleanAt), problems: problems.length };
  const [first] = problems;
  if (first !== undefined) {
    const where = first.asset ?? 'every asset';
    return { isUp: false, reason: `${where} does not add up: ${first.invariant} ${first.detail}`, facts };
  }
  const from = lastCleanAt ?? startedAt;
  if (from === undefined || clock.now() - from <= OVERDUE_MS) return { isUp: true, facts };
  const why = failure === undefined ? '' : `; the last one failed: ${failure}`;
  return { isUp: false, reason: `no reconciliation has come out clean for two minutes${why}`, facts };
}

function timeText(at: number | undefined): string {
  return at === undefined ? 'not yet' : new Date(at).toISOString();
}
