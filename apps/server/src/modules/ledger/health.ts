import { MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Ledger } from './service.ts';

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
