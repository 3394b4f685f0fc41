import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { forgetGuesses, giveBackGuess, takeGuess } from './sign-in-repository.ts';

export const GUESSES_MAX = 5;
/** Tries of strangers of one address at any names; an office of operators mistypes less. */
const ADDRESS_GUESSES_MAX = 30;
const WINDOW_MS = 15 * MINUTE_MS;
const NAME_LENGTH = 40;
const ORIGIN_LENGTH = 64;

/** Stands for the origin of tries with the right password: they count by name, wherever they come from. */
const KNOWS_PASSWORD = 'password';

/**
 * Wrong tries, counted in the database by name and origin: an address, a known browser, or a kind of try. A count ends a
 * quarter of an hour after its first try. Nothing here refuses anybody before password and code were looked at.
 */
export class Guesses {
  private readonly parts: { readonly clock: Clock; readonly database: Database };

  constructor(parts: { readonly clock: Clock; readonly database: Database }) {
    this.parts = parts;
  }

  /** Counts a try and says whether it is beyond five. */
  async isBeyond(name: string, origin: string): Promise<boolean> {
    return (await this.count(name, origin, WINDOW_MS)) > GUESSES_MAX;
  }

  /**
   * Counts a try at the authenticator's code by somebody who has the right password, and says whether it is beyond five.
   * Without this count a stolen password could be tried with every code. `browser` is the known browser it comes from,
   * which has a count of its own, so that a thief of the password does not use up the owner's tries.
   */
  isCodeBeyond(name: string, browser: string | undefined): Promise<boolean> {
    return this.isBeyond(name, codeOrigin(browser));
  }

  /** Counts a try; gives how many there were within `windowMs` milliseconds of the first. */
  count(name: string, origin: string, windowMs: number): Promise<number> {
    const { clock, database } = this.parts;
    const now = clock.now();
    return takeGuess(database.store, subjectOf(name, origin), now, later(now, -windowMs));
  }

  /** Uncounts a try that was no guess. */
  giveBack(name: string, origin: string): Promise<void> {
    return giveBackGuess(this.parts.database.store, subjectOf(name, origin));
  }

  /** Ends a count. */
  forget(name: string, origin: string): Promise<void> {
    return forgetGuesses(this.parts.database.store, subjectOf(name, origin));
  }

  /** Counts a stranger's try at any name and says whether there are too many of one address. */
  async isAddressBeyond(address: string): Promise<boolean> {
    return (await this.count('', `any ${address}`, WINDOW_MS)) > ADDRESS_GUESSES_MAX;
  }

  /** Ends the counts of a name after a right sign-in, so that its owner's earlier mistakes are forgotten. */
  async forgetSignIn(
    name: string,
    {
      origin,
      address,
      browser,
    }: { readonly origin: string; readonly address: string; readonly browser: string | undefined },
  ): Promise<void> {
    await this.forget(name, origin);
    await this.forget(name, codeOrigin(browser));
    if (browser === undefined) await this.giveBack('', `any ${address}`);
  }
}

/** The refusal of a wrong try beyond five. */
export function mustWait(): Refused {
  const limit = { limit: String(GUESSES_MAX), minutes: String(WINDOW_MS / MINUTE_MS) };
  return new Refused(refusal('rateLimited', 'l.operator_wait', limit));
}

function codeOrigin(browser: string | undefined): string {
  return browser === undefined ? KNOWS_PASSWORD : `${KNOWS_PASSWORD} ${browser}`;
}

function subjectOf(name: string, origin: string): string {
  return `${origin.slice(0, ORIGIN_LENGTH)} ${name.slice(0, NAME_LENGTH)}`;
}
