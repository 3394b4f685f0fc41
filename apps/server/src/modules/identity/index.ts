import type { UserId } from '@exchange/core/ids.ts';
import type { KycStatus } from '@exchange/core/kyc.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Caller, Route, SignedInCaller } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { DemandEnforcer } from '../../platform/http/demands.ts';
import type { ConfirmedAction, ActionWords } from './confirmed-action.ts';
import { sendOwnActionCode } from './code-requests.ts';
import { identityDemands } from './demands.ts';
import { accountContexts, type AccountContext } from './desk-repository.ts';
import { accountNamed, UserDesk } from './desk.ts';
import type { Account, Addressee } from './account-repository.ts';
import { assemble, type AssemblyDeps } from './assembly.ts';
import type { AccountStatus } from './domain/account-status.ts';
import { sessionEnded } from './events.ts';
import { DEMO_TRADER, ensureDemoPerson, ensureDemoTrader, ensureSystemUser } from './system-users.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';
import { AccountStatuses, type Restriction, restrict } from './account-statuses.ts';
import { identityRoutes, type Mode } from './routes.ts';
import type { SecurityEvent } from './security-log.ts';
import { requireOwner, subAccountRows, type SubAccountRows } from './sub-accounts.ts';
import { requireTradePassword } from './trade-passwords.ts';

export type { AccountStatus } from './domain/account-status.ts';
export type { SubAccountRows } from './sub-accounts.ts';
export type { AccountLimits, Avatars, BookedAddress } from './parts.ts';
export type { AccountContext } from './desk-repository.ts';
export type { ConfirmedAction as Act } from './confirmed-action.ts';
export { mailOpening } from './mail-readers.ts';
export { HOLD_HOURS_MAX } from './desk.ts';
export type { Acceptance } from './agreement-repository.ts';
export { mailReaders } from './mail-readers.ts';
export * as invitations from './invitations-repository.ts';
export {
  newDeviceSignedIn,
  signedInOnOldTerms,
  passwordChanged,
  protectionChanged,
  sessionEnded,
  tradePasswordChanged,
  tradePasswordLocked,
  userRegistered,
} from './events.ts';

/**
 * identity: accounts, passwords, mailed codes, logins, and what users may do. Logins open sessions; the platform
 * authenticates requests with sessions, the module api-keys those with API keys. Other modules receive the ids of
 * authenticated users, and query this interface for what a user may do, which is cached in memory after `prepare`.
 */
