import type { Log } from '../log.ts';
import type { Head, Journal } from './journal.ts';

/** State in memory that is a cache of the database: dropped and read anew when memory cannot be trusted. */
export interface Participant {
  readonly name: string;
  /** Forgets everything and reads the state as stored. */
  load(): Promise<void>;
  /** After each batch: names what is broken, so that it can be halted; empty when all invariants hold. */
  verify?(): readonly string[];
}

/** A database that was just restarted may break connections once more while state is read. */
const LOAD_ATTEMPTS = 20;
const LOAD_PAUSE_MS = 250;

interface Parts {
  readonly journal: Journal;
  readonly participants: readonly Participant[];
  readonly log: Log;
  /** Whether nobody needs the state any more. */
  readonly isStopping: () => boolean;
}

/**
 * Becomes the writer again, which rolls back whatever was open, and loads all state as it is stored; once
 * more when the database goes away in between. Throws `Fenced` where another process has become the writer.
 */
export async function rebuild({ journal, participants, log, isStopping }: Parts): Promise<Head> {
  for (let attempt = 1; ; attempt += 1) {
    const head = await journal.takeOver();
    try {
      for (const participant of participants) await participant.load();
      return head;
    } catch (failure) {
      if (isStopping() || attempt === LOAD_ATTEMPTS) throw failure;
      log.warn('sequencer.load_failed', { attempt, cause: failure });
      await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS));
    }
  }
}
