import { createHash } from 'node:crypto';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DemoCodes, OpenedSession, OperatorSignIn } from '../../platform/console/gate.ts';
import { ROLES, type Operator, type Role } from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FormFields } from '../../platform/http/form.ts';
import type { Log } from '../../platform/log.ts';
import { systemRandom } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { SlowHash, type HashCost } from '../../platform/secrets/slow-hash.ts';
import { newTotpSecret, totpUri } from '../../platform/secrets/totp.ts';
import { type Authenticators, RecoveryCodes } from './authenticators.ts';
import { isSessionOpen, PASSWORD_MAX, PASSWORD_MIN } from './domain.ts';
import { tooManyGuesses, type Guesses } from './guesses.ts';
import { setUpDigest, type Invitations } from './invitations.ts';
import { KnownBrowsers, PASSWORD_PURPOSE as PURPOSE } from './known-browsers.ts';
import * as rows from './repository.ts';

const TOKEN_BYTES = 32;
/**
 * Maximum number of sign-in attempts that wait in the queue `strangerHashes`, which contains attempts from
 * unknown browsers (from which the operator has not signed in before) above the limits of `Guesses` (per name
 * and network address, or per address alone). With a full queue, a further attempt is refused with `l.busy`,
 * and its password is not checked.
 */
const STRANGERS_QUEUE = 8;
const TOUCH_MS = 60_000;
const ISSUER = 'Amethyst operations';

export interface AccountParts {
  readonly mode: 'demo' | 'live';
  readonly clock: Clock;
  readonly database: Database;
  readonly secret: ServerSecret;
  readonly guesses: Guesses;
  readonly authenticators: Authenticators;
  readonly invitations: Pick<Invitations, 'inviteFirstOwner'>;
  readonly hashCost: HashCost | undefined;
  readonly log: Pick<Log, 'warn'>;
}

type SignInOrigin = Pick<OperatorSignIn, 'address' | 'browserKey'>;

/** Name, password and authenticator key with which visitors of a demo sign in as an operator. */
export interface DemoLogin {
  readonly name: string;
  readonly password: string;
  /** Secret key of the authenticator, in the form in which it is typed into an authenticator app. */
  readonly key: string;
}

/** Operators of the demo. There are two, because the proposal of one operator can be approved only by another one. */
const DEMO_OPERATORS: readonly { readonly name: string; readonly roles: readonly Role[] }[] = [
  { name: 'owner', roles: ['owner'] },
  { name: 'approver', roles: ['approver', 'auditor', 'support'] },
];

/** Accounts and sessions of operators. */
export class OperatorAccounts {
  private readonly parts: AccountParts;
  private readonly recovery: RecoveryCodes;
  private readonly browsers: KnownBrowsers;
  private readonly hashes: SlowHash;
  /**
   * Queue of password checks for attempts from unknown browsers above the limits of `Guesses`. It runs one check at a
   * time, so that many such attempts do not delay the checks of other attempts in `hashes`.
   */
  private readonly strangerHashes: SlowHash;

  constructor(parts: AccountParts) {
    this.parts = parts;
    this.recovery = new RecoveryCodes(parts);
    this.browsers = new KnownBrowsers(parts.secret);
    this.hashes = new SlowHash(parts.secret, { cost: parts.hashCost });
    this.strangerHashes = new SlowHash(parts.secret, {
      parallel: 1,
      queue: STRANGERS_QUEUE,
      cost: parts.hashCost,
    });
  }

  /**
   * Deletes sessions that have expired by age. Demo: creates the operators' accounts, or restores their password and
   * authenticator. Live: unless an owner who is not disabled has signed in before, creates or resets the first owner's
   * account and returns its new one-time code; otherwise undefined.
   */
  async prepare(): Promise<string | undefined> {
    const { mode, database, authenticators, invitations } = this.parts;
    const { hashes } = this;
    const { store } = database;
    await rows.removeOldSessions(store, this.now);
    if (mode === 'live')
      return (await rows.hasOperator(store, ['owner'])) ? undefined : invitations.inviteFirstOwner();
    for (const { name, password, key } of this.demoLogins) {
      const existing = await rows.operatorRow(store, name);
      const hash = existing?.password_hash ?? null;
      const totp = existing?.totp ?? null;
      const hasKey = totp !== null && authenticators.open(name, totp) === key;
      // A missing password hash is not replaced by a dummy comparison, because this check runs at the start of the
      // server, where no client can measure its duration.
      if (hasKey && hash !== null && (await hashes.matches(PURPOSE, hash, password))) continue;
      const { roles } = DEMO_OPERATORS.find((operator) => operator.name === name)!;
      await rows.insertOperator(store, { name, roles: [...roles], created_at: BigInt(this.now) });
      const totpOf = { totp: authenticators.seal(name, key), totp_step: null };
      await rows.changeOperator(store, name, {
        password_hash: await hashes.make(PURPOSE, password),
        ...totpOf,
        confirmed_at: BigInt(this.now),
      });
    }
    return undefined;
  }

