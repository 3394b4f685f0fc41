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
 * What a run came to: the step, where it stands; `refused`: it left nothing, and its caller has yet to be
 * told; `unchanged`: it was carried out, changed nothing and is not journaled, and its caller has yet to be told;
 * `failed`: it showed a bug, its caller was told, and memory is suspect; `turnedAway`: it did not run.
 */
type Outcome = StepRecord | 'refused' | 'unchanged' | 'failed' | 'turnedAway';

/** The step did not run and has to wait. */
export interface Postponed {
  readonly postponement: Postponement;
}

interface Parts {
  readonly secret: Uint32Array;
  readonly clock: Clock;
  readonly log: Log;
}

/** Nothing was done, and it may be tried again. */
export function maintenance(): Refused {
  return new Refused(refusal('maintenance', 'l.maintenance'));
}

/** Runs one step at a time: gives it its number and its time, and finds out what became of it. */
export class StepRunner {
  /** The number of the last step that stands. */
  sequence = 0;
  private readonly parts: Parts;
  private readonly suspects = new Suspects();
  private lastNow: Instant = instant(0);

  constructor(parts: Parts) {
    this.parts = parts;
  }

  run(queued: QueuedStep): Outcome | Postponed {
    if (this.suspects.areAny && this.turnsAway(queued)) return 'turnedAway';
    const { input } = queued.asked;
    const command = queued.asked.command as MemoryCommand<unknown, unknown>;
    const step = this.newStep();
    try {
      const postponement = command.postponed?.(input, step.now);
      if (postponement !== undefined) {
        this.sequence -= 1;
        return { postponement };
      }
      const outcome = command.run(step, input);
      return step.hasChanged || isKeyed(queued)
        ? standing(queued, step, outcome)
        : this.unchanged(queued, outcome);
    } catch (cause) {
      return isRefusal(cause, step) ? this.refused(queued, step, cause) : this.failed(queued, bugOf(cause));
    }
  }

