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
import type { PasskeyChallenges } from './passkey-challenges.ts';
import type { PasskeyRepository } from './passkey-repository.ts';
import type { SecurityLog } from './security-log.ts';
import type { SignInGuard } from './sign-in-guard.ts';

/** Storage of users' profile pictures. */
export interface Avatars {
  /** Claims an uploaded picture for its owner; refuses other users' pictures. */
  claim(tx: Tx, owner: UserId, id: string): Promise<void>;
  remove(tx: Tx, id: string): Promise<void>;
}

/** An entry of the user's withdrawal address book, with the field names of the endpoints. */
export interface BookedAddress {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly memo?: string | undefined;
  readonly remark?: string | undefined;
}

/** Limits of one account, collected from the parts that enforce them. */
export type AccountLimits = DataOf<typeof userInfo>['limits'];

/** The site for which browsers create and use passkeys. */
export interface PasskeySite {
  /** Relying party id: the site's domain, or a domain above it. */
  readonly domain: string;
  /** Web origins from which browsers may use the passkeys. */
  readonly origins: readonly string[];
  /** Whether `http://localhost` may use the passkeys on any port. */
  readonly anyLocalPort: boolean;
}

/** Dependencies of the identity module's use cases. */
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
  readonly passkeys: PasskeyRepository;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly passkeySite: PasskeySite;
  readonly secret: ServerSecret;
  /** Public URL of the site; undefined if it is not configured. */
  readonly siteUrl: string | undefined;
  readonly avatars: Avatars;
  /**
   * Calls with a visitor's email address are answered after a multiple of this time in
   * milliseconds, to hide timing differences.
   */
  readonly visitorAnswersMs: number;
  /** Whether the user may withdraw only to addresses in the address book. */
  readonly usesWhitelist: (userId: UserId) => Promise<boolean>;
  /** An entry of the user's withdrawal address book by id; undefined if it does not exist. */
  readonly bookedAddress: (userId: UserId, id: string) => Promise<BookedAddress | undefined>;
  /** Serialises trade password attempts per user, so that correct ones are not counted as failures. */
  readonly tradePasswordGuesses: OnePerKey;
}

/** Purposes that slow hashes are bound to; a hash for one purpose never matches for another. */
export const HASH_PURPOSE = { password: 'password', tradePassword: 'trade-password' } as const;
