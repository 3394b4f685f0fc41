/**
 * proofs: a daily proof of liabilities. It builds a Merkle sum tree over all user balances at one instant, compares it
 * with the ledger, and publishes the signed root and totals only if both agree. It also reports the exchange's
 * holdings. It moves no money.
 */
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Identity } from '../identity/index.ts';
import { HouseCoverage, type CoverageParts } from './coverage.ts';
import { proofsRoutes } from './routes.ts';
import { Liabilities, type LiabilitiesParts } from './service.ts';

/**
 * Creates the module of liability proofs. At five past every hour a job takes the day's snapshot if it does
 * not exist. Another job compares holdings with liabilities every five minutes.
 */
export function createProofs(
  parts: LiabilitiesParts &
    CoverageParts & {
      readonly identity: Pick<Identity, 'requireOwner'>;
      readonly jobs: Pick<Jobs, 'define'>;
    },
) {
  const liabilities = new Liabilities(parts);
  const coverage = new HouseCoverage(parts);
  parts.jobs.define('proofs.take', () => liabilities.takeDue(), { cron: '5 * * * *' });
  parts.jobs.define('proofs.cover', () => coverage.refresh(), { cron: '*/5 * * * *' });
  return {
    name: 'proofs' as const,
    liabilities,
    coverage,
    routes: proofsRoutes(liabilities, (user, subAccount) => parts.identity.requireOwner(user, subAccount)),
    start: async () => void coverage.refresh(),
    stop: async () => {
      await coverage.stop();
      await liabilities.stop();
    },
    health: () => liabilities.health(),
  };
}
