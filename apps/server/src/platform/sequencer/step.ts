import type { Instant } from '@exchange/core/time.ts';
import type { Kysely } from 'kysely';
import type { EventKind, ToldEvent } from '../events.ts';
import type { RowWriter } from './row-writer.ts';

/**
 * One use case being executed: load, decide, post, save, tell. A step sees everything the steps before it
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
  /** Takes back a change of memory if this step is refused. */
  onUndo(undo: () => void): void;
  /** A fact for followers, published only after the commit. */
  tell<Fact>(kind: EventKind<Fact>, fact: Fact): void;
}

/** A step that may also read and write SQL, inside the batch's transaction. */
export interface SqlStep extends Step {
  // The tables are narrowed by each repository with `withTables`.
  readonly sql: Kysely<unknown>;
}

export interface BufferedRow {
  readonly writer: RowWriter<unknown>;
  readonly row: unknown;
}

/** What a step did, kept until it is known whether it stands. */
export class StepRecord implements Step {
  readonly sequence: number;
  readonly now: Instant;
  readonly newId: () => string;
  readonly rows: BufferedRow[] = [];
  readonly events: ToldEvent[] = [];
  private readonly undos: (() => void)[] = [];

  constructor(sequence: number, now: Instant, newId: () => string) {
    this.sequence = sequence;
    this.now = now;
    this.newId = newId;
  }

  write<Row>(writer: RowWriter<Row>, row: Row): void {
    this.rows.push({ writer: writer as RowWriter<unknown>, row });
  }

  onUndo(undo: () => void): void {
    this.undos.push(undo);
  }

  tell<Fact>(kind: EventKind<Fact>, fact: Fact): void {
    this.events.push({ name: kind.name, fact });
  }

  /** Takes back, last first, what the step changed in memory. */
  undo(): void {
    for (let index = this.undos.length - 1; index >= 0; index -= 1) this.undos[index]!();
  }
}
