import { createHash } from 'node:crypto';
import type { Reader } from '../../platform/database/database.ts';
import {
  conservationProblems,
  everyBalance,
  holdProblems,
  recomputedProblems,
  signProblems,
  type HoldSource,
} from './audit-repository.ts';
import { verifyChain } from './chain.ts';
import { issueProblems } from './issues.ts';
import type { AuditProblem } from './domain.ts';

export interface AuditReport {
  readonly problems: readonly AuditProblem[];
  readonly entries: number;
  readonly accounts: number;
  /** SHA-256 over all balances and the end of the hash chain: equal states have equal hashes. */
  readonly stateHash: string;
}

/** A check by another module within the snapshot of an audit; returns the problems found. */
export type AuditCheck = (snapshot: Reader) => Promise<readonly AuditProblem[]>;

/**
 * Recomputes everything from the entries in one snapshot: conservation, signs, balances, holds, the hash
 * chain, and the `checks` of other modules.
 */
export async function audit(
  reader: Reader,
  holds: readonly HoldSource[],
  checks: readonly AuditCheck[] = [],
): Promise<AuditReport> {
  return reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const chain = await verifyChain(transaction, { sequence: 0, hash: '' });
      const problems = [
        ...chain.problems,
        ...(await conservationProblems(transaction)),
        ...(await signProblems(transaction)),
        ...(await recomputedProblems(transaction)),
        ...(await holdProblems(transaction, holds)),
        ...(await issueProblems(transaction, holds)),
      ];
      for (const check of checks) problems.push(...(await check(transaction)));
      const balances = await everyBalance(transaction);
      const hash = createHash('sha256');
      for (const { id, address, asset, balance } of balances)
        hash.update(`${id} ${address} ${asset} ${balance}\n`);
      const stateHash = hash.update(chain.hash).digest('hex');
      return { problems, entries: chain.sequence, accounts: balances.length, stateHash };
    });
}
