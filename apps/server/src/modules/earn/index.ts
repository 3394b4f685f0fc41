import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Coin } from '../assets/index.ts';
import type { EarnTerms } from './domain.ts';
import type { EarnJobsDeps } from './jobs.ts';
import type { EarnParts } from './service.ts';

/**
 * earn: the common part of the products that lock an amount for whole days at a fixed rate: the sale, the reserves that
 * cover the payments, the payments that become due, and the daily income digest. It has no commands or routes, and one
 * table, `income_digest`. Finance and mining are its kinds; each has its own tables.
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

/**
 * The services and data that are passed to `createFinance` and `createMining`, such as the database, the ledger and
 * the market.
 */
export interface EarnDeps
  extends EarnJobsDeps, Pick<EarnParts<EarnTerms>, 'accountStatuses' | 'assets' | 'ledger' | 'market'> {
  readonly database: Database;
  readonly sequencer: Sequencer;
  readonly events: Events;
  readonly feed: Feed;
  readonly jobs: Jobs;
  readonly coins: readonly Coin[];
}
