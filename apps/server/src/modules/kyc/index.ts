import type { Clock } from '../../platform/clock.ts';
import type { Operation } from '../../platform/console/operation.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { Files } from '../files/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Messages } from '../messages/index.ts';
import type { Screening } from '../screening/index.ts';
import { seedKyc } from './demo.ts';
import { Fingerprints } from './fingerprints.ts';
import { kycOperations } from './operations.ts';
import { SimulatedReviewer } from './simulated-reviewer.ts';
import { Review } from './review.ts';
import { kycRoutes } from './routes.ts';
import { PersonSeal } from './sealing.ts';
import { Kyc } from './service.ts';
import { kycRecords } from './repository.ts';

/**
 * kyc: identity verification. An operator or, in a demo, a simulated reviewer decides about each submission once, and a
 * verified identity is final. The verification level limits withdrawals (`limitsOf`).
 */
export type { Kyc, Limits } from './service.ts';

export interface KycModule {
  readonly name: 'kyc';
  readonly kyc: Kyc;
  readonly review: Review;
  readonly reviewer: SimulatedReviewer;
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  readonly records: readonly RecordSource[];
  start(): void;
  stop(): Promise<void>;
  /** Creates the identity submissions of a demo that wait for review. */
  seed(demo: Demo): Promise<void>;
}

/**
 * Creates the module. If `pretends` is true, defines the job in which a simulated reviewer decides about submissions.
 */
export function createKyc(deps: {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly mail: Mail;
  readonly secret: ServerSecret;
  readonly files: Files;
  readonly identity: Identity;
  readonly messages: Messages;
  readonly screening: Pick<Screening, 'screen' | 'requireClear' | 'compareAgain'>;
  readonly pretends: boolean;
}): KycModule {
  const seal = new PersonSeal(deps.secret);
  const fingerprints = new Fingerprints({ ...deps, seal });
  const parts = { ...deps, seal, fingerprints };
  const [kyc, review] = [new Kyc(parts), new Review(parts)];
  deps.jobs.define('kyc.erasePhotos', () => review.erasePhotos(), { cron: '47 3 * * *' });
  deps.screening.compareAgain('identities', (after, limit) => review.verifiedNames(after, limit));
  const reviewer = new SimulatedReviewer({ ...deps, review });
  if (deps.pretends) reviewer.define(deps.jobs);
  let refreshing: Promise<void> = Promise.resolve();
  return {
    name: 'kyc',
    kyc,
    review,
    reviewer,
    routes: kycRoutes(kyc, deps.pretends),
    operations: kycOperations(review),
    records: [kycRecords(deps.database.reader, (text) => seal.keysOf(text))],
    start: () => {
      refreshing = fingerprints
        .refresh()
        .catch((cause: unknown) => deps.log.warn('kyc.not_fingerprinted', { cause }));
    },
    stop: () => refreshing,
    seed: (demo) => seedKyc({ ...deps, kyc }, demo),
  };
}
