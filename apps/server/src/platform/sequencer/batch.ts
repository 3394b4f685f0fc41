import type { PublishedEvent } from '../events.ts';
import { ArrayLiterals, arrayLiterals, type RowWriter } from './row-writer.ts';
import type { StepRecord } from './step.ts';

/** Consecutive steps that are stored by one commit: their rows, events and waiting callers. */
export class Batch {
  private readonly appended = new Map<RowWriter<unknown>, AppendedRows>();
  private readonly latest = new Map<RowWriter<unknown>, Map<unknown, unknown>>();
  private recorded: string[] = [];
  readonly events: PublishedEvent[] = [];
  readonly waiting: Waiting[] = [];
  lastSequence = 0;

  /** Adds the rows, events and record of a successful step to the batch, with the caller that waits for its commit. */
  addStep(step: StepRecord, waiting: Waiting): void {
    const { rows, recorded } = step;
    for (let at = 0; at < rows.length; at += 2) this.add(rows[at] as RowWriter<unknown>, rows[at + 1]);
    if (recorded !== '') this.recorded.push(recorded);
    for (const event of step.events) this.events.push(event);
    this.waiting.push(waiting);
    this.lastSequence = step.sequence;
  }

  add(writer: RowWriter<unknown>, row: unknown): void {
    if (writer.keyOf === undefined) {
      let rows = this.appended.get(writer);
      if (rows === undefined) this.appended.set(writer, (rows = new AppendedRows(writer)));
      rows.add(row);
    } else {
      let rows = this.latest.get(writer);
      if (rows === undefined) this.latest.set(writer, (rows = new Map()));
      rows.set(writer.keyOf(row), row);
    }
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /**
   * Serializes the rows of the batch that later steps cannot change any more. Called while the database is busy with
   * the previous batch.
   */
  prepare(): void {
    for (const rows of this.appended.values()) rows.prepare();
  }

  /**
   * Builds the parts of one data-modifying statement from all rows of the batch and clears the batch's rows. The caller
   * adds the check that this process is still the writer.
   */
  takeRows(): SealedRows {
    const names: string[] = [];
    const statements: string[] = [];
    const values: string[] = [];
    const seal = (writer: Storing, parameters: string[]): void => {
      names.push(writer.name);
      statements.push(writer.statement(values.length + FENCE_PARAMETERS + 1));
      values.push(...parameters);
    };
    if (this.recorded.length > 0) {
      seal(stepJournal, stepJournal.parameters({ sequence: this.lastSequence, steps: this.recorded }));
      this.recorded = [];
    }
    // Tables are sorted by name, so that each set of tables has exactly one statement, which can be prepared. The order
    // has no effect in the database, because all parts of a statement see the state before the statement.
    for (const [writer, rows] of sortedByName(this.appended)) seal(writer, rows.texts);
    for (const [writer, rows] of sortedByName(this.latest)) {
      const wholeRows = writer.after === undefined ? undefined : this.latest.get(writer.after);
      if (wholeRows !== undefined) for (const key of wholeRows.keys()) rows.delete(key);
      if (rows.size > 0) seal(writer, arrayLiterals(writer, rows.values()));
    }
    this.appended.clear();
    this.latest.clear();
    return { name: names.join(','), statements, values };
  }
}

function sortedByName<Rows>(byWriter: ReadonlyMap<RowWriter<unknown>, Rows>): [RowWriter<unknown>, Rows][] {
  return [...byWriter].toSorted(([left], [right]) => (left.name < right.name ? -1 : 1));
}

/** A table that is written with a batch: its name, and its part of the statement, whose first parameter is `$first`. */
interface Storing {
  readonly name: string;
  statement(first: number): string;
}

/** Rows that no later step can change, so that they are serialized before the batch ends. */
class AppendedRows {
  private readonly writer: RowWriter<unknown>;
  private readonly literals: ArrayLiterals<unknown>;
  private rows: unknown[] = [];

  constructor(writer: RowWriter<unknown>) {
    this.writer = writer;
    this.literals = new ArrayLiterals(writer);
  }

  add(row: unknown): void {
    this.rows.push(row);
  }

  prepare(): void {
    if (this.rows.length === 0) return;
    this.writer.seal?.(this.rows);
    this.literals.add(this.rows);
    this.rows = [];
  }

  get texts(): string[] {
    this.prepare();
    return this.literals.texts;
  }
}

/**
 * Number of parameters of the fence, which is the check in each commit that this process is still the writer. The
 * parameters of the rows follow them.
 */
const FENCE_PARAMETERS = 3;

export interface SealedRows {
  /** Identifies the set of tables that a batch writes, so that the SQL statement for this set is prepared once. */
  readonly name: string;
  readonly statements: readonly string[];
  readonly values: readonly string[];
}

/** A caller that is notified when its batch is committed or has failed. */
export interface Waiting {
  committed(): void;
  failed(cause: unknown): void;
}

/**
 * The row that stores the steps of a batch, in order. They share one row, because they are always read
 * together.
 */
interface RecordedSteps {
  /** Sequence number of the last step in the batch. */
  readonly sequence: number;
  /** The recorded steps, each as the text of a JSON array: sequence number, time, command name, input. */
  readonly steps: readonly string[];
}

/**
 * Writer of the step journal's row. It does not use array literals like other tables, because these would
 * escape every quote in the JSON again.
 */
const stepJournal = {
  name: 'step_journal',
  statement: (first: number): string =>
    `insert into step_journal (sequence, steps) values ($${first}::bigint, $${first + 1}::text)`,
  parameters: ({ sequence, steps }: RecordedSteps): string[] => [String(sequence), steps.join('\n')],
};
