import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { forgetGuesses, giveBackGuess, takeGuess } from './sign-in-repository.ts';

export const GUESSES_MAX = 5;
const WINDOW_MS = 15 * MINUTE_MS;
const NAME_LENGTH = 40;
const ADDRESS_LENGTH = 64;

/**
 * Wrong tries by name and address, kept in the database. Five wrong sign-ins in a quarter of an hour, and that name waits
 * at that address until the quarter is over: whoever guesses from elsewhere, or stops guessing, locks nobody out for good.
 */
export class Guesses {
  private readonly parts: { readonly clock: Clock; readonly database: Database };

  constructor(parts: { readonly clock: Clock; readonly database: Database }) {
    this.parts = parts;
  }

  /** Counts a try before it is looked at, so that many at a time are no more than five; refuses the sixth. */
  async take(name: string, address: string): Promise<void> {
    if ((await this.count(name, address, WINDOW_MS)) <= GUESSES_MAX) return;
    const limit = { limit: String(GUESSES_MAX), minutes: '15' };
    throw new Refused(refusal('rateLimited', 'l.operator_wait', limit));
  }

  /** Counts a try before it is looked at; gives how many there were within so many milliseconds since the first. */
  count(name: string, address: string, windowMs: number): Promise<number> {
    const { clock, database } = this.parts;
    const now = clock.now();
    return takeGuess(database.store, subjectOf(name, address), now, later(now, -windowMs));
  }

  /** A try that was none counts no more. */
  giveBack(name: string, address: string): Promise<void> {
    return giveBackGuess(this.parts.database.store, subjectOf(name, address));
  }

  /** Whoever was right has not guessed. */
  forget(name: string, address: string): Promise<void> {
    return forgetGuesses(this.parts.database.store, subjectOf(name, address));
  }
}

function subjectOf(name: string, address: string): string {
  return `${address.slice(0, ADDRESS_LENGTH)} ${name.slice(0, NAME_LENGTH)}`;
}
