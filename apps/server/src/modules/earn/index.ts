import type { Demo } from '../../platform/demo.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Operation } from '../../platform/console/operation.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Reserve } from '../../platform/health/reserves.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Coin } from '../assets/index.ts';
import type { EarnTerms } from './domain.ts';
import type { EarnJobs, EarnJobsDeps } from './jobs.ts';
import type { EarnParts } from './service.ts';

/**
 * earn: what products have in common of which an amount is locked for whole days and earns a fixed rate: their sale,
 * what the house keeps ready for them, the work that time makes due, and the daily digest of their income. It has no commands
 * and no routes, and one table of its own, `income_digest`; finance and mining are its kinds, each with its own tables.
 */
export type { EarnDetail, EarnOffered, EarnOrder, EarnProduct, EarnTerms } from './domain.ts';
export { CHUNK, EarnJobs, type EarnJobsDeps } from './jobs.ts';
export { createIncomeDigest, type IncomeDigestModule } from './income-digest.ts';
export type { EarnKind } from './kind.ts';
export { earnOperations } from './operations.ts';
export { Earn, type EarnParts } from './service.ts';
export {
  buyInput,
  daysInput,
  EarnSteps,
  fundInput,
  orderInput,
  purchaseAnswer,
  type PublishInput,
} from './steps.ts';

/** What the house builds a module of any kind from. */
export interface EarnDeps
  extends EarnJobsDeps, Pick<EarnParts<EarnTerms>, 'accountStatuses' | 'assets' | 'ledger' | 'market'> {
  readonly database: Database;
  readonly sequencer: Sequencer;
  readonly events: Events;
  readonly feed: Feed;
  readonly jobs: Jobs;
  readonly coins: readonly Coin[];
}

/** A module of any kind as the house puts it together. */
export interface EarnModule {
  readonly jobs: EarnJobs;
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  /** Begins at once with what came due while nothing ran. */
  start(): void;
  stop(): Promise<void>;
  health(): Promise<ComponentHealth>;
  reserves(): Promise<readonly Reserve[]>;
  /** Fills a demo. */
  seed(demo: Demo): Promise<void>;
}
