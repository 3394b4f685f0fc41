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
 * identity: accounts, passwords, mailed codes, sign-in and permissions. Users' sessions are authenticated
 * here, requests with API keys in the module api-keys. Other modules receive authenticated user ids and query
 * this interface for permissions, which are cached in memory after `prepare`.
 */
export interface Identity {
  readonly routes: readonly Route[];
  /** Operator access to accounts and sessions. */
  readonly desk: UserDesk;
  /** Enforcers for the extra authentication that endpoints require. */
  readonly demands: readonly DemandEnforcer[];
  findUser(id: UserId): Promise<User | undefined>;
  /**
   * The user, or sub-account, that an operator names by UID, email address or id; undefined if there is none. System
   * accounts are not found.
   */
  findUserNamed(name: string): Promise<User | undefined>;
  /**
   * Facts about accounts since an instant, on which operators base decisions about their money;
   * unknown ids are omitted.
   */
  accountContexts(since: ReadonlyMap<UserId, Instant>): Promise<ReadonlyMap<UserId, AccountContext>>;
  /**
   * Message recipients by user id; unknown ids are omitted. A caller with an open transaction passes it: transactions
   * that each wait for a second connection of their pool would wait for each other.
   */
  addressees(ids: readonly UserId[], tx?: Tx): Promise<ReadonlyMap<UserId, Addressee>>;
  /** Refuses unless the password is the user's trade password. Wrong attempts are counted. */
  requireTradePassword(userId: UserId, password: string): Promise<void>;
  /** Mails the caller a code that confirms one request. `shown` describes the request in the mail. */
  sendActionCode(
    caller: SignedInCaller,
    act: ConfirmedAction,
    shown?: ActionWords,
  ): Promise<{ wait: number }>;
  /** Loads a user's status into memory; undefined if the user does not exist. */
  prepare(userId: UserId): Promise<AccountStatus | undefined>;
  /**
   * End of the user's withdrawal hold; an instant in the past if there is none, undefined if the user does not exist.
   */
  withdrawalHold(userId: UserId): Promise<Instant | undefined>;
  /** The account status that `prepare` has loaded; throws if it was not loaded. */
  accountStatus(userId: UserId): AccountStatus;
  /**
   * The account for which a user acts: the user's own if `owner` is undefined or the user, or its sub-account with this
   * id. Refuses everything else with `l.not_found`.
   */
  requireOwner(user: UserId, owner: string | undefined): Promise<UserId>;
  /** The main account of a sub-account; for any other account, the account itself. */
  personOf(owner: UserId): Promise<UserId>;
  /** The ids of all accounts of the person who owns an account, archived sub-accounts included. */
  accountsOfPerson(owner: UserId): Promise<readonly UserId[]>;
  /** Creates and archives accounts of sub-accounts, for the sub-accounts module. */
  readonly subAccounts: SubAccountRows;
  /** Whether a user whose status was loaded may buy. */
  mayPurchase(userId: UserId): boolean;
  /**
   * Freezes or unfreezes a user, or allows or forbids buying; effective with the next command in this
   * process, in others within seconds.
   */
  restrict(userId: UserId, restriction: Restriction): Promise<void>;
  /**
   * Sets a user's identity verification status in the caller's transaction. Call the returned function after the
   * commit, so that the next call sees the change.
   */
  changeKycStatus(tx: Tx, userId: UserId, change: KycChange): Promise<() => void>;
  /** The id of the system account with this name, created if missing. */
  ensureSystemUser(name: string): Promise<UserId>;
  /** Demo mode: the id of a demo user, created if missing. */
  ensureDemoPerson(name: string, email: string): Promise<UserId>;
  /** Ids of all system accounts. */
  systemUsers(): Promise<readonly UserId[]>;
  /** Number of people who registered in a period; both ends are included. */
  registrationsIn(from: Instant, until: Instant): Promise<number>;
  /** Demo mode: credentials of the one-click sign-in. */
  readonly demoLogin: DemoLogin;
  /** Demo mode: the demo trader, created if missing. */
  ensureDemoTrader(): Promise<DemoLogin & { readonly id: UserId }>;
  /** Writes an entry of another module to an account's security log, in the transaction of the change. */
  writeSecurityEvent(tx: Tx, event: SecurityEvent, at: Instant): Promise<void>;
  /** Warms up the password hash and starts watching for changed account statuses. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The fields of a user that other modules may read. */
export interface User {
  readonly id: UserId;
  readonly uid: string;
  readonly email: string;
  readonly nickname: string;
  readonly locale: Caller['locale'];
}

/** New state of an identity verification. */
export interface KycChange {
  readonly status: KycStatus;
  /** Masked name and document number shown to the owner from now on. */
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

/** Builds the module; nothing is read or written before `start` or the first call. */
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
    withdrawalHold: async (id) => (await parts.accounts.byId(id))?.holdUntil,
    accountStatus: (userId) => statuses.get(userId),
    requireOwner: (user, owner) => requireOwner(statuses, user, owner),
    personOf,
    accountsOfPerson: async (owner) => parts.accounts.groupIds(await personOf(owner)),
    subAccounts: subAccountRows(parts, (id) => statuses.forget(id)),
    mayPurchase: (userId) => statuses.get(userId).purchase,
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
