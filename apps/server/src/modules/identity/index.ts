import type { UserId } from '@exchange/core/ids.ts';
import type { KycStatus } from '@exchange/core/kyc.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Caller, Route, SignedInCaller } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { DemandEnforcer } from '../../platform/http/demands.ts';
import type { Act, ActWords } from './acts.ts';
import { sendOwnActCode } from './code-requests.ts';
import { identityDemands } from './demands.ts';
import { UserDesk } from './desk.ts';
import type { Addressee } from './account-repository.ts';
import { assemble, type AssemblyDeps } from './assembly.ts';
import type { AccountStatus } from './domain/account-status.ts';
import { sessionEnded } from './events.ts';
import { DEMO_TRADER, ensureDemoPerson, ensureDemoTrader, ensureSystemUser } from './house-users.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';
import { AccountStatuses, type Restriction, restrict } from './account-statuses.ts';
import { identityRoutes, type Mode } from './routes.ts';
import { requireTradePassword } from './trade-passwords.ts';

export type { AccountLimits, Avatars, BookedAddress } from './parts.ts';
export type { Act } from './acts.ts';
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
  tradePasswordChanged,
  tradePasswordLocked,
  userRegistered,
} from './events.ts';

/**
 * Who the users are: accounts, passwords, mailed codes, sign-in and what each may do.
 *
 * Everything that proves who somebody is ends here. Other modules are given a user's id by the edge and
 * ask this door what that user may do; the account statuses come from memory once prepared.
 */
export interface Identity {
  readonly routes: readonly Route[];
  /** What operators see of accounts, and end for them. */
  readonly desk: UserDesk;
  /** What access rows may demand beyond a session. */
  readonly demands: readonly DemandEnforcer[];
  findUser(id: UserId): Promise<User | undefined>;
  /** Who of these is of the house, and who wants to be told what. */
  addressees(ids: readonly UserId[]): Promise<ReadonlyMap<UserId, Addressee>>;
  /** Refuses unless the password is the user's trade password; wrong ones are counted. */
  requireTradePassword(userId: UserId, password: string): Promise<void>;
  /** Mails the caller a code that confirms one call alone; `shown` is what the mail calls it. */
  sendActCode(caller: SignedInCaller, act: Act, shown?: ActWords): Promise<{ wait: number }>;
  /** Loads a user's account status into memory; undefined when there is no such user. */
  prepare(userId: UserId): Promise<AccountStatus | undefined>;
  /** Until when a security change holds the user's withdrawals; a moment that is past for none. */
  withdrawalHold(userId: UserId): Promise<Instant | undefined>;
  /** The account status that `prepare` has loaded; throws without. */
  accountStatus(userId: UserId): AccountStatus;
  /** Whether a prepared user may buy. */
  mayPurchase(userId: UserId): boolean;
  /** Freezes or thaws a user, permits or forbids buying; in force with the next command. */
  restrict(userId: UserId, restriction: Restriction): Promise<void>;
  /**
   * Sets how a user's identity verification stands, in the caller's transaction; to be called after its commit is
   * what it gives: the next call sees it.
   */
  changeKycStatus(tx: Tx, userId: UserId, change: KycChange): Promise<() => void>;
  /** The id of the house's own account of that name, made when missing. */
  ensureSystemUser(name: string): Promise<UserId>;
  /** Demo mode: the id of a made-up person, made when missing. */
  ensureDemoPerson(name: string, email: string): Promise<UserId>;
  /** The ids of all accounts of the house. */
  systemUsers(): Promise<readonly UserId[]>;
  /** Demo mode: what the one-click sign-in signs in with. */
  readonly demoLogin: DemoLogin;
  /** Demo mode: the trader behind it, made when missing. */
  ensureDemoTrader(): Promise<DemoLogin & { readonly id: UserId }>;
  /** Makes ready what the first sign-in would otherwise wait for, and watches for changed account statuses. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A user as other modules see him. */
export interface User {
  readonly id: UserId;
  readonly uid: string;
  readonly email: string;
  readonly nickname: string;
  readonly locale: Caller['locale'];
}

/** How an identity verification stands now. */
export interface KycChange {
  readonly status: KycStatus;
  /** What its owner is shown of it from now on. */
  readonly shown?: { readonly name: string; readonly document: string };
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
  return {
    routes: identityRoutes(parts, deps.mode, restrictUser),
    desk: new UserDesk(parts),
    demands: identityDemands(parts),
    findUser: (id) => findUser(parts, id),
    addressees: (ids) => parts.accounts.addressees(ids),
    requireTradePassword: (userId, password) => requireTradePassword(parts, userId, password),
    prepare: (userId) => statuses.prepare(userId),
    withdrawalHold: async (id) => (await parts.accounts.byId(id))?.holdUntil,
    accountStatus: (userId) => statuses.of(userId),
    mayPurchase: (userId) => statuses.of(userId).purchase,
    restrict: restrictUser,
    sendActCode: (caller, act, shown) => sendOwnActCode(parts, caller, act, shown),
    changeKycStatus: async (tx, userId, { status, shown }) => {
      const masked = shown === undefined ? {} : { name_masked: shown.name, document_masked: shown.document };
      await parts.accounts.change(tx, userId, { kyc_status: status, ...masked });
      return () => statuses.forget(userId);
    },
    ensureSystemUser: (name) => ensureSystemUser(parts, name),
    ensureDemoPerson: (name, email) => ensureDemoPerson(parts, name, email),
    systemUsers: () => parts.accounts.houseIds(),
    demoLogin: DEMO_TRADER,
    ensureDemoTrader: async () => ({ ...DEMO_TRADER, id: (await ensureDemoTrader(parts)).id }),
    start: async () => {
      await statuses.start();
      await parts.hashes.warmUp(HASH_PURPOSE.password);
    },
    stop: () => statuses.stop(),
  };
}

async function findUser(parts: IdentityParts, id: UserId): Promise<User | undefined> {
  const account = await parts.accounts.byId(id);
  if (account === undefined) return undefined;
  const { uid, email, nickname, locale } = account;
  return { id, uid, email, nickname, locale };
}
