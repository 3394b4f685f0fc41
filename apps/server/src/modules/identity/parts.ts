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

/** Interface that claims uploaded pictures as the profile pictures of users, and removes these pictures. */
export interface Avatars {
  /** Claims an uploaded picture for its owner; refuses a picture of another user. */
  claim(tx: Tx, owner: UserId, id: string): Promise<void>;
  remove(tx: Tx, id: string): Promise<void>;
}

/** An entry of a user's withdrawal address book, with the field names of the API. */
export interface BookedAddress {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly memo?: string | undefined;
  readonly remark?: string | undefined;
}

/**
 * The general limits of the server that the profile shows to users, the same for every account; collected
 * from the modules that enforce them.
 */
export type AccountLimits = DataOf<typeof userInfo>['limits'];

/** The site for which browsers create passkeys and on which they use them. */
export interface PasskeySite {
  /** Relying party id: the site's domain, or a domain above it. */
  readonly domain: string;
  /** Web origins on which browsers may use the passkeys. */
  readonly origins: readonly string[];
  /** True if browsers may use the passkeys on `http://localhost` with any port. */
  readonly anyLocalPort: boolean;
}

/** What the use cases of the identity module depend on. */
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
  /** Public URL of the site, for links in mails; undefined if it is not configured. */
  readonly siteUrl: string | undefined;
  readonly avatars: Avatars;
  /**
   * Time step in milliseconds. Answers to visitors' calls about an email address or a passkey are delayed to a multiple
   * of it, so that their timing does not reveal which accounts exist.
   */
  readonly visitorAnswersMs: number;
  /** Returns true if the user may withdraw only to addresses in the user's address book. */
  readonly usesWhitelist: (userId: UserId) => Promise<boolean>;
  /** Returns the entry with this id of the user's withdrawal address book; undefined if it does not exist. */
  readonly bookedAddress: (userId: UserId, id: string) => Promise<BookedAddress | undefined>;
  /**
   * Checks the attempts at a user's trade password one after another, so that correct ones are not counted as failures.
   */
  readonly tradePasswordGuesses: OnePerKey;
}

/** Purposes to which slow hashes are bound; the hash for one purpose never matches for another purpose. */
export const HASH_PURPOSE = { password: 'password', tradePassword: 'trade-password' } as const;
