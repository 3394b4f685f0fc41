import { refusal, Refused } from '@exchange/core/refusal.ts';
import { hashOf, type NameHash } from './key-filter.ts';

/**
 * A caller's idempotency key for an operation. The operation is the name of the command that is
 * executed under the key.
 */
export interface SubmissionKey {
  readonly actor: string;
  readonly operation: string;
  readonly key: string;
}

export interface SubmissionParts extends SubmissionKey {
  /**
   * The decoded fields that the caller sent, without the idempotency key and without one-time codes
   * and passwords. Values that the server looks up do not belong here, because they may differ when
   * the request is repeated.
   */
  readonly sent: Readonly<Record<string, unknown>>;
}

/**
 * Prefix of fingerprints of sent fields. Fingerprints without it are older and include looked-up values, so
 * they cannot be compared.
 */
const SENT_PREFIX = 'sent:';

/**
 * A caller's request under the caller's own idempotency key. The same key with the same sent fields
 * is the same submission and returns the first answer; the same key with other fields is refused.
 * The constructor is private, so that no key reaches the sequencer without the sent fields.
 */
export class Submission implements SubmissionKey {
  readonly actor: string;
  readonly operation: string;
  readonly key: string;
  /** Actor, operation and idempotency key as one string. */
  readonly name: string;
  readonly hash: NameHash;
  /**
   * Hash of the sent fields. 64 bits are enough against mistakes; forging a collision harms only the forger.
   */
  readonly fingerprint: string;
  /**
   * Set when a lookup found no stored answer; until this request ends, no other request with the key can run.
   */
  isNew = false;

  private constructor({ actor, operation, key, sent }: SubmissionParts) {
    this.actor = actor;
    this.operation = operation;
    this.key = key;
    this.name = submissionName(this);
    this.hash = hashOf(this.name);
    const { first, second } = hashOf(JSON.stringify(sent));
    this.fingerprint =
      SENT_PREFIX + (first >>> 0).toString(36) + (second >>> 0).toString(36).padStart(7, '0');
  }

  static create(parts: SubmissionParts): Submission {
    return new Submission(parts);
  }
}

export function submissionName({ actor, operation, key }: SubmissionKey): string {
  return `${actor} ${operation} ${key}`;
}

/**
 * Throws `l.duplicate_key` when the idempotency key was used with other sent fields. A fingerprint
 * stored by an older version cannot be compared; it counts as the same submission, because
 * executing twice would be worse.
 */
export function requireSameSubmission(knownFingerprint: string, { fingerprint }: Submission): void {
  if (knownFingerprint === fingerprint || !knownFingerprint.startsWith(SENT_PREFIX)) return;
  throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'clientId' }));
}

/** Stores and finds the first answers to users' submissions. */
export interface FirstAnswers {
  /**
   * Resolves to the submission's stored answer, or undefined if there is none. Returns undefined
   * synchronously, without a query, when its idempotency key was certainly never used. Rejects with
   * `l.duplicate_key` when it was used with other fields.
   */
  find(submission: Submission): Promise<string | undefined> | undefined;
  /**
   * Announces that an answer may be stored for this submission from now on, so that `find` has to look it up.
   */
  expect(submission: Submission): void;
}

export interface SubmissionServing<Answer> {
  /** Executes a submission that has never been executed. */
  readonly first: () => Promise<Answer> | Answer;
  /** Restores the submission's answer from the text stored with the first execution. */
  readonly restore: (stored: string) => Promise<Answer> | Answer;
}

/**
 * Executes each submission once. It must run before anything that could refuse a repetition or use
 * up something needed for it (lookups, second factors, rate limits), so that a repetition always
 * returns the first answer.
 */
export class Submissions {
  private readonly answers: FirstAnswers;
  private readonly running = new Map<
    string,
    { readonly fingerprint: string; readonly outcome: Promise<unknown> }
  >();

  constructor(answers: FirstAnswers) {
    this.answers = answers;
  }

  /**
   * Resolves to the submission's first answer. While the first request is running, repetitions
   * share its outcome. A refused request leaves its idempotency key free.
   */
  async serve<Answer>(submission: Submission, serving: SubmissionServing<Answer>): Promise<Answer> {
    const { name, fingerprint } = submission;
    const running = this.running.get(name);
    if (running !== undefined) {
      requireSameSubmission(running.fingerprint, submission);
      return running.outcome as Promise<Answer>;
    }
    const outcome = this.findOrServe(submission, serving);
    this.running.set(name, { fingerprint, outcome });
    try {
      return await outcome;
    } finally {
      this.running.delete(name);
    }
  }

  private async findOrServe<Answer>(
    submission: Submission,
    { first, restore }: SubmissionServing<Answer>,
  ): Promise<Answer> {
    const finding = this.answers.find(submission);
    const stored = finding === undefined ? undefined : await finding;
    if (stored !== undefined) return restore(stored);
    submission.isNew = true;
    this.answers.expect(submission);
    return first();
  }
}
