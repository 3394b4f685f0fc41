/**
 * proofs: what users are owed, proved once a day by a Merkle sum tree over everybody's accounts. It reads the ledger as
 * of one moment, compares what it has counted with what the ledger says, and publishes root and totals signed; nothing
 * where they differ. It moves no money.
 */
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { proofsRoutes } from './routes.ts';
import { Liabilities, type LiabilitiesParts } from './service.ts';

/** The module as the house puts it together. A day that was missed at midnight is taken in its next hour. */
export function createProofs(parts: LiabilitiesParts & { readonly jobs: Pick<Jobs, 'define'> }) {
  const liabilities = new Liabilities(parts);
  parts.jobs.define('proofs.take', () => liabilities.takeDue(), { cron: '5 * * * *' });
  return {
    ...{ name: 'proofs' as const, liabilities, routes: proofsRoutes(liabilities) },
    stop: () => liabilities.stop(),
    health: () => liabilities.health(),
  };
}
