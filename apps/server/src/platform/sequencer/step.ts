import type { Instant } from '@exchange/core/time.ts';
import type { Kysely } from 'kysely';
import type { EventKind, PublishedEvent } from '../events.ts';
import type { RowWriter } from './row-writer.ts';
import { stepId } from './step-ids.ts';

/**
 * One use case being executed: load, decide, post, save, publish. A step sees everything the steps before it
 * did and is undone alone when it is refused.
 */
export interface Step {
  /** The position of this step among all steps ever; no gaps among committed ones within a batch. */
  readonly sequence: number;
  /** The sequencer's time: never runs backwards. */
  readonly now: Instant;
  /** A fresh id, the same in a replay. */
  newId(): string;
  /** Saves a row with the batch. Its cells are read when the batch is sealed, so a live object is saved in its final state. */
  write<Row>(writer: RowWriter<Row>, row: Row): void;
  /** Takes back a change of memory if this step, which it is then given, is refused. */
  onUndo(undo: (step: Step) => void): void;
  /**
   * To be called before the first change of memory that the step cannot take back, such as a match in an order book. A
   * refusal that reaches the sequencer afterwards is a bug: the step is not stored, and all memory is loaded anew.
   */
  forbidRefusal(): void;
  /** Whether `forbidRefusal` was called. Code that catches a refusal within the step must pass it on then. */
  readonly isRefusalForbidden: boolean;
  /** A fact for followers, published only after the commit. */
  publish<Fact>(kind: EventKind<Fact>, fact: Fact): void;
}

/** A step that may also read and write SQL, inside the batch's transaction. */
export interface SqlStep extends Step {
  // The tables are narrowed by each repository with `withTables`.
  readonly sql: Kysely<unknown>;
}

/** A row on its way to the database. */
export interface BufferedRow {
  readonly writer: RowWriter<unknown>;
  readonly row: unknown;
}

/** What a step did, kept until it is known whether it stands. */
export class StepRecord implements Step {
  readonly sequence: number;
  readonly now: Instant;
  /** Writer, row, writer, row: one step writes many, so none gets an object of its own. */
  readonly rows: unknown[] = [];
  readonly events: PublishedEvent[] = [];
  /** What was asked, as the journal keeps it. */
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

  /** Writes down what was asked: the command's name, and its input as JSON. */
  record(command: string, input: unknown): void {
    this.recorded = JSON.stringify([this.sequence, this.now, command, input]);
  }

  publish<Fact>(kind: EventKind<Fact>, fact: Fact): void {
    this.events.push({ name: kind.name, fact });
  }

  /** The rows one by one, for whoever looks at a step from outside. */
  get savedRows(): BufferedRow[] {
    return this.rows.flatMap((writer, at) =>
      at % 2 === 0 ? [{ writer: writer as RowWriter<unknown>, row: this.rows[at + 1] }] : [],
    );
  }

  /** Whether the step has done anything that has to be stored, published or undone; its SQL is not looked at. */
  get hasChanged(): boolean {
    const { rows, events, undos, ids, isRefusalForbidden } = this;
    return rows.length + events.length + ids > 0 || undos !== undefined || isRefusalForbidden;
  }

  /** Takes back, last first, what the step changed in memory. */
  undo(): void {
    const undos = this.undos ?? [];
    for (let index = undos.length - 1; index >= 0; index -= 1) undos[index]!(this);
  }
}
