import { isUuid } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { nameOf } from '../../platform/console/gate.ts';
import {
  START_FIELD,
  type Operation,
  type Operator,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { refusalSentence } from '../../platform/console/refusal-sentence.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import * as rows from './scheduled-repository.ts';

/**
 * Maximum time between the confirmation of a call and its start, in milliseconds. A later start is refused, because it
 * is probably a mistake, such as a wrong year.
 */
const START_MAX_MS = 90 * DAY_MS;
const RESULT_MAX = 2_000;
/** Result text of a call that was running when the server stopped and is waiting again. */
const INTERRUPTED = 'The server stopped while this change was applied. It is applied again.';

interface Parts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'reader'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /**
   * Repeats the checks that were made when the call was confirmed, and runs the call. Throws `Refused` if a check
   * fails.
   */
  readonly apply: (row: rows.ScheduledRow) => Promise<unknown>;
}

/**
 * Confirmed calls that take effect later. A job checks and applies each call at its start time, also after a
 * restart; during maintenance the call waits, and a call that is refused or fails ends so, with the reason
 * as its result. Only operations that set a state can start later, for example terms or a status, so a call
 * that a stop of the server interrupted can be applied again.
 */
export class Scheduled {
  private readonly parts: Parts;
  private readonly runs = new SerialRuns(() => this.applyDue());

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Sets the state of calls that were running when the server stopped to `waiting`. Must be called once at the start of
   * the server, before `run`.
   */
  async start(): Promise<void> {
    await rows.requeueInterrupted(this.parts.database.store, INTERRUPTED);
  }

  /**
   * The time at which a call takes effect; undefined for a call that runs at once, and for an operation that
   * cannot start later, whatever the call states. Refuses a text that is not a time in milliseconds UTC, and
   * a time that is not in the future or is more than 90 days ahead.
   */
  startOf(
    { canStartLater }: Pick<Operation, 'canStartLater'>,
    { fields }: OperatorCall,
  ): Instant | undefined {
    const text = fields[START_FIELD] ?? '';
    if (canStartLater !== true || text.trim() === '') return undefined;
    const time = Number(text);
    if (Number.isSafeInteger(time) && time > this.now && time <= this.now + START_MAX_MS)
      return instant(time);
    throw new Refused(refusal('invalidField', 'l.field_invalid', { field: START_FIELD, value: text }));
  }

  /**
   * Stores a confirmed call until its start time. Returns the id and the start time, which are the response to the
   * operator.
   */
  async add(
    operation: Operation,
    call: OperatorCall,
    { startsAt, evidenceDigest }: { readonly startsAt: Instant; readonly evidenceDigest: Buffer | null },
  ) {
    const { operator, parameters, fields } = call;
    const id = newId(systemRandom, this.now);
    await rows.insertScheduled(this.parts.database.store, {
      id,
      operator: operator.name,
      approved_by: operator.approvedBy ?? null,
      operation: nameOf(operation),
      parameters: JSON.stringify(parameters),
      fields: JSON.stringify(fields),
      reason: fields['reason'] ?? '',
      state: 'waiting',
      created_at: BigInt(this.now),
      starts_at: BigInt(startsAt),
      evidence_digest: evidenceDigest,
      ended_at: null,
      ended_by: null,
      result: null,
    });
    return { scheduled: id, startsAt };
  }

  /**
   * Cancels a scheduled call that has not started yet. Refuses an unknown call with `l.not_found`, and one that has
   * started or ended with `l.proposal_over`.
   */
  async cancel(id: string, operator: Operator): Promise<void> {
    const { store } = this.parts.database;
    const row = isUuid(id) ? await rows.scheduledRow(store, id) : undefined;
    if (row === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const ended = { state: 'cancelled', ended_at: BigInt(this.now), ended_by: operator.name } as const;
    if (!(await rows.changeScheduled(store, { id, from: 'waiting' }, ended)))
      throw new Refused(refusal('closed', 'l.proposal_over'));
  }

  async list() {
    return mapBounded(await rows.scheduledRows(this.parts.database.reader), (row) => ({
      id: row.id,
      operation: row.operation,
      state: row.state,
      operator: row.operator,
      approvedBy: row.approved_by,
      reason: row.reason,
      parameters: row.parameters,
      fields: row.fields,
      createdAt: Number(row.created_at),
      startsAt: Number(row.starts_at),
      endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
      endedBy: row.ended_by,
      result: row.result,
    }));
  }

  /**
   * Applies calls whose start time has passed, at most `DUE_AT_ONCE` of them, one after another. Runs do not overlap: a
   * call during a run causes another one afterwards.
   */
  run(): Promise<void> {
    return this.runs.run();
  }

  private async applyDue(): Promise<void> {
    const { list } = await rows.dueRows(this.parts.database.store, this.now);
    for (const row of list) await this.applyOne(row);
  }

  private async applyOne(row: rows.ScheduledRow): Promise<void> {
    const { database, log } = this.parts;
    const { id, operation } = row;
    // A run and a cancellation both change the state only from `waiting`; whichever comes second has no effect.
    if (!(await rows.changeScheduled(database.store, { id, from: 'waiting' }, { state: 'running' }))) return;
    const end = (state: 'done' | 'refused' | 'failed' | 'interrupted', result: string) =>
      rows.changeScheduled(
        database.store,
        { id, from: 'running' },
        { state, ended_at: BigInt(this.now), result: result.slice(0, RESULT_MAX) },
      );
    try {
      const result = await this.parts.apply(row);
      await end('done', JSON.stringify(result ?? {}));
    } catch (cause) {
      if (!(cause instanceof Refused)) {
        await end('failed', errorMessage(cause));
        log.error('operator.scheduled_failed', { id, operation, cause });
        return;
      }
      const { kind } = cause.refusal;
      // During maintenance the call becomes `waiting` again, and the next run applies it.
      if (kind === 'maintenance') {
        await rows.changeScheduled(database.store, { id, from: 'running' }, { state: 'waiting' });
        return;
      }
      const because = refusalSentence(cause.refusal);
      // A call during which the server stopped may have taken effect; its repetition is then refused, because
      // the version has changed. So a refused repetition of such a call ends as `interrupted` instead of
      // `refused`.
      await end(row.result === INTERRUPTED ? 'interrupted' : 'refused', because);
      log.warn('operator.scheduled_refused', { id, operation, because });
    }
  }

  private get now(): Instant {
    return instant(this.parts.clock.now());
  }
}
