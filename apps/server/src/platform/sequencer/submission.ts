import { refusal, Refused } from '@exchange/core/refusal.ts';
import { hashOf, type NameHash } from './key-filter.ts';

/**
 * A caller's idempotency key for an operation. The operation is the name of the command or use case that is executed.
 */
export interface SubmissionKey {
  readonly actor: string;
  readonly operation: string;
  readonly key: string;
}

export interface SubmissionParts extends SubmissionKey {
  /**
   * The decoded fields that the caller sent, without the idempotency key, one-time codes and passwords. It must not
   * contain values that the server looked up, because these may differ when the request is repeated.
   */
  readonly sent: Readonly<Record<string, unknown>>;
}

/**
 * Prefix of fingerprints of sent fields. Fingerprints without it were stored by older versions and include values that
 * the server looked up, so they cannot be compared.
 */
const SENT_PREFIX = 'sent:';

/**
 * A caller's request with the caller's idempotency key. The same key with the same sent fields is the same submission
 * and returns the first answer. The same key with other fields is refused. The constructor is private, so that no
 * submission exists without the sent fields.
 */
export class Submission implements SubmissionKey {
  readonly actor: string;
  readonly operation: string;
  readonly key: string;
  /** Actor, operation and idempotency key as one string. */
  readonly name: string;
  readonly hash: NameHash;
  /**
   * Hash of the sent fields. It detects mistakes, for which 64 bits are enough: a forged collision would only harm the
   * caller who forges it.
   */
  readonly fingerprint: string;
  /**
   * Whether a lookup has found that the key has no stored answer. Until this request ends, no other request with the
   * same key is executed.
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
 * Throws `l.duplicate_key` if the idempotency key was used with other sent fields. A fingerprint of an older version
 * cannot be compared and counts as equal, because a second execution would be worse than a wrong answer.
 */
export function requireSameSubmission(knownFingerprint: string, { fingerprint }: Submission): void {
  if (knownFingerprint === fingerprint || !knownFingerprint.startsWith(SENT_PREFIX)) return;
  throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'clientId' }));
}

/** Interface of the object that finds the stored first answers to users' submissions. */
export interface FirstAnswers {
  /**
   * Resolves to the submission's stored answer, or to undefined if there is none. If the idempotency key was certainly
   * never used, returns undefined at once without a query. Rejects with `l.duplicate_key` if the key was used with
   * other fields.
   */
  find(submission: Submission): Promise<string | undefined> | undefined;
  /** Announces that an answer may be stored for this submission from now on, so that `find` must look it up. */
  expect(submission: Submission): void;
}

export interface SubmissionServing<Answer> {
  /** Executes a submission for whose key no answer is stored. */
  readonly first: () => Promise<Answer> | Answer;
  /** Restores the submission's answer from the text stored with the first execution. */
  readonly restore: (stored: string) => Promise<Answer> | Answer;
}

/**
 * Executes each submission once. `serve` must be called before any check that could refuse a repetition, such as a
 * second factor or a minimum interval, so that a repetition always returns the first answer.
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
   * Resolves to the submission's first answer: that of `first` if none is stored, otherwise the stored one, converted
   * by `restore`. Requests with the same key that arrive while the first one is running wait for its outcome and share
   * it, even if it is a refusal. After a refusal the key can be used again. Rejects with `l.duplicate_key` if the key
   * was used with other sent fields.
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
