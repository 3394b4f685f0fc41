import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { userInfo } from '@exchange/wire/user.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { OnePerKey } from '../../platform/one-per-key.ts';
import type { Random } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { SlowHash } from '../../platform/secrets/slow-hash.ts';
import type { SignInSessions } from '../../platform/session/sessions.ts';
import type { AccountRepository } from './account-repository.ts';
import type { AuthenticatorRepository } from './authenticator-repository.ts';
import type { MailedCodes } from './mailed-codes.ts';
import type { SecurityLog } from './security-log.ts';
import type { SignInGuard } from './sign-in-guard.ts';

/** Pictures of accounts, as they are kept elsewhere. */
export interface Avatars {
  /** Takes an uploaded picture for its owner; refuses any other. */
  claim(tx: Tx, owner: UserId, id: string): Promise<void>;
  remove(tx: Tx, id: string): Promise<void>;
}

/** An address of an address book, in the words of the calls. */
export interface BookedAddress {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly memo?: string | undefined;
  readonly remark?: string | undefined;
}

/** What one account may do at most, by those who enforce it. */
export type AccountLimits = DataOf<typeof userInfo>['limits'];

/** What the use cases of this module work with. */
export interface IdentityParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
  readonly mail: Mail;
  readonly hashes: SlowHash;
  readonly sessions: SignInSessions;
  readonly accounts: AccountRepository;
  readonly codes: MailedCodes;
  readonly guard: SignInGuard;
  readonly security: SecurityLog;
  readonly limits: AccountLimits;
  readonly authenticators: AuthenticatorRepository;
  readonly secret: ServerSecret;
  /** Where browsers reach the site; undefined where that is not known. */
  readonly siteUrl: string | undefined;
  readonly avatars: Avatars;
  /** Calls that take a visitor's address answer at multiples of it. */
  readonly visitorAnswersMs: number;
  /** Whether somebody withdraws to the address book only. */
  readonly usesWhitelist: (userId: UserId) => Promise<boolean>;
  /** An address of a user's address book by its id, as a mail names it; undefined where the user has no such address. */
  readonly bookedAddress: (userId: UserId, id: string) => Promise<BookedAddress | undefined>;
  /** Guesses of one person at a trade password are looked at one after another, so that only wrong ones count. */
  readonly tradePasswordGuesses: OnePerKey;
}

/** What the slow hashes are sealed for; a hash made for one is worth nothing for the other. */
export const HASH_PURPOSE = { password: 'password', tradePassword: 'trade-password' } as const;
