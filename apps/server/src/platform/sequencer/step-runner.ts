import { Refused, refusal } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { idempotencyWriter } from './idempotency-store.ts';
import type { MemoryCommand, Postponement, SqlCommand } from './command.ts';
import type { Journal } from './journal.ts';
import type { QueuedStep } from './queued-step.ts';
import { StepRecord, type SqlStep } from './step.ts';

/**
 * Outcome of a step's run: the recorded step if it changed something, or one of these:
 * - `refused`: it was refused and changed nothing; its caller must still be answered;
 * - `unchanged`: it succeeded, changed nothing and is not journaled; its caller must still be answered;
 * - `failed`: it threw because of a bug; its caller was answered, and memory may be wrong;
 * - `turnedAway`: it was not run, and its caller was refused.
 */
type Outcome = StepRecord | 'refused' | 'unchanged' | 'failed' | 'turnedAway';

/** Result for a step that was not run, because it must first wait for unfinished work of earlier steps. */
export interface Postponed {
  readonly postponement: Postponement;
}

interface Parts {
  readonly secret: Uint32Array;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Returns the refusal of a step of which nothing was stored; its caller may repeat the request. `settled`
 * rejects with it too.
 */
export function maintenance(): Refused {
  return new Refused(refusal('maintenance', 'l.maintenance'));
}

/**
 * Returns the refusal of a step whose commit had begun when this process stopped writing, so that it may be
 * stored or not. A repetition with the same idempotency key gets its answer; without a key, its caller must
 * check the result first.
 */
export function outcomeUnknown(): Refused {
  return new Refused(refusal('outcomeUnknown', 'l.outcome_to_check'));
}

/** Runs one step at a time: assigns its number and time, and determines its outcome. */
export class StepRunner {
  /** Number of the last recorded step; while a step runs, the number of that step. */
  sequence = 0;
  private readonly parts: Parts;
  private readonly suspects = new Suspects();
  private lastNow: Instant = instant(0);

  constructor(parts: Parts) {
    this.parts = parts;
  }

  run(queued: QueuedStep): Outcome | Postponed {
    if (this.suspects.areAny && this.turnsAway(queued)) return 'turnedAway';
    const { input } = queued.request;
    const command = queued.request.command as MemoryCommand<unknown, unknown>;
    const step = this.newStep();
    try {
      const postponement = command.postponed?.(input, step.now);
      if (postponement !== undefined) {
        this.sequence -= 1;
        return { postponement };
      }
      const outcome = command.run(step, input);
      return step.hasChanged || isKeyed(queued)
        ? recordSuccess(queued, step, outcome)
        : this.unchanged(queued, outcome);
    } catch (cause) {
      return isRefusal(cause, step) ? this.refusal(queued, step, cause) : this.failed(queued, bugOf(cause));
    }
  }

  /**
   * Runs a step with SQL. `sqlChanges` records whether the SQL changed rows, and `rollBack` undoes the SQL. If
   * `rollBack` throws, the connection has failed, which is no fault of the step: the caller is refused and the error
   * rethrown.
   */
  async runWithSql(
    queued: QueuedStep,
    { transaction: sql, sqlChanges }: Pick<Journal, 'transaction' | 'sqlChanges'>,
    rollBack: () => Promise<void>,
  ): Promise<Outcome> {
    if (this.suspects.areAny && this.turnsAway(queued)) return 'turnedAway';
    const { command, input } = queued.request;
    const step = this.newStep();
    const sqlStep: SqlStep = Object.assign(step, { sql });
    sqlChanges.reset();
    try {
      const outcome = await (command as SqlCommand<unknown, unknown>).run(sqlStep, input);
      return step.hasChanged || sqlChanges.isAny || isKeyed(queued)
        ? recordSuccess(queued, step, outcome)
        : this.unchanged(queued, outcome);
    } catch (cause) {
      const refused = isRefusal(cause, step) ? this.refusal(queued, step, cause) : undefined;
      try {
        await rollBack();
      } catch (connectionError) {
        queued.failed(maintenance());
        throw connectionError;
      }
      return refused ?? this.failed(queued, bugOf(cause));
    }
  }

  private newStep(): StepRecord {
    const now = this.parts.clock.now();
    if (now > this.lastNow) this.lastNow = now;
    this.sequence += 1;
    return new StepRecord(this.sequence, this.lastNow, this.parts.secret);
  }

  /**
   * Ends a step that has changed nothing. It gets no journal entry, because a replay without it results in the same
   * state.
   */
  private unchanged(queued: QueuedStep, outcome: unknown): Outcome {
    const { answer } = queued.request;
    queued.setResult(answer === undefined ? outcome : answer(outcome));
    this.sequence -= 1;
    return 'unchanged';
  }

  private refusal(queued: QueuedStep, step: StepRecord, refused: Refused): Outcome {
    try {
      step.undo();
    } catch (bug) {
      return this.failed(queued, bug);
    }
    this.sequence -= 1;
    queued.setRefusal(refused);
    return 'refused';
  }