  /**
   * The same with SQL, of which `sqlChanges` knows whether it changed rows. `rollBack` undoes the SQL of the step;
   * where it throws, the connection was at fault and not the step: its caller is told that nothing was done, and the
   * error is passed on.
   */
  async runWithSql(
    queued: QueuedStep,
    { transaction: sql, sqlChanges }: Pick<Journal, 'transaction' | 'sqlChanges'>,
    rollBack: () => Promise<void>,
  ): Promise<Outcome> {
    if (this.suspects.areAny && this.turnsAway(queued)) return 'turnedAway';
    const { command, input } = queued.asked;
    const step = this.newStep();
    const sqlStep: SqlStep = Object.assign(step, { sql });
    sqlChanges.reset();
    try {
      const outcome = await (command as SqlCommand<unknown, unknown>).run(sqlStep, input);
      return step.hasChanged || sqlChanges.isAny || isKeyed(queued)
        ? standing(queued, step, outcome)
        : this.unchanged(queued, outcome);
    } catch (cause) {
      const refused = isRefusal(cause, step) ? this.refused(queued, step, cause) : undefined;
      try {
        await rollBack();
      } catch (lost) {
        queued.failed(maintenance());
        throw lost;
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

  /** The journal needs no row for it: a replay without it makes the same state. */
  private unchanged(queued: QueuedStep, outcome: unknown): Outcome {
    const { answer } = queued.asked;
    queued.stands(answer === undefined ? outcome : answer(outcome));
    this.sequence -= 1;
    return 'unchanged';
  }

  private refused(queued: QueuedStep, step: StepRecord, refused: Refused): Outcome {
    try {
      step.undo();
    } catch (bug) {
      return this.failed(queued, bug);
    }
    this.sequence -= 1;
    queued.refused(refused);
    return 'refused';
  }

  /** Nothing is undone: what the step did is not known, and all memory is read anew. */
  private failed(queued: QueuedStep, cause: unknown): Outcome {
    const { command, actor } = queued.asked;
    const operation = command.name;
    this.suspects.failed(operation, actor, this.parts.clock.monotonicMs());
    this.parts.log.error('sequencer.step_failed', { operation, cause });
    queued.failed(cause);
    return 'failed';
  }

  private turnsAway(queued: QueuedStep): boolean {
    const { command, actor } = queued.asked;
    if (!this.suspects.isResting(command.name, actor, this.parts.clock.monotonicMs())) return false;
    queued.failed(maintenance());
    return true;
  }
}

/** Whether the answer has to be stored for its caller's key. */
function isKeyed({ asked }: QueuedStep): boolean {
  return asked.submission !== undefined;
}

/** Whether what a step threw is a refusal that leaves no trace. */
function isRefusal(cause: unknown, { isRefusalForbidden }: StepRecord): cause is Refused {
  return cause instanceof Refused && !isRefusalForbidden;
}

/** What a failed step threw, as an error: a refusal that came too late would look like an ordinary answer to its caller. */
function bugOf(cause: unknown): unknown {
  if (!(cause instanceof Refused)) return cause;
  return new Error(`refused after a change that cannot be undone: ${cause.refusal.key}`, { cause });
}

function standing(queued: QueuedStep, step: StepRecord, outcome: unknown): StepRecord {
  const { command, input, submission, answers, answer } = queued.asked;
  // A refused step is not kept, so it need not be written down first.
  step.record(command.name, input);
  const result = answer === undefined ? outcome : answer(outcome);
  if (submission !== undefined) {
    const { actor, operation, key, fingerprint } = submission;
    const kept = answers.keep(result);
    step.write(idempotencyWriter, { actor, operation, key, fingerprint, answer: kept, at: step.now });
  }
  queued.stands(result);
  return step;
}

/** After so many bugs of one caller's operation it rests. */
const BUGS_OF_ONE = 3;
/** After so many bugs of an operation, whoever asked, it rests for everybody. */
const BUGS_OF_ALL = 20;
/** So long it rests; then one more try is let through. */
const REST_MS = 60_000;

interface Record {
  bugs: number;
  lastMs: number;
}

/**
 * Operations that failed through a bug. Each time costs everybody a rebuilding of memory, so whoever brings
 * the same bug up again and again, a user or the house itself, is turned away for a while.
 */
class Suspects {
  private readonly byCaller = new Map<string, Record>();
  private readonly byOperation = new Map<string, Record>();

  /** Whether any operation has failed lately: nothing need be looked up while none has. */
  get areAny(): boolean {
    return this.byOperation.size > 0;
  }

  /** To be called when a step failed through a bug, at a monotonic time. */
  failed(operation: string, actor: string | undefined, nowMs: number): void {
    this.forgetBefore(nowMs - REST_MS * 2);
    count(this.byCaller, callerOf(operation, actor), nowMs);
    count(this.byOperation, operation, nowMs);
  }

  /** Whether this caller's operation rests at the moment. */
  isResting(operation: string, actor: string | undefined, nowMs: number): boolean {
    this.forgetBefore(nowMs - REST_MS * 2);
    return (
      isResting(this.byCaller.get(callerOf(operation, actor)), BUGS_OF_ONE, nowMs) ||
      isResting(this.byOperation.get(operation), BUGS_OF_ALL, nowMs)
    );
  }

  private forgetBefore(oldestMs: number): void {
    for (const records of [this.byCaller, this.byOperation]) {
      for (const [name, { lastMs }] of records) if (lastMs < oldestMs) records.delete(name);
    }
  }
}

function callerOf(operation: string, actor: string | undefined): string {
  return `${operation} ${actor ?? 'house'}`;
}

function count(records: Map<string, Record>, name: string, nowMs: number): void {
  records.set(name, { bugs: (records.get(name)?.bugs ?? 0) + 1, lastMs: nowMs });
}

function isResting(record: Record | undefined, limit: number, nowMs: number): boolean {
  return record !== undefined && record.bugs >= limit && nowMs - record.lastMs < REST_MS;
}
