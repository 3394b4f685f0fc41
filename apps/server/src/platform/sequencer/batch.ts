import type { ToldEvent } from '../events.ts';
import { arrayLiterals, type RowWriter } from './row-writer.ts';
import { stepJournalWriter } from './step-journal.ts';
import type { StepRecord } from './step.ts';

/** What waits for one commit: the rows, facts and callers of consecutive steps. */
export class Batch {
  private readonly appended = new Map<RowWriter<unknown>, unknown[]>();
  private readonly latest = new Map<RowWriter<unknown>, Map<unknown, unknown>>();
  private recorded: string[] = [];
  readonly events: ToldEvent[] = [];
  readonly waiting: Waiting[] = [];
  lastSequence = 0;

  /** Takes over a step that stands. */
  keep(step: StepRecord, waiting: Waiting): void {
    const { rows, recorded } = step;
    for (let at = 0; at < rows.length; at += 2) this.add(rows[at] as RowWriter<unknown>, rows[at + 1]);
    if (recorded !== '') this.recorded.push(recorded);
    for (const event of step.events) this.events.push(event);
    this.waiting.push(waiting);
    this.lastSequence = step.sequence;
  }

  add(writer: RowWriter<unknown>, row: unknown): void {
    if (writer.keyOf === undefined) {
      const rows = this.appended.get(writer);
      if (rows === undefined) this.appended.set(writer, [row]);
      else rows.push(row);
    } else {
      let rows = this.latest.get(writer);
      if (rows === undefined) this.latest.set(writer, (rows = new Map()));
      rows.set(writer.keyOf(row), row);
    }
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** Every buffered row as one data-modifying statement without the fence; undefined when there is none. Forgets the rows. */
  takeRows(): SealedRows {
    const names: string[] = [];
    const statements: string[] = [];
    const values: string[] = [];
    const seal = (writer: RowWriter<unknown>, rows: Iterable<unknown>): void => {
      names.push(writer.name);
      statements.push(writer.statement(values.length + FENCE_PARAMETERS + 1));
      values.push(...(writer.parameters?.([...rows]) ?? arrayLiterals(writer, rows)));
    };
    if (this.recorded.length > 0) {
      seal(plain(stepJournalWriter), [{ sequence: this.lastSequence, steps: this.recorded }]);
      this.recorded = [];
    }
    for (const [writer, rows] of this.appended) {
      writer.seal?.(rows);
      seal(writer, rows);
    }
    for (const [writer, rows] of this.latest) {
      const whole = writer.after === undefined ? undefined : this.latest.get(writer.after);
      if (whole !== undefined) for (const key of whole.keys()) rows.delete(key);
      if (rows.size > 0) seal(writer, rows.values());
    }
    this.appended.clear();
    this.latest.clear();
    return { name: names.join(','), statements, values };
  }
}

function plain<Row>(writer: RowWriter<Row>): RowWriter<unknown> {
  return writer as RowWriter<unknown>;
}

/** The fence's parameters ($1 … $3) come before those of the rows. */
export const FENCE_PARAMETERS = 3;

export interface SealedRows {
  /** Names the set of tables, so that the statement can be prepared once per set. */
  readonly name: string;
  readonly statements: readonly string[];
  readonly values: readonly string[];
}

/** A caller that is answered when its batch is durable. */
export interface Waiting {
  committed(): void;
  failed(cause: unknown): void;
}
