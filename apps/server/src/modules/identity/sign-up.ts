import { ACCOUNT_VERSIONS, accountVersionsProblem } from '@exchange/core/agreements.ts';
import type { SignInMethod } from '@exchange/core/passkeys.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { Tx } from '../../platform/database/database.ts';
import { type Random, newId, randomText } from '../../platform/secrets/random.ts';
import type { Account, AccountRepository } from './account-repository.ts';
import { Refused, refusal } from '@exchange/core/refusal.ts';
import type { Caller } from '../../platform/http/route.ts';
import { insertAcceptance } from './agreement-repository.ts';
import { classifyRequest } from './code-requests.ts';
import { newPasswordProblem } from './domain/new-password.ts';
import { parseEmail } from './email-field.ts';
import { userRegistered } from './events.ts';
import { wrongProof, type Proof } from './mailed-codes.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';

export interface SignUp extends Proof {
  readonly email: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly invitationCode?: string | undefined;
  readonly agree?: boolean | undefined;
  readonly termsVersion?: string | undefined;
  readonly privacyVersion?: string | undefined;
  readonly lang?: Locale | undefined;
  readonly deviceId?: string | undefined;
}

/**
 * Purpose of the key with which a registration's claim is computed from the email address. The claim is stored with the
 * used mailed code, so that a repetition of the registration is recognized. It does not depend on the password, because
 * the password of a repetition is compared with the account's password hash.
 */
const CLAIM_KEY = 'registration';

/**
 * Creates an account for an email address that the caller has proven, and signs the caller in. If the same registration
 * is sent again while its code is valid, for example after a lost answer, the caller is signed in to the account that
 * the first request created. A registration with a ticket in place of the code cannot be repeated. Refuses an
 * unacceptable password, missing consent, outdated versions of the agreements, an unknown invitation code, and an
 * address that has an account.
 */
export async function register(
  parts: IdentityParts,
  fields: SignUp,
  caller: Caller,
): Promise<{ userId: UserId; token: string }> {
  const { database, clock, codes, hashes, accounts, random, sessions, security, events, secret } = parts;
  const email = parseEmail(fields.email);
  const problem = newPasswordProblem(fields.password, fields.confirmPassword, email);
  if (problem !== undefined) throw new Refused(problem);
  if (fields.agree !== true)
    throw new Refused(refusal('invalidField', 'l.agree_required', { field: 'agree' }));
  const { termsVersion = '', privacyVersion = '' } = fields;
  const versions = { termsVersion, privacyVersion };
  const versionProblem = accountVersionsProblem(versions, ACCOUNT_VERSIONS);
  if (versionProblem !== undefined) throw new Refused(versionProblem);
  const invitedBy = await inviterOf(parts, fields.invitationCode);
  const { proving, account } = await classifyRequest(parts, email, 'register', caller);
  const claim = secret.seal(CLAIM_KEY, email);
  const proven = await codes.check(proving, fields);
  if (proven === undefined) {
    const isRepeated = await codes.wasUsedFor(proving, fields, claim);
    const repeated = isRepeated ? await signInToOpened(parts, account, fields, caller) : undefined;
    if (repeated === undefined) throw wrongProof(fields);
    return repeated;
  }
  const passwordHash = await hashes.make(HASH_PURPOSE.password, fields.password);
  const opened = await database.transaction(async (tx) => {
    const now = clock.now();
    await proven.use(tx, claim);
    const locale = fields.lang ?? caller.locale;
    const founding = { email, houseName: null, passwordHash, invitedBy, locale };
    const userId = await insertAccount(tx, accounts, random, founding, now);
    // No account was inserted: another account was created with the email address after the code was mailed.
    if (userId === undefined) throw new Refused(refusal('duplicate', 'l.email_taken', { field: 'email' }));
    await insertAcceptance(tx, userId, versions, { locale, at: now });
    const { token } = await sessions.open(tx, userId, originOf(caller, fields.deviceId));
    await security.write(tx, { userId, kind: 'registered', caller }, now);
    return { userId, token, at: now };
  });
  events.publish([{ name: userRegistered.name, fact: { userId: opened.userId, at: opened.at } }]);
  return { userId: opened.userId, token: opened.token };
}

/**
 * Signs the caller in to the account that an earlier request of the same registration created. Returns undefined if the
 * password differs, if the account is frozen, or if it has an authenticator by now.
 */
async function signInToOpened(
  { database, clock, hashes, accounts, sessions, security }: IdentityParts,
  account: Account | undefined,
  { password, deviceId }: SignUp,
  caller: Caller,
): Promise<{ userId: UserId; token: string } | undefined> {
  if (account === undefined || account.frozen || account.authenticator !== undefined) return undefined;
  if (!(await hashes.matches(HASH_PURPOSE.password, account.passwordHash, password))) return undefined;
  const { id: userId } = account;
  const opened = await database.transaction(async (tx) => {
    if (!(await accounts.isUnchanged(tx, account))) return undefined;
    const session = await sessions.open(tx, userId, originOf(caller, deviceId));
    await security.write(tx, { userId, kind: 'signedIn', caller }, clock.now());
    return session;
  });
  if (opened === undefined) return undefined;
  sessions.forget(opened.displaced);
  return { userId, token: opened.token };
}

async function inviterOf(parts: IdentityParts, code: string | undefined): Promise<UserId | null> {
  if (code === undefined) return null;
  const inviter = await parts.accounts.idByInvitationCode(code.trim().toUpperCase());
  if (inviter === undefined) {
    throw new Refused(refusal('invalidField', 'l.invite_unknown', { field: 'invitationCode' }));
  }
  return inviter;
}

/** IP address, browser and device of a new session; `method` is the method of the login, a password if undefined. */
export function originOf(caller: Caller, deviceId: string | undefined, method?: SignInMethod) {
  return { userAgent: caller.userAgent, address: caller.address, deviceId, method };
}

/**
 * Characters of invitation codes, without 0, O, 1, I and L, which look alike, because people read the codes aloud and
 * type them.
 */
const INVITATION_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const INVITATION_LENGTH = 8;
const UID_DIGITS = 8;
/** Greatest number of attempts to find a random account number and invitation code that no account has. */
export const DRAWS = 8;

/** A random account number and invitation code; another account may already have either of them. */
export function randomNumbers(random: Random): { readonly uid: string; readonly invitationCode: string } {
  return {
    uid: randomText(random, '123456789', 1) + randomText(random, '0123456789', UID_DIGITS - 1),
    invitationCode: randomText(random, INVITATION_ALPHABET, INVITATION_LENGTH),
  };
}

export interface Founding {
  readonly email: string | null;
  readonly houseName: string | null;
  readonly passwordHash: string | null;
  readonly tradePasswordHash?: string | undefined;
  readonly invitedBy: UserId | null;
  readonly locale: Locale;
}

/**
 * Inserts an account with a random account number and invitation code. Returns undefined if another account has the
 * email address or the name. Throws if it finds no free number and code.
 */
export async function insertAccount(
  tx: Tx,
  accounts: AccountRepository,
  random: Random,
  founding: Founding,
  now: Instant,
): Promise<UserId | undefined> {
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const id = newId(random, now) as UserId;
    const isInserted = await accounts.insert(tx, {
      ...founding,
      id,
      ...randomNumbers(random),
      createdAt: now,
    });
    if (isInserted) return id;
    if (founding.email !== null && (await accounts.byEmail(founding.email)) !== undefined) return undefined;
    if (founding.houseName !== null && (await accounts.byHouseName(founding.houseName)) !== undefined)
      return undefined;
  }
  throw new Error(`no free number or invitation code in ${DRAWS} draws`);
}