  /** Sign-in data of the demo's operators, derived from the server secret; empty in live mode. */
  get demoLogins(): readonly DemoLogin[] {
    const { mode, secret } = this.parts;
    if (mode !== 'demo') return [];
    return DEMO_OPERATORS.map(({ name }) => {
      const seed = secret.seal('demo operator authenticator', name);
      const password = secret.seal('demo operator', name).toString('base64url').slice(0, 16);
      return { name, password, key: newTotpSecret({ bytes: (count) => seed.subarray(0, count) }) };
    });
  }

  /**
   * Current and next code of each demo operator's authenticator, and whether each was used; empty in live
   * mode.
   */
  async demoCodes(): Promise<DemoCodes[]> {
    const { database, authenticators } = this.parts;
    return Promise.all(
      this.demoLogins.map(async ({ name, key }) => {
        const row = await rows.operatorRow(database.store, name);
        return { name, ...authenticators.codesOf(row ?? { totp_step: null }, key) };
      }),
    );
  }

  /**
   * Signs an operator in with name, password, and an authenticator or recovery code. Refuses wrong credentials with
   * `l.operator_sign_in`, or with `l.operator_wait` after more failures than a limit of `Guesses` permits; failures of
   * a known browser have their own count. Correct credentials are accepted even above these limits, with two
   * exceptions: after five authenticator codes with the correct password, further ones are not accepted until 15
   * minutes after the first, and an attempt is refused with `l.busy` while too many wait for a password check. A
   * success ends the validity of the operator's set-up code.
   */
  async signIn(submitted: OperatorSignIn): Promise<OpenedSession> {
    const { database } = this.parts;
    const { name, code } = submitted;
    const row = await this.operatorWith(submitted, async (operator, browser) => {
      if (await this.hasCode(operator, code, browser)) return true;
      return this.recovery.use(name, code, this.now);
    });
    const token = systemRandom.bytes(TOKEN_BYTES).toString('base64url');
    await rows.insertSession(database.store, { hash: digestOf(token), operator: name, now: this.now });
    if (row.confirmed_at === null || row.set_up_hash !== null) {
      await rows.changeOperator(database.store, name, {
        confirmed_at: BigInt(this.now),
        set_up_hash: null,
        set_up_until: null,
      });
    }
    return { token, browserKey: this.browsers.issue(row) };
  }

  async signOut(token: string): Promise<void> {
    await rows.endSession(this.parts.database.store, digestOf(token));
  }

