import type { Instant } from '@exchange/core/time.ts';
import type { Kysely } from 'kysely';
import type { EventKind, PublishedEvent } from '../events.ts';
import type { RowWriter } from './row-writer.ts';
import { stepId } from './step-ids.ts';

/** The running execution of a command. A step sees all changes of earlier steps. A refusal undoes this step only. */
export interface Step {
  /** Number of this step. The numbers of committed steps have no gaps. */
  readonly sequence: number;
  /** Time of this step. It never precedes the time of an earlier step. */
  readonly now: Instant;
  /** Returns a new id for use in the step. A replay returns the same ids. */
  newId(): string;
  /**
   * Adds a row to the step's batch. The row's cells are read later, at the latest when the batch is sealed, so later
   * changes of a mutable row may be stored as well.
   */
  write<Row>(writer: RowWriter<Row>, row: Row): void;
  /**
   * Registers a function that reverts a change of memory if this step is refused. The function is called with this step
   * as its argument.
   */
  onUndo(undo: (step: Step) => void): void;
  /**
   * Must be called before the first change of memory that cannot be undone, such as a match in an order book. A later
   * refusal of the step is a bug: the step is not stored, and all state is reloaded.
   */
  forbidRefusal(): void;
  /** Whether `forbidRefusal` was called. If so, code that catches a refusal inside the step must throw it again. */
  readonly isRefusalForbidden: boolean;
  /** Publishes an event to listeners after the step's commit. */
  publish<Fact>(kind: EventKind<Fact>, fact: Fact): void;
}

/** A step that may read and write SQL inside the batch's transaction. */
export interface SqlStep extends Step {
  // SQL access of the step. Repositories restrict it to their tables with `withTables`.
  readonly sql: Kysely<unknown>;
}

/** A row of a step that is stored with the step's batch. */
export interface BufferedRow {
  readonly writer: RowWriter<unknown>;
  readonly row: unknown;
}

/** A step with the rows, events and undo functions that it has recorded, until its outcome is certain. */
export class StepRecord implements Step {
  readonly sequence: number;
  readonly now: Instant;
  /**
   * The rows that the step writes, each preceded by the `RowWriter` of its table. Pairs would cost an object per row.
   */
  readonly rows: unknown[] = [];
  readonly events: PublishedEvent[] = [];
  /** Number and time of the step, and name and input of its command, as JSON for the journal. */
  recorded = '';
  private readonly idSecret: Uint32Array;
  private ids = 0;
  isRefusalForbidden = false;
  private undos: ((step: Step) => void)[] | undefined;

  constructor(sequence: number, now: Instant, idSecret: Uint32Array) {
    this.sequence = sequence;
    this.now = now;
    this.idSecret = idSecret;
  }

  newId(): string {
    this.ids += 1;
    return stepId(this.idSecret, this.sequence, this.ids, this.now);
  }

  write<Row>(writer: RowWriter<Row>, row: Row): void {
    this.rows.push(writer, row);
  }

  onUndo(undo: (step: Step) => void): void {
    if (this.undos === undefined) this.undos = [undo];
    else this.undos.push(undo);
  }

  forbidRefusal(): void {
    this.isRefusalForbidden = true;
  }

  /** Records the step's number and time and the command's name and input for the journal (see `recorded`). */
  record(command: string, input: unknown): void {
    this.recorded = JSON.stringify([this.sequence, this.now, command, input]);
  }

  publish<Fact>(kind: EventKind<Fact>, fact: Fact): void {
    this.events.push({ name: kind.name, fact });
  }

  /** The rows that the step writes, each with the `RowWriter` of its table; for replays and tests. */
  get savedRows(): BufferedRow[] {
    return this.rows.flatMap((writer, index) =>
      index % 2 === 0 ? [{ writer: writer as RowWriter<unknown>, row: this.rows[index + 1] }] : [],
    );
  }

  /**
   * Whether the step has made changes that must be stored, published or undone, apart from those by SQL, or
   * has generated an id or called `forbidRefusal`.
   */
  get hasChanged(): boolean {
    const { rows, events, undos, ids, isRefusalForbidden } = this;
    return rows.length + events.length + ids > 0 || undos !== undefined || isRefusalForbidden;
  }

  /** Reverts the changes of memory that the step has made, last change first. */
  undo(): void {
    const undos = this.undos ?? [];
    for (let index = undos.length - 1; index >= 0; index -= 1) undos[index]!(this);
  }
}
