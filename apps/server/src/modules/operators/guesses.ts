import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { resetGuesses, uncountGuess, countGuess } from './sign-in-repository.ts';

export const GUESSES_MAX = 5;
/**
 * Number of failed sign-in attempts that unknown browsers (from which the operator has not signed in before)
 * may make from one network address within 15 minutes, with all names together. Attempts above it are checked
 * one at a time, and wrong ones are refused with `l.operator_wait`. The number is high, because the operators
 * of an office may share an address.
 */
const ADDRESS_GUESSES_MAX = 30;
const WINDOW_MS = 15 * MINUTE_MS;
const NAME_LENGTH = 40;
const ORIGIN_LENGTH = 64;

/**
 * Origin under which authenticator codes with the correct password are counted, from all unknown browsers together. A
 * known browser has an origin of its own, which consists of this text and the browser's id.
 */
const KNOWS_PASSWORD = 'password';

/**
 * Counts failed attempts in the database by name and origin (a network address, a browser from which the
 * operator has signed in before, or a kind of attempt). A count expires 15 minutes after its first attempt;
 * an operator's count of wrong confirmation codes, over all sessions, expires `LIFETIMES.session` after its
 * first one.
 */
export class Guesses {
  private readonly parts: { readonly clock: Clock; readonly database: Database };

  constructor(parts: { readonly clock: Clock; readonly database: Database }) {
    this.parts = parts;
  }

  /**
   * Counts an attempt with a name at an origin, and returns true if it is at least the sixth since the count started. A
   * count lasts 15 minutes from its first attempt.
   */
  async isBeyond(name: string, origin: string): Promise<boolean> {
    return (await this.count(name, origin, WINDOW_MS)) > GUESSES_MAX;
  }

  /**
   * Counts an authenticator code that was entered with the correct password, and returns true if it is at least the
   * sixth within 15 minutes of the first. Without this limit, a thief of the password could try all codes. A known
   * `browser` has its own count, so that the thief cannot use up the owner's attempts.
   */
  isCodeBeyond(name: string, browser: string | undefined): Promise<boolean> {
    return this.isBeyond(name, codeOrigin(browser));
  }

  /**
   * Counts an attempt and returns the count, which starts again at one when its first attempt is older than `windowMs`.
   */
  count(name: string, origin: string, windowMs: number): Promise<number> {
    const { clock, database } = this.parts;
    const now = clock.now();
    return countGuess(database.store, subjectOf(name, origin), now, later(now, -windowMs));
  }

  /** Subtracts an attempt that turned out to be no failure from its count. */
  uncount(name: string, origin: string): Promise<void> {
    return uncountGuess(this.parts.database.store, subjectOf(name, origin));
  }

  /**
   * Deletes the stored count of failed attempts of an operator's name at one origin (network address, known
   * browser or kind of attempt).
   */
  reset(name: string, origin: string): Promise<void> {
    return resetGuesses(this.parts.database.store, subjectOf(name, origin));
  }

  /**
   * Counts an attempt of an unknown browser with any name. Returns true if there were more than 30 from its network
   * address since the count started, at most 15 minutes ago.
   */
  async isAddressBeyond(address: string): Promise<boolean> {
    return (await this.count('', `any ${address}`, WINDOW_MS)) > ADDRESS_GUESSES_MAX;
  }

  /**
   * Resets, after a successful sign-in, the name's counts of failed attempts at `origin` and of authenticator
   * attempts. If `browser` is undefined, also subtracts the attempt from the count of the network address.
   */
  async resetSignIn(
    name: string,
    {
      origin,
      address,
      browser,
    }: { readonly origin: string; readonly address: string; readonly browser: string | undefined },
  ): Promise<void> {
    await this.reset(name, origin);
    await this.reset(name, codeOrigin(browser));
    if (browser === undefined) await this.uncount('', `any ${address}`);
  }
}

/** The refusal of a wrong sign-in attempt after more failures than permitted. */
export function tooManyGuesses(): Refused {
  const limit = { limit: String(GUESSES_MAX), minutes: String(WINDOW_MS / MINUTE_MS) };
  return new Refused(refusal('rateLimited', 'l.operator_wait', limit));
}

function codeOrigin(browser: string | undefined): string {
  return browser === undefined ? KNOWS_PASSWORD : `${KNOWS_PASSWORD} ${browser}`;
}

function subjectOf(name: string, origin: string): string {
  return `${origin.slice(0, ORIGIN_LENGTH)} ${name.slice(0, NAME_LENGTH)}`;
}
