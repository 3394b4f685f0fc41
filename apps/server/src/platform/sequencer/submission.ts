import { refusal, Refused } from '@exchange/core/refusal.ts';
import { hashOf, type NameHash } from './key-filter.ts';

/** A caller's key for one operation. The operation is the name of the command that is executed under the key. */
export interface SubmissionKey {
  readonly actor: string;
  readonly operation: string;
  readonly key: string;
}

export interface SubmissionParts extends SubmissionKey {
  /**
   * The fields that the caller sent, decoded, without the key and without one-time proofs such as codes and passwords.
   * Nothing that the server looks up belongs here: it changes between a request and its repetition.
   */
  readonly sent: Readonly<Record<string, unknown>>;
}

/** Fingerprints of sent fields begin with this. Those without it are older and cover values that were looked up. */
const SENT_PREFIX = 'sent:';

/**
 * One request of one caller under the caller's own key. The same key with the same sent fields is the same submission
 * and gets the first answer again; the same key with other sent fields is refused. The constructor is private, so
 * that no key reaches the sequencer without the sent fields.
 */
export class Submission implements SubmissionKey {
  readonly actor: string;
  readonly operation: string;
  readonly key: string;
  /** Actor, operation and key as one string. */
  readonly name: string;
  readonly hash: NameHash;
  /** Identifies the sent fields; 64 bits, which is enough against mistakes: forging one harms only the forger. */
  readonly fingerprint: string;
  /** Whether a look-up found no stored answer, and no other request with this key can run before this one ends. */
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

  static of(parts: SubmissionParts): Submission {
    return new Submission(parts);
  }
}

export function submissionName({ actor, operation, key }: SubmissionKey): string {
  return `${actor} ${operation} ${key}`;
}

/**
 * Refuses with `l.duplicate_key` a submission whose key was used for other sent fields. A fingerprint that an older
 * version stored cannot be compared: its key counts as the same submission, because executing it twice is worse.
 */
export function requireSameSubmission(knownFingerprint: string, { fingerprint }: Submission): void {
  if (knownFingerprint === fingerprint || !knownFingerprint.startsWith(SENT_PREFIX)) return;
  throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'clientId' }));
}

/** Stored answers by submission. */
export interface FirstAnswers {
  /**
   * Resolves to the stored answer, or to undefined where there is none. Returns undefined at once, without a query,
   * where the key was certainly never used. Rejects with `l.duplicate_key` where the key was used for other fields.
   */
  find(submission: Submission): Promise<string | undefined> | undefined;
  /** An answer may be stored for this submission from now on: `find` has to look for it. */
  expect(submission: Submission): void;
}

export interface SubmissionServing<Answer> {
  /** Serves a submission that was never executed. */
  readonly first: () => Promise<Answer> | Answer;
  /** Makes the answer of the text that was stored with the first execution. */
  readonly again: (stored: string) => Promise<Answer> | Answer;
}

/**
 * Serves each submission once. It runs before everything that can refuse a repetition or consume something for it
 * (look-ups, second factors, spacing), so a repetition gets the first answer whatever has changed since.
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
   * Resolves to the first answer of the submission. While the first request is running, repetitions wait for its
   * outcome. A request that was refused leaves its key free.
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
    { first, again }: SubmissionServing<Answer>,
  ): Promise<Answer> {
    const finding = this.answers.find(submission);
    const stored = finding === undefined ? undefined : await finding;
    if (stored !== undefined) return again(stored);
    submission.isNew = true;
    this.answers.expect(submission);
    return first();
  }
}
