import { refusal, Refused, type RefusalKey } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { CODE_FIELD } from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { type Authenticators, bareCode } from './authenticators.ts';
import { LIFETIMES } from './domain.ts';
import { GUESSES_MAX, type Guesses } from './guesses.ts';
import * as rows from './repository.ts';

/**
 * Origin (key of the counter) under which an operator's wrong confirmation codes are counted, from all network
 * addresses together.
 */
const CONFIRMING = 'confirming';
const SIX_DIGITS = /^\d{6}$/;

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly guesses: Guesses;
  readonly authenticators: Authenticators;
}

/** The confirmation that one decision has used: an authenticator code, or a part of a confirmation period. */
export interface Confirmed {
  /**
   * Makes the used code valid again, or adds the decision and its value back to the confirmation period. The caller
   * calls it when the decision was refused and therefore had no effect.
   */
  undo(): Promise<void>;
}

/**
 * Checks the authenticator codes with which operators confirm single decisions. Five wrong codes in a row end
 * all of the operator's sessions, so a stolen session cannot be used to guess.
 */
export class Confirmations {
  private readonly parts: Parts;
  private readonly operatorQueue = new OnePerKey();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Checks an operator's authenticator code and marks it as used; throws `Refused` if it is missing, wrong or
   * used.
   */
  confirm(name: string, typed: string): Promise<Confirmed> {
    // Confirmations of an operator run one after another: if the same code is sent twice concurrently, the second
    // request is refused because the code is used, and does not count as a wrong code.
    return this.operatorQueue.run(name, () => this.confirmQueued(name, typed));
  }

  /** Resets the count of wrong confirmation codes after a new sign-in. */
  resetCount(name: string): Promise<void> {
    return this.parts.guesses.reset(name, CONFIRMING);
  }

  private async confirmQueued(name: string, typed: string): Promise<Confirmed> {
    const { database, guesses, authenticators } = this.parts;
    // A malformed code, such as a recovery code, is refused without being counted as a guess.
    if (!SIX_DIGITS.test(bareCode(typed))) throw refused('l.operator_code_missing');
    const tries = await guesses.count(name, CONFIRMING, LIFETIMES.session);
    const row = tries > GUESSES_MAX ? undefined : await rows.operatorRow(database.store, name);
    const result = row === undefined ? WRONG : await authenticators.use(row, typed);
    if (result.is === 'right') {
      await guesses.reset(name, CONFIRMING);
      return { undo: () => authenticators.restoreStep(name, result) };
    }
    if (result.is === 'used') {
      await guesses.uncount(name, CONFIRMING);
      throw refused('l.operator_code_used', { seconds: String(result.seconds) });
    }
    if (tries < GUESSES_MAX) throw refused('l.operator_code_wrong', { left: String(GUESSES_MAX - tries) });
    await rows.endSessionsOf(database.store, name);
    throw refused('l.operator_codes_ended', { limit: String(GUESSES_MAX) });
  }
}

const WRONG = { is: 'wrong' } as const;

function refused(key: RefusalKey, parameters: Readonly<Record<string, string>> = {}): Refused {
  return new Refused(refusal('secondFactor', key, { field: CODE_FIELD, ...parameters }));
}
