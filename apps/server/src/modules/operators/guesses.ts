import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { forgetGuesses, takeGuess } from './guesses-repository.ts';

const WINDOW_MS = 15 * MINUTE_MS;
const MAX = 5;
const NAME_LENGTH = 40;
const ADDRESS_LENGTH = 64;

/**
 * Wrong sign-ins by name and address, kept in the database. Five in a quarter of an hour, and that name waits at that
 * address until the quarter is over: whoever guesses from elsewhere, or stops guessing, locks nobody out for good.
 */
export class Guesses {
  private readonly parts: { readonly clock: Clock; readonly database: Database };

  constructor(parts: { readonly clock: Clock; readonly database: Database }) {
    this.parts = parts;
  }

  /** Counts a try before it is looked at, so that many at a time are no more than five; refuses the sixth. */
  async take(name: string, address: string): Promise<void> {
    const { clock, database } = this.parts;
    const now = clock.now();
    const taken = await takeGuess(database.store, subjectOf(name, address), now, later(now, -WINDOW_MS));
    if (taken <= MAX) return;
    throw new Refused(refusal('rateLimited', 'l.operator_wait', { limit: String(MAX), minutes: '15' }));
  }

  /** Whoever was right has not guessed. */
  forget(name: string, address: string): Promise<void> {
    return forgetGuesses(this.parts.database.store, subjectOf(name, address));
  }
}

function subjectOf(name: string, address: string): string {
  return `${address.slice(0, ADDRESS_LENGTH)} ${name.slice(0, NAME_LENGTH)}`;
}
