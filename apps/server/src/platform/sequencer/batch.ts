import type { PublishedEvent } from '../events.ts';
import { ArrayLiterals, arrayLiterals, type RowWriter } from './row-writer.ts';
import type { StepRecord } from './step.ts';

/** What waits for one commit: the rows, facts and callers of consecutive steps. */
export class Batch {
  private readonly appended = new Map<RowWriter<unknown>, AppendedRows>();
  private readonly latest = new Map<RowWriter<unknown>, Map<unknown, unknown>>();
  private recorded: string[] = [];
  readonly events: PublishedEvent[] = [];
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

  /** Makes the texts of the rows that no later step changes, while the database is busy with another batch. */
  prepare(): void {
    for (const rows of this.appended.values()) rows.prepare();
  }

  /** Every buffered row as one data-modifying statement without the fence; undefined when there is none. Forgets the rows. */
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
    // Sorted: each set of tables has one statement, whatever order steps touched them in. The order has no
    // meaning to the database, since all parts of a statement see the state before it.
    for (const [writer, rows] of sortedByName(this.appended)) seal(writer, rows.texts);
    for (const [writer, rows] of sortedByName(this.latest)) {
      const whole = writer.after === undefined ? undefined : this.latest.get(writer.after);
      if (whole !== undefined) for (const key of whole.keys()) rows.delete(key);
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

/** How a statement of the batch is named and worded, its first parameter at `$first`. */
interface Storing {
  readonly name: string;
  statement(first: number): string;
}

/** Rows that are final when their step stands: their texts can be made before the batch ends. */
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

/** The fence's parameters ($1 … $3) come before those of the rows. */
const FENCE_PARAMETERS = 3;

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

/** What the recorded steps of one batch were asked, in order: one row, since it is only ever read as a whole. */
interface RecordedSteps {
  /** The last step of the batch. */
  readonly sequence: number;
  /** One JSON array per step: sequence, instant, operation, input. */
  readonly steps: readonly string[];
}

/**
 * Stores them. Not over arrays like other rows: quoting JSON inside of an array literal would double its
 * quotes.
 */
const stepJournal = {
  name: 'step_journal',
  statement: (first: number): string =>
    `insert into step_journal (sequence, steps) values ($${first}::bigint, $${first + 1}::text)`,
  parameters: ({ sequence, steps }: RecordedSteps): string[] => [String(sequence), steps.join('\n')],
};
