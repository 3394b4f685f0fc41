import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Reader } from '../../platform/database/database.ts';
import { inSnapshot } from '../../platform/database/snapshot.ts';
import { OUTSIDE_COINS } from '../assets/index.ts';
import {
  atomsOf,
  conservationProblems,
  everyBalance,
  holdProblems,
  issuedAssets,
  recomputedProblems,
  signProblems,
  type HoldSource,
} from './audit-repository.ts';
import { verifyChain } from './chain.ts';
import { ISSUE, type AuditProblem } from './domain.ts';

export interface AuditReport {
  readonly problems: readonly AuditProblem[];
  readonly entries: number;
  readonly accounts: number;
  /** SHA-256 over all balances and the end of the hash chain: equal states have equal hashes. */
  readonly stateHash: string;
}

/**
 * An additional check of another module. It reads the database snapshot on which the audit runs, and returns the
 * problems that it finds.
 */
export type AuditCheck = (snapshot: Reader) => Promise<readonly AuditProblem[]>;

/**
 * Applies the audit rules of the ledger and the `checks` of other modules to one snapshot of the database, and hashes
 * its balances.
 */
export async function audit(
  reader: Reader,
  holds: readonly HoldSource[],
  checks: readonly AuditCheck[] = [],
): Promise<AuditReport> {
  return inSnapshot(reader, async (snapshot) => {
    const chain = await verifyChain(snapshot, { sequence: 0, hash: '' });
    const problems = [
      ...chain.problems,
      ...(await conservationProblems(snapshot)),
      ...(await signProblems(snapshot)),
      ...(await recomputedProblems(snapshot)),
      ...(await holdProblems(snapshot, holds)),
      ...(await issueProblems(snapshot, holds)),
    ];
    for (const check of checks) problems.push(...(await check(snapshot)));
    const balances = await everyBalance(snapshot);
    const hash = createHash('sha256');
    for (const { id, address, asset, balance } of balances)
      hash.update(`${id} ${address} ${asset} ${balance}\n`);
    const stateHash = hash.update(chain.hash).digest('hex');
    return { problems, entries: chain.sequence, accounts: balances.length, stateHash };
  });
}

/**
 * Problems by audit rule M21: an asset that was issued more than once, whose issued amount differs from the amount that
 * the issue allocated, that has another origin than the issue, or that also exists outside the exchange.
 */
export async function issueProblems(reader: Reader, sources: readonly HoldSource[]): Promise<AuditProblem[]> {
  const ledger = new Map((await issuedAssets(reader)).map((row) => [row.asset, row]));
  const issues = new Map<string, { issue: string; amount: bigint }[]>();
  for (const source of sources)
    for (const { issue, asset, amount } of (await source.issued?.(reader)) ?? [])
      issues.set(asset, [...(issues.get(asset) ?? []), { issue, amount: atomsOf(amount) }]);
  const assets = new Set([...ledger.keys(), ...issues.keys()]);
  return [...assets].flatMap((asset) => {
    const assetIssues = issues.get(asset) ?? [];
    const { origins = [], issued = '0' } = ledger.get(asset) ?? {};
    const allocated = assetIssues.reduce((total, { amount }) => total + amount, 0n);
    const details = [
      OUTSIDE_COINS.has(asset) ? 'is a coin from outside and was issued here' : undefined,
      origins.some((origin) => origin !== ISSUE) ? `has other origins: ${origins.join(', ')}` : undefined,
      assetIssues.length > 1
        ? `was issued by ${assetIssues.map(({ issue }) => issue).join(' and ')}`
        : undefined,
      atomsOf(issued) === allocated
        ? undefined
        : `${issued} were issued, ${Decimal.ofAtoms(allocated).toString()} were allocated`,
    ];
    return details.flatMap((detail) => (detail === undefined ? [] : { invariant: 'M21', asset, detail }));
  });
}
