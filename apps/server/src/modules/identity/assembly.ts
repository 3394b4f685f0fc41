import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { systemRandom, type Random } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { SlowHash, type HashCost } from '../../platform/secrets/slow-hash.ts';
import type { SignInSessions } from '../../platform/session/sessions.ts';
import { AccountRepository } from './account-repository.ts';
import { AuthenticatorRepository } from './authenticator-repository.ts';
import { CodeRepository } from './code-repository.ts';
import { FailureRepository } from './failure-repository.ts';
import { MailedCodes } from './mailed-codes.ts';
import type { AccountLimits, Avatars, IdentityParts, PasskeySite } from './parts.ts';
import { PasskeyChallenges } from './passkey-challenges.ts';
import { PasskeyRepository } from './passkey-repository.ts';
import { SecurityLog } from './security-log.ts';
import { SecurityRepository } from './security-repository.ts';
import { SignInGuard } from './sign-in-guard.ts';

export interface AssemblyDeps {
  readonly clock: Clock;
  readonly database: Database;
  readonly events: Events;
  readonly mail: Mail;
  readonly secret: ServerSecret;
  readonly sessions: SignInSessions;
  readonly limits: AccountLimits;
  readonly random?: Random;
  readonly hashCost?: HashCost | undefined;
  readonly siteUrl?: string | undefined;
  readonly passkeySite?: PasskeySite;
  readonly visitorAnswersMs?: number;
  readonly avatars?: Avatars;
  readonly usesWhitelist?: IdentityParts['usesWhitelist'];
  readonly bookedAddress?: IdentityParts['bookedAddress'];
}

const NO_AVATARS: Avatars = {
  claim: () => Promise.reject(new Error('nobody keeps pictures of accounts')),
  remove: () => Promise.resolve(),
};

const LOOPBACK: PasskeySite = { domain: 'localhost', origins: [], anyLocalPort: true };

/** Creates the parts of the identity module. `cleanUp` deletes stored rows that are too old to have any effect. */
export function assemble(deps: AssemblyDeps): IdentityParts & { cleanUp(): Promise<void> } {
  const { database, clock, events, mail, secret, sessions, limits, random = systemRandom } = deps;
  const codeRows = new CodeRepository(database.store);
  const failures = new FailureRepository(database.store);
  const passkeys = new PasskeyRepository(database.store);
  const securityRows = new SecurityRepository(database.store);
  return {
    database,
    clock,
    random,
    events,
    mail,
    sessions,
    limits,
    secret,
    siteUrl: deps.siteUrl,
    visitorAnswersMs: deps.visitorAnswersMs ?? 0,
    avatars: deps.avatars ?? NO_AVATARS,
    usesWhitelist: deps.usesWhitelist ?? (() => Promise.resolve(false)),
    bookedAddress: deps.bookedAddress ?? (() => Promise.resolve(undefined)),
    authenticators: new AuthenticatorRepository(database.store),
    passkeys,
    passkeyChallenges: new PasskeyChallenges({ secret, random, clock }),
    passkeySite: deps.passkeySite ?? LOOPBACK,
    hashes: new SlowHash(secret, { cost: deps.hashCost }),
    tradePasswordGuesses: new OnePerKey(),
    accounts: new AccountRepository(database.store),
    codes: new MailedCodes({ database, clock, random, mail, secret, repository: codeRows }),
    guard: new SignInGuard({ database, clock, repository: failures }),
    security: new SecurityLog(securityRows, random),
    cleanUp: async () => {
      await sessions.cleanUp();
      await codeRows.removeOld(clock.now());
      await failures.removeOld(clock.now());
      await securityRows.removeOld(clock.now());
      await passkeys.removeOld(clock.now());
    },
  };
}
