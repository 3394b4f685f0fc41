import { Decimal } from '@exchange/core/decimal.ts';
import type { Tx } from '../../platform/database/database.ts';
import { OUTSIDE_COINS } from '../assets/index.ts';
import { atomsOf, issuedAssets, type HoldSource } from './audit-repository.ts';
import { ISSUE, type AuditProblem } from './domain.ts';

/**
 * M21: tokens of an asset are issued by a single issue. The issuer account equals the amount that the issue
 * allocated, the token has no other origin, and a coin that exists outside of the exchange is never issued.
 */
export async function issueProblems(
  transaction: Tx,
  sources: readonly HoldSource[],
): Promise<AuditProblem[]> {
  const ledger = new Map((await issuedAssets(transaction)).map((row) => [row.asset, row]));
  const issues = new Map<string, { issue: string; amount: bigint }[]>();
  for (const source of sources)
    for (const { issue, asset, amount } of (await source.issued?.(transaction)) ?? [])
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
