import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { conservationProblems, holdProblems, type HoldSource } from './audit-repository.ts';
import { verifyChain } from './chain.ts';
import type { AuditProblem } from './domain.ts';
import { advanceBalances, assetsInUse, checkpoint, moveCheckpoint } from './reconciliation-repository.ts';
import type { Ledger } from './service.ts';

const PERIOD_MS = 60_000;

export interface ReconciliationReport {
  readonly at: number;
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
  private readonly ledger: Ledger;
  private readonly holds: readonly HoldSource[];
  private readonly clock: Clock;
  private readonly log: Log;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  last: ReconciliationReport | undefined;

  constructor(parts: {
    reader: Reader;
    ledger: Ledger;
    holds: readonly HoldSource[];
    clock: Clock;
    log: Log;
  }) {
    this.reader = parts.reader;
    this.ledger = parts.ledger;
    this.holds = parts.holds;
    this.clock = parts.clock;
    this.log = parts.log;
  }

  start(): void {
    this.timer = setInterval(() => {
      this.running = this.reconcile().catch((cause: unknown) => {
        // The database may be away for a moment; the next minute tries again.
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
      if (asset !== undefined) this.ledger.halt(asset, `${invariant} ${detail}`);
      else await this.haltAll(`${invariant} ${detail}`);
    }
    this.last = { at: this.clock.now(), entries, problems };
    return this.last;
  }

  private async haltAll(why: string): Promise<void> {
    for (const asset of await assetsInUse(this.reader)) this.ledger.halt(asset, why);
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
  ];
  await moveCheckpoint(transaction, chain);
  return { entries: chain.sequence - from.sequence, problems };
}