  /**
   * Sets an operator's password and authenticator with a one-time code, and creates new recovery codes. The code stays
   * valid until it expires or the operator first signs in with the new password. Refuses an unknown or expired code, a
   * disabled operator, and a password of a wrong length.
   */
  async setUp(submitted: FormFields, address: string) {
    const { database, guesses, authenticators } = this.parts;
    const { setUpCode = '', password = '' } = submitted;
    // A set-up code of 120 random bits cannot be guessed, so a correct one is accepted after any
    // number of failures.
    const row = await rows.operatorBySetUp(database.store, setUpDigest(setUpCode.trim()));
    if (row === undefined || row.is_disabled || Number(row.set_up_until) <= this.now)
      throw (await guesses.isBeyond('', address)) ? tooManyGuesses() : wrong();
    if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX)
      throw new Refused(
        refusal('invalidField', 'l.field_min', {
          field: 'password',
          limit: String(PASSWORD_MIN),
          value: String(password.length),
        }),
      );
    const { name } = row;
    const key = newTotpSecret();
    await rows.changeOperator(database.store, name, {
      password_hash: await this.hashes.make(PURPOSE, password),
      totp: authenticators.seal(name, key),
      totp_step: null,
    });
    await guesses.reset('', address);
    const recoveryCodes = await this.recovery.renew(name);
    return { name, secret: key, uri: totpUri(key, ISSUER, name), recoveryCodes };
  }

  /**
   * Creates ten new recovery codes of the operator `name`, returns them, and invalidates the previous ones.
   */
  renewRecoveryCodes(name: string): Promise<string[]> {
    return this.recovery.renew(name);
  }

  /**
   * Replaces the lost authenticator of an operator, who proves the account with the password and a recovery code, and
   * returns the key of the new one. The old authenticator becomes invalid, and all of the operator's sessions end.
   * Refuses wrong credentials as `signIn` does.
   */
  async replaceAuthenticator(submitted: FormFields, { address, browserKey }: SignInOrigin) {
    const { database, authenticators } = this.parts;
    const { name = '', password = '', recoveryCode = '' } = submitted;
    await this.operatorWith({ name, password, address, browserKey }, () =>
      this.recovery.use(name, recoveryCode, this.now),
    );
    const key = newTotpSecret();
    const totp = authenticators.seal(name, key);
    await rows.changeOperator(database.store, name, { totp, totp_step: null });
    await rows.endSessionsOf(database.store, name);
    return { name, secret: key, uri: totpUri(key, ISSUER, name) };
  }

  async operatorOf(token: string, isBackground = false): Promise<Operator | undefined> {
    const { store } = this.parts.database;
    const hash = digestOf(token);
    const session = await rows.sessionRow(store, hash);
    if (session === undefined || session.isDisabled || !isSessionOpen(session, this.now)) return undefined;
    if (!isBackground && this.now - session.usedAt > TOUCH_MS) await rows.touchSession(store, hash, this.now);
    return { name: session.name, roles: rolesOf(session.roles) };
  }

  /** An active operator by name; undefined for an unknown or disabled one. */
  async byName(name: string): Promise<Operator | undefined> {
    const row = await rows.operatorRow(this.parts.database.store, name);
    return row === undefined || row.is_disabled ? undefined : { name, roles: rolesOf(row.roles) };
  }

  /**
   * True if an operator who is not disabled, other than `name`, has a role that can approve proposals and has
   * signed in before. With `orShutOut`, disabled operators count too.
   */
  hasOtherApprover(name: string, { orShutOut = false } = {}): Promise<boolean> {
    return rows.hasOperator(this.parts.database.store, ['owner', 'approver'], { except: name, orShutOut });
  }

  async change(name: string, change: { isDisabled: boolean } | { roles: readonly Role[] }): Promise<void> {
    const { store } = this.parts.database;
    const columns = 'roles' in change ? { roles: [...change.roles] } : { is_disabled: change.isDisabled };
    if (!(await rows.changeOperator(store, name, columns)))
      throw new Refused(refusal('generic', 'l.not_found'));
    await rows.endSessionsOf(store, name);
  }

  async list() {
    const codesLeft = await this.recovery.left();
    return (await rows.operatorRows(this.parts.database.reader)).map((row) => ({
      name: row.name,
      email: row.email,
      roles: row.roles.join(', '),
      isDisabled: row.is_disabled,
      hasAuthenticator: row.totp !== null,
      hasSignedIn: row.confirmed_at !== null,
      invitedUntil: row.set_up_until === null ? null : Number(row.set_up_until),
      recoveryCodesLeft: codesLeft.get(row.name) ?? 0,
      createdAt: Number(row.created_at),
    }));
  }

  /**
   * Authenticates an operator by password and by the second factor that `hasFactor` checks. Attempts of unknown
   * browsers are counted by name and network address, those of a known browser separately; a success resets the counts.
   * Above the limits, passwords of unknown browsers are checked one at a time. The refusal does not reveal whether the
   * name, the password or the second factor was wrong.
   */
  private async operatorWith(
    { name, password, address, browserKey }: Omit<OperatorSignIn, 'code'>,
    hasFactor: (row: rows.OperatorRow, browser: string | undefined) => Promise<boolean>,
  ): Promise<rows.OperatorRow> {
    const { database, guesses } = this.parts;
    const row = await rows.operatorRow(database.store, name);
    const browser = this.browsers.idOf(row, browserKey);
    const origin = browser ?? address;
    const isBeyond =
      (await guesses.isBeyond(name, origin)) ||
      (browser === undefined && (await guesses.isAddressBeyond(address)));
    const hashes = isBeyond && browser === undefined ? this.strangerHashes : this.hashes;
    const isRight = await hashes.matches(PURPOSE, row?.password_hash, password.slice(0, PASSWORD_MAX));
    if (!isRight || row === undefined || row.is_disabled || !(await hasFactor(row, browser)))
      throw isBeyond ? tooManyGuesses() : wrong();
    await guesses.resetSignIn(name, { origin, address, browser });
    return row;
  }

  /**
   * True if the authenticator code is correct and was not used before; the code is then marked as used. After five
   * codes with the correct password, further ones are not checked, and count as wrong, until 15 minutes after the
   * first.
   */
  private async hasCode(row: rows.OperatorRow, code: string, browser: string | undefined): Promise<boolean> {
    const { guesses, authenticators } = this.parts;
    if (!(await guesses.isCodeBeyond(row.name, browser)))
      return (await authenticators.use(row, code)).is === 'right';
    this.parts.log.warn('operator.password_in_wrong_hands', { name: row.name });
    return false;
  }

  private get now(): Instant {
    return instant(this.parts.clock.now());
  }
}

function wrong(): Refused {
  return new Refused(refusal('generic', 'l.operator_sign_in'));
}

function rolesOf(texts: readonly string[]): Role[] {
  return ROLES.filter((role) => texts.includes(role));
}

/** SHA-256 of an operator's session token; only this digest of the token is stored. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
