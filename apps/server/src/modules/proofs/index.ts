/**
 * proofs: what users are owed, proved once a day by a Merkle sum tree over everybody's accounts. It reads the ledger as
 * of one moment, compares what it has counted with what the ledger says, and publishes root and totals signed; nothing
 * where they differ. Beside what is owed it says what the house holds. It moves no money.
 */
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { HouseCoverage, type CoverageParts } from './coverage.ts';
import { proofsRoutes } from './routes.ts';
import { Liabilities, type LiabilitiesParts } from './service.ts';

/** The module as the house puts it together. A day that was missed at midnight is taken in its next hour. */
export function createProofs(
  parts: LiabilitiesParts & CoverageParts & { readonly jobs: Pick<Jobs, 'define'> },
) {
  const liabilities = new Liabilities(parts);
  const coverage = new HouseCoverage(parts);
  parts.jobs.define('proofs.take', () => liabilities.takeDue(), { cron: '5 * * * *' });
  parts.jobs.define('proofs.cover', () => coverage.look(), { cron: '*/5 * * * *' });
  return {
    name: 'proofs' as const,
    liabilities,
    coverage,
    routes: proofsRoutes(liabilities),
    start: async () => void coverage.look(),
    stop: async () => {
      await coverage.stop();
      await liabilities.stop();
    },
    health: () => liabilities.health(),
  };
}
