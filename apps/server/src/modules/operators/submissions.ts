import { createHash } from 'node:crypto';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { nameOf, type CallMarks, type Performed } from '../../platform/console/gate.ts';
import type { Operation, OperatorCall } from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import { hasSecrets } from './secrets.ts';
import * as rows from './submissions-repository.ts';

/** Maximum number of characters of an idempotency key; a call with a longer one is refused. */
const KEY_MAX = 200;
/** Milliseconds after the start of a call for which its idempotency key and response are stored. */
const STORED_MS = DAY_MS;
/** Maximum number of responses with secrets; they are in memory only, and a further one removes the oldest. */
const SECRETS_MOST = 100;

interface Parts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly inner: {
    perform(
      operation: Operation,
      call: OperatorCall,
      marks: Pick<CallMarks, 'code' | 'session'>,
    ): Promise<Performed>;
  };
}

/**
 * Makes operators' calls with an idempotency key idempotent for a day, also across restarts; reads always run. A
 * repetition returns the first response, without running the call again and without checking its code. A refused or
 * failed call may be repeated under the same key. A different call under a used key is refused, and so is a repetition
 * of a call during which the server stopped, because that call may have taken effect. Responses with secrets, such as
 * recovery codes, are in memory only; after a restart, their repetition is refused.
 */
export class OperatorSubmissions {
  private readonly parts: Parts;
  private readonly running = new Map<string, { fingerprint: Buffer; answer: Promise<Performed> }>();
  private readonly secretAnswers = new Map<string, Performed>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async perform(operation: Operation, call: OperatorCall, marks: CallMarks): Promise<Performed> {
    const { key } = marks;
    const { inner } = this.parts;
    if (operation.method === 'GET' || key === undefined) return inner.perform(operation, call, marks);
    if (key.length > KEY_MAX)
      throw new Refused(refusal('invalidField', 'l.field_too_long', { field: 'idempotency-key' }));
    const name = JSON.stringify([call.operator.name, key]);
    const fingerprint = fingerprintOf(operation, call);
    const running = this.running.get(name);
    if (running !== undefined) {
      requireSame(running.fingerprint, fingerprint);
      return running.answer;
    }
    const answer = this.answer(name, { operator: call.operator.name, key, fingerprint }, () =>
      inner.perform(operation, call, marks),
    ).finally(() => this.running.delete(name));
    this.running.set(name, { fingerprint, answer });
    return answer;
  }

  /**
   * Returns the stored response of an earlier call with the same idempotency key; without an earlier call, runs this
   * one and stores its response. Refuses a call whose content differs from the earlier one, and one for which the
   * earlier response is not available.
   */
  private async answer(
    name: string,
    submission: rows.OperatorSubmission,
    perform: () => Promise<Performed>,
  ): Promise<Performed> {
    const { store } = this.parts.database;
    const now = this.parts.clock.now();
    await rows.removeSubmissionsBefore(store, later(now, -STORED_MS));
    const earlier = await rows.claimSubmission(store, submission, now);
    if (earlier !== undefined) {
      requireSame(earlier.fingerprint, submission.fingerprint);
      if (earlier.answer !== undefined) return JSON.parse(earlier.answer) as Performed;
      const answer = this.secretAnswers.get(name);
      if (answer !== undefined) return answer;
      throw new Refused(refusal('closed', earlier.isSecret ? 'l.answer_not_stored' : 'l.call_interrupted'));
    }
    let performed: Performed;
    try {
      performed = await perform();
    } catch (cause) {
      // If the record cannot be deleted, a repetition of the failed call is refused as interrupted.
      await rows.releaseSubmission(store, submission).catch(() => undefined);
      throw cause;
    }
    const isSecret = hasSecrets(performed);
    if (isSecret) this.rememberSecret(name, performed);
    await rows.storeAnswer(store, submission, isSecret ? undefined : JSON.stringify(performed));
    return performed;
  }

  private rememberSecret(name: string, answer: Performed): void {
    const [oldest] = this.secretAnswers.keys();
    if (this.secretAnswers.size >= SECRETS_MOST && oldest !== undefined) this.secretAnswers.delete(oldest);
    this.secretAnswers.set(name, answer);
  }
}

/**
 * Digest of an operation with its path parameters and fields, but without the authenticator code; equal calls have
 * equal digests.
 */
function fingerprintOf(operation: Operation, { parameters, fields }: OperatorCall): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([nameOf(operation), entriesOf(parameters), entriesOf(fields)]))
    .digest();
}

function entriesOf(values: Readonly<Record<string, string | undefined>>) {
  return Object.entries(values).toSorted(([left], [right]) => (left < right ? -1 : 1));
}

function requireSame(stored: Buffer, fingerprint: Buffer): void {
  if (!stored.equals(fingerprint)) throw new Refused(refusal('duplicate', 'l.duplicate_key'));
}
