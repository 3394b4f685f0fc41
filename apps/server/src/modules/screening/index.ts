/**
 * screening: sanctions lists, and matches of withdrawal addresses, senders of deposits and names with them. Other
 * modules screen through this one; while one of an account's matches is not cleared, they send no withdrawals of the
 * account and do not verify its identity.
 */
import type { Operation } from '../../platform/console/operation.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Identity } from '../identity/index.ts';
import { screeningOperations } from './operations.ts';
import { Screening, type ScreeningParts } from './service.ts';

export { screenedSender, type Screened } from './domain.ts';
export type { Screening, StoredSubject } from './service.ts';

export interface ScreeningModule {
  readonly name: 'screening';
  readonly screening: Screening;
  readonly operations: readonly Operation[];
  start(): Promise<void>;
  health(): Promise<ComponentHealth>;
}

/** Creates the module of sanctions screening; no sanctions list is read before `start`. */
export function createScreening(
  deps: ScreeningParts & {
    readonly identity: Pick<Identity, 'findUser'>;
    readonly jobs: Pick<Jobs, 'define'>;
  },
): ScreeningModule {
  const screening = new Screening(deps);
  deps.jobs.define('screening.import', () => screening.importLists(), { cron: '*/10 * * * *' });
  deps.jobs.define('screening.compare', () => screening.continueComparing(), { cron: '* * * * *' });
  return {
    name: 'screening',
    screening,
    operations: screeningOperations({ ...deps, screening }),
    start: async () => {
      await screening.load();
      await screening.importLists();
    },
    health: () => screening.health(),
  };
}