export interface Identity {
  readonly routes: readonly Route[];
  /** The operators' functions on accounts and sessions. */
  readonly desk: UserDesk;
  /** The checks of what endpoints require besides a session, such as a mailed code or a verified identity. */
  readonly demands: readonly DemandEnforcer[];
  findUser(id: UserId): Promise<User | undefined>;
  /**
   * The user or sub-account that an operator names by UID, email address or id; undefined if there is none, and for a
   * system account.
   */
  findUserNamed(name: string): Promise<User | undefined>;
  /**
   * Facts about accounts, on which operators base decisions about the accounts' money; devices and changes are counted
   * after the time of each account in `since`. Unknown ids are left out.
   */
  accountContexts(since: ReadonlyMap<UserId, Instant>): Promise<ReadonlyMap<UserId, AccountContext>>;
  /**
   * For each of the given users, by user id, whether it is a system account or a sub-account, which receive
   * no inbox messages; unknown ids are left out. A caller with an open transaction passes it as `tx`: several
   * transactions that each wait for a second connection of the pool would wait for each other.
   */
  addressees(ids: readonly UserId[], tx?: Tx): Promise<ReadonlyMap<UserId, Addressee>>;
  /** Refuses unless the password is the user's trade password; five wrong attempts in a row lock it for a day. */
  requireTradePassword(userId: UserId, password: string): Promise<void>;
  /**
   * Mails the caller a code that confirms one request. `shown` is the description of the request in the mail.
   * Returns the number of seconds until the next code can be requested (`wait`).
   */
  sendActionCode(
    caller: SignedInCaller,
    act: ConfirmedAction,
    shown?: ActionWords,
  ): Promise<{ wait: number }>;
  /**
   * Returns a user's account status: whether the account is frozen, may buy and is verified. It is loaded
   * into memory if it is missing there or may be outdated; undefined if the user does not exist.
   */
  prepare(userId: UserId): Promise<AccountStatus | undefined>;
  /** The user's account status if it is in the cache and current; otherwise undefined, and `prepare` loads it. */
  cachedStatus(userId: UserId): AccountStatus | undefined;
  /**
   * End of the hold on the user's withdrawals; a time in the past if there is no hold, undefined if the user does not
   * exist.
   */
  withdrawalHold(userId: UserId): Promise<Instant | undefined>;
  /**
   * Returns the id of the account for which a user acts: the user's own id if `owner` is undefined or this
   * id, or `owner` if it is the id of a sub-account of the user. Refuses any other id with `l.not_found`.
   */
  requireOwner(user: UserId, owner: string | undefined): Promise<UserId>;
  /** Id of the main account of a sub-account; for any other account, its own id. */
  personOf(owner: UserId): Promise<UserId>;
  /** The ids of all accounts of the person who owns an account, including archived sub-accounts. */
  accountsOfPerson(owner: UserId): Promise<readonly UserId[]>;
  /** Functions with which the sub-accounts module creates and archives the accounts of sub-accounts. */
  readonly subAccounts: SubAccountRows;
  /**
   * Freezes or unfreezes a user, or permits or forbids purchases. The change takes effect with the next command in this
   * process, and within seconds in other processes.
   */
  restrict(userId: UserId, restriction: Restriction): Promise<void>;
  /**
   * Sets the status of a user's identity verification in the caller's transaction. The caller calls the
   * returned function after the commit; it removes the user's cached account status.
   */
  changeKycStatus(tx: Tx, userId: UserId, change: KycChange): Promise<() => void>;
  /** Returns the id of the system account with this name; creates the account if it does not exist. */
  ensureSystemUser(name: string): Promise<UserId>;
  /**
   * Returns the id of the demo user with this email address; creates the user if it does not exist, or
   * converts the system account `name` of an older demo. The mode is not checked; outside tests, only a demo
   * calls the method.
   */
  ensureDemoPerson(name: string, email: string): Promise<UserId>;
  /** Ids of all system accounts, with which the exchange itself acts. */
  systemUsers(): Promise<readonly UserId[]>;
  /**
   * Number of accounts that were created at the times `from` to `until`, both included, without system accounts and
   * sub-accounts.
   */
  registrationsIn(from: Instant, until: Instant): Promise<number>;
  /**
   * Email address, password and trade password of the demo trader, as whom visitors of a demo sign in with one click.
   */
  readonly demoLogin: DemoLogin;
  /**
   * Returns the login data and the id of the demo trader; creates the account if it does not exist. The mode
   * is not checked; outside tests, only a demo calls the method.
   */
  ensureDemoTrader(): Promise<DemoLogin & { readonly id: UserId }>;
  /**
   * Writes an entry of another module to the security log of an account, in the transaction of the change that it
   * describes.
   */
  writeSecurityEvent(tx: Tx, event: SecurityEvent, at: Instant): Promise<void>;
  /**
   * Starts the regular queries for changed account statuses. Also computes in advance the dummy hash with which
   * passwords of unknown users are compared, so that the first such login does not take longer than others.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The data of a user that other modules receive: id, UID, email address, nickname and language. */
export interface User {
  readonly id: UserId;
  readonly uid: string;
  readonly email: string;
  readonly nickname: string;
  readonly locale: Caller['locale'];
}

/** New state of a user's identity verification. */
export interface KycChange {
  readonly status: KycStatus;
  /** Masked name and document number that the owner sees after the change; undefined leaves them unchanged. */
  readonly maskedPerson?: { readonly name: string; readonly document: string };
}

export interface DemoLogin {
  readonly email: string;
  readonly password: string;
  readonly tradePassword: string;
}

export interface IdentityDeps extends AssemblyDeps {
  readonly mode: Mode;
  readonly jobs: Jobs;
  readonly log: Log;
}

/** Creates the module; it reads and writes nothing before `start` or the first call. */
export function createIdentity(deps: IdentityDeps): Identity {
  const { sessions, events } = deps;
  const parts = assemble(deps);
  const statuses = new AccountStatuses({ accounts: parts.accounts, clock: deps.clock, log: deps.log });
  sessions.onSessionEnded((sessionId, userId) => {
    events.publish([{ name: sessionEnded.name, fact: { sessionId, userId } }]);
  });
  deps.jobs.define('identity.cleanUp', () => parts.cleanUp(), { cron: '17 * * * *' });
  const restrictUser: Identity['restrict'] = async (userId, restriction) => {
    await restrict(parts, userId, restriction, () => statuses.forget(userId));
  };
  const personOf: Identity['personOf'] = async (owner) => (await statuses.prepare(owner))?.master ?? owner;
  return {
    routes: identityRoutes(parts, deps.mode, restrictUser),
    desk: new UserDesk(parts),
    demands: identityDemands(parts),
    findUser: (id) => findUser(parts, id),
    findUserNamed: async (name) => {
      const account = await accountNamed(parts.accounts, name);
      return account && userOf(account);
    },
    accountContexts: (since) => accountContexts(deps.database.reader, since),
    addressees: (ids, tx) => parts.accounts.addressees(ids, tx),
    requireTradePassword: (userId, password) => requireTradePassword(parts, userId, password),
    prepare: (userId) => statuses.prepare(userId),
    cachedStatus: (userId) => statuses.cachedStatus(userId),
    withdrawalHold: async (id) => (await parts.accounts.byId(id))?.holdUntil,
    requireOwner: (user, owner) => requireOwner(statuses, user, owner),
    personOf,
    accountsOfPerson: async (owner) => parts.accounts.groupIds(await personOf(owner)),
    subAccounts: subAccountRows(parts, (id) => statuses.forget(id)),
    restrict: restrictUser,
    sendActionCode: (caller, act, shown) => sendOwnActionCode(parts, caller, act, shown),
    changeKycStatus: async (tx, userId, { status, maskedPerson }) => {
      const masked =
        maskedPerson === undefined
          ? {}
          : { name_masked: maskedPerson.name, document_masked: maskedPerson.document };
      await parts.accounts.change(tx, userId, { kyc_status: status, ...masked });
      return () => statuses.forget(userId);
    },
    ensureSystemUser: (name) => ensureSystemUser(parts, name),
    ensureDemoPerson: (name, email) => ensureDemoPerson(parts, name, email),
    systemUsers: () => parts.accounts.systemUserIds(),
    registrationsIn: (from, until) => parts.accounts.registrationsIn(from, until),
    demoLogin: DEMO_TRADER,
    ensureDemoTrader: async () => ({ ...DEMO_TRADER, id: (await ensureDemoTrader(parts)).id }),
    writeSecurityEvent: (tx, event, at) => parts.security.write(tx, event, at),
    start: async () => {
      await statuses.start();
      await parts.hashes.warmUp(HASH_PURPOSE.password);
    },
    stop: () => statuses.stop(),
  };
}

async function findUser(parts: IdentityParts, id: UserId): Promise<User | undefined> {
  const account = await parts.accounts.byId(id);
  return account && userOf(account);
}

function userOf({ id, uid, email, nickname, locale }: Account): User {
  return { id, uid, email, nickname, locale };
}
