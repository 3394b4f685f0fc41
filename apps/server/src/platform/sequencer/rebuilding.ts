import type { Log } from '../log.ts';
import type { FollowedState } from './followed-state.ts';
import type { Head, Journal } from './journal.ts';

/**
 * State in memory that caches the database. It is loaded again when it may differ from the database, for example after a
 * batch could not be stored or a step failed because of a bug.
 */
export interface Participant {
  readonly name: string;
  /** Discards the state in memory and reads it from the database, which contains every step up to `sequence`. */
  load(sequence: number): Promise<void>;
  /** Keeps the state current on a standby; undefined for state that a takeover loads quickly enough. */
  readonly following?: FollowedState;
  /**
   * Called before each batch is stored. Returns the names of the state's broken invariants and halts the affected
   * parts; empty if all invariants hold. If one is broken, the batch is not stored.
   */
  verify?(): readonly string[];
}

/**
 * Maximum number of attempts to load the state. A database that has just restarted may break connections repeatedly.
 */
const LOAD_ATTEMPTS = 20;
const LOAD_PAUSE_MS = 250;

interface Parts {
  readonly journal: Journal;
  readonly participants: readonly Participant[];
  readonly log: Log;
  /** Returns whether the process is stopping and needs no state any more. */
  readonly isStopping: () => boolean;
}

/**
 * Becomes the writer again, which rolls back open transactions, and loads all state from the database. Repeats this, up
 * to `LOAD_ATTEMPTS` times, if loading fails. Throws `Fenced` if another process has become the writer, `HeadBehind` if
 * the database lacks confirmed steps, and the error of loading after the last attempt or while the process stops.
 */
export async function rebuild({ journal, participants, log, isStopping }: Parts): Promise<Head> {
  for (let attempt = 1; ; attempt += 1) {
    const head = await journal.takeOver();
    try {
      for (const participant of participants) await participant.load(head.sequence);
      return head;
    } catch (failure) {
      if (isStopping() || attempt === LOAD_ATTEMPTS) throw failure;
      log.warn('sequencer.load_failed', { attempt, cause: failure });
      await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS));
    }
  }
}