  /**
   * Ends a step that threw because of a bug: its caller receives the error. The step's changes are unknown
   * and cannot be undone, so the caller of this function must reload all state when the outcome is `failed`.
   */
  private failed(queued: QueuedStep, cause: unknown): Outcome {
    const { command, actor } = queued.request;
    const operation = command.name;
    this.suspects.failed(operation, actor, this.parts.clock.monotonicMs());
    this.parts.log.error('sequencer.step_failed', { operation, cause });
    queued.failed(cause);
    return 'failed';
  }

  private turnsAway(queued: QueuedStep): boolean {
    const { command, actor } = queued.request;
    if (!this.suspects.isResting(command.name, actor, this.parts.clock.monotonicMs())) return false;
    queued.failed(maintenance());
    return true;
  }
}

/** Returns whether the step's answer must be stored under its caller's idempotency key. */
function isKeyed({ request }: QueuedStep): boolean {
  return request.submission !== undefined;
}

/** Returns whether the step threw a refusal before it made a change that cannot be undone. */
function isRefusal(cause: unknown, { isRefusalForbidden }: StepRecord): cause is Refused {
  return cause instanceof Refused && !isRefusalForbidden;
}

/**
 * Wraps a refusal after a change that cannot be undone in an error, so that the sequencer does not mistake it for a
 * normal refusal. Returns other causes unchanged.
 */
function bugOf(cause: unknown): unknown {
  if (!(cause instanceof Refused)) return cause;
  return new Error(`refused after a change that cannot be undone: ${cause.refusal.key}`, { cause });
}

function recordSuccess(queued: QueuedStep, step: StepRecord, outcome: unknown): StepRecord {
  const { command, input, submission, answers, answer } = queued.request;
  // The command is recorded for the journal after its run, because refused steps are not recorded.
  step.record(command.name, input);
  const result = answer === undefined ? outcome : answer(outcome);
  if (submission !== undefined) {
    const { actor, operation, key, fingerprint } = submission;
    const storedAnswer = answers.serialize(result);
    step.write(idempotencyWriter, { actor, operation, key, fingerprint, answer: storedAnswer, at: step.now });
  }
  queued.setResult(result);
  return step;
}

/**
 * Number of bugs of an operation with the same caller from which on this caller's steps of the operation are refused.
 * They are accepted again `REST_MS` after the last bug.
 */
const BUGS_PER_CALLER = 3;
/**
 * Number of bugs of an operation from which on its steps are refused for all callers, until `REST_MS` after the last
 * bug.
 */
const BUGS_PER_OPERATION = 20;
/**
 * Milliseconds after the last counted bug during which a caller's steps of an operation, or all steps of the
 * operation, are refused (see `Suspects`).
 */
const REST_MS = 60_000;

interface Bugs {
  count: number;
  lastMs: number;
}

/**
 * Counts bugs by operation and by caller of an operation. Because every bug causes a reload of all state, a caller with
 * `BUGS_PER_CALLER` bugs in an operation is refused this operation, and an operation with `BUGS_PER_OPERATION` bugs is
 * refused for all callers, until `REST_MS` after the last bug.
 */
class Suspects {
  private readonly bugs = new Map<string, Bugs>();

  /** Whether any bug is recorded. Without one, which is the usual case, this is a fast check. */
  get areAny(): boolean {
    return this.bugs.size > 0;
  }

  /** Counts a failure of a step because of a bug; `nowMs` is a monotonic time. */
  failed(operation: string, actor: string | undefined, nowMs: number): void {
    this.forgetBefore(nowMs - REST_MS * 2);
    for (const name of [operation, callerOf(operation, actor)])
      this.bugs.set(name, { count: (this.bugs.get(name)?.count ?? 0) + 1, lastMs: nowMs });
  }

  /** Returns whether steps of this operation with this caller are refused at the moment. */
  isResting(operation: string, actor: string | undefined, nowMs: number): boolean {
    this.forgetBefore(nowMs - REST_MS * 2);
    const hasReached = (name: string, limit: number): boolean => {
      const { count, lastMs } = this.bugs.get(name) ?? { count: 0, lastMs: 0 };
      return count >= limit && nowMs - lastMs < REST_MS;
    };
    return (
      hasReached(callerOf(operation, actor), BUGS_PER_CALLER) || hasReached(operation, BUGS_PER_OPERATION)
    );
  }

  private forgetBefore(oldestMs: number): void {
    for (const [name, { lastMs }] of this.bugs) if (lastMs < oldestMs) this.bugs.delete(name);
  }
}

/**
 * Returns the key under which the bugs of an operation with a caller are counted. It never equals an
 * operation's key, because operation names contain no space.
 */
function callerOf(operation: string, actor: string | undefined): string {
  return `${operation} ${actor ?? 'house'}`;
}
