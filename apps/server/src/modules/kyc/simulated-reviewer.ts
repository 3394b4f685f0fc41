import { later, SECOND_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { Identity } from '../identity/index.ts';
import { isApplicant } from './demo.ts';
import { simulatedDecision, type Decision } from './domain.ts';
import { isTaken, pendingSince } from './repository.ts';
import type { Review } from './review.ts';

const WAITED_MS = 10 * SECOND_MS;
const LOOK_EVERY_MS = 2 * SECOND_MS;
const CHUNK = 50;

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly log: Log;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly review: Pick<Review, 'decide'>;
}

/**
 * Simulated reviewer of a demo: decides submissions after ten seconds, except those of the invented applicants, through
 * the same service as operators.
 */
export class SimulatedReviewer {
  private readonly parts: Parts;
  private readonly runs = new SerialRuns(() => this.decideDue());

  constructor(parts: Parts) {
    this.parts = parts;
  }

  define(jobs: Jobs): void {
    jobs.define('kyc.reviewDemo', () => this.review(), { cron: '* * * * *', everyMs: LOOK_EVERY_MS });
  }

  /**
   * Decides the submissions that have waited for review for at least `WAITED_MS`, at most `CHUNK` of them.
   */
  review(): Promise<void> {
    return this.runs.run();
  }

  private async decideDue(): Promise<void> {
    const { clock, database, identity, log, review } = this.parts;
    const submissions = await pendingSince(database.store, later(clock.now(), -WAITED_MS), CHUNK);
    for (const submission of submissions) {
      // Submissions of the invented applicants are left for operators to decide.
      const applicant = await identity.findUser(submission.owner);
      if (applicant === undefined || isApplicant(applicant.email)) continue;
      const decision: Decision = (await isTaken(database.store, submission))
        ? { status: 3, reasons: ['usedElsewhere'], note: '' }
        : simulatedDecision(submission);
      try {
        await review.decide(submission.id, decision, { by: 'pretended reviewer', persons: [] });
      } catch (cause) {
        // An operator may have decided the submission concurrently; after any other failure the next run retries the
        // decision.
        log.debug('kyc.not_decided', { cause });
      }
    }
  }
}
