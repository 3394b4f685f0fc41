import { refusal, Refused, type RefusalKey } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { CODE_FIELD } from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { type Authenticators, bareCode } from './authenticators.ts';
import { LASTS } from './domain.ts';
import { GUESSES_MAX, type Guesses } from './guesses.ts';
import * as rows from './repository.ts';

/** Stands for the address of tries at confirming: they come from whoever has a session, wherever that is. */
const CONFIRMING = 'confirming';
const SIX_DIGITS = /^\d{6}$/;

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly guesses: Guesses;
  readonly authenticators: Authenticators;
}

/** A decision that was confirmed. */
export interface Confirmed {
  /** Makes its code right again, where the decision was refused and nothing came of it. */
  giveBack(): Promise<void>;
}

/**
 * Codes by which operators confirm what they do, each one decision. Five wrong ones in a row, however long the session
 * that they come from lasts, end every session of that operator: whoever has stolen one cannot guess.
 */
export class Confirmations {
  private readonly parts: Parts;
  private readonly turns = new OnePerKey();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Uses up a code; throws `Refused` for one that is missing, wrong or used before. */
  confirm(name: string, typed: string): Promise<Confirmed> {
    // One at a time: of the same code twice one is right, the other was used before and is no guess.
    return this.turns.run(name, () => this.confirmNow(name, typed));
  }

  /** Whoever has signed in anew begins anew. */
  forget(name: string): Promise<void> {
    return this.parts.guesses.forget(name, CONFIRMING);
  }

  private async confirmNow(name: string, typed: string): Promise<Confirmed> {
    const { database, guesses, authenticators } = this.parts;
    // What cannot be a code is no guess; a recovery code is told what it is not good for.
    if (!SIX_DIGITS.test(bareCode(typed))) throw refused('l.operator_code_missing');
    const tries = await guesses.count(name, CONFIRMING, LASTS.session);
    const row = tries > GUESSES_MAX ? undefined : await rows.operatorRow(database.store, name);
    const look = row === undefined ? WRONG : await authenticators.use(row, typed);
    if (look.is === 'right') {
      await guesses.forget(name, CONFIRMING);
      return { giveBack: () => authenticators.giveBack(name, look) };
    }
    if (look.is === 'used') {
      await guesses.giveBack(name, CONFIRMING);
      throw refused('l.operator_code_used', { seconds: String(look.seconds) });
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
