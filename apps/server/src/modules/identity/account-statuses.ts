import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { IdentityParts } from './parts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import type { Log } from '../../platform/log.ts';
import { timeText } from '../../platform/time-text.ts';
import { type Account, type AccountRepository, accountStatusOf } from './account-repository.ts';
import { publishProtectionChange } from './events.ts';
import { noticeMessage } from './words/mails.ts';
import type { AccountStatus } from './domain/account-status.ts';

const CACHE_SIZE = 200_000;
/** Milliseconds between two queries for account statuses that other processes changed. */
const LOOK_EVERY_MS = 1_000;
/**
 * Milliseconds; a cached account status is not used if no query for changed statuses has succeeded within this time.
 */
const CONFIRMED_MS = 5_000;

interface Deps {
  readonly accounts: AccountRepository;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Cache of account statuses in memory, so that placing an order needs no access to the database. Other processes, or an
 * operator with SQL, may change a status too. The cache therefore queries for changes every second, and `prepare` reads
 * a cached status again if no such query has succeeded for five seconds.
 */
export class AccountStatuses {
  private readonly accounts: AccountRepository;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly cached = new Map<UserId, AccountStatus>();
  /**
   * Ids of cached sub-accounts, by the id of their main account: when the status of a main account changes,
   * the statuses of its sub-accounts are removed from the cache too.
   */
  private readonly cachedSubAccounts = new Map<UserId, Set<UserId>>();
  private changes = 0;
  /**
   * Database snapshot at the latest successful query for changed statuses, after which the next query
   * searches for changes; undefined before the first one.
   */
  private seen: string | undefined;
  private confirmedMs = Number.NEGATIVE_INFINITY;
  private readonly polls = new PeriodicTask(() => this.pollChanges(), { everyMs: LOOK_EVERY_MS });

  constructor({ accounts, clock, log }: Deps) {
    this.accounts = accounts;
    this.clock = clock;
    this.log = log;
  }

  /** Queries for changed account statuses once, and starts the regular queries. */
  async start(): Promise<void> {
    await this.pollChanges();
    this.polls.start();
  }

  async stop(): Promise<void> {
    await this.polls.stop();
  }

  /**
   * Removes the account statuses that changed since the last query from the cache. A query that fails is only logged.
   */
  async pollChanges(): Promise<void> {
    const startedMs = this.clock.monotonicMs();
    try {
      const { changed, seen } = await this.accounts.statusesChanged(this.seen);
      for (const user of changed) this.forget(user);
      this.seen = seen;
      this.confirmedMs = startedMs;
    } catch (cause) {
      // The failure is only logged, because the database may be unavailable for a short time. Cached statuses expire
      // soon if no query succeeds.
      this.log.warn('identity.account_statuses_unconfirmed', { cause });
    }
  }

  /**
   * Returns a user's account status. Loads it into the cache if it is missing there, or if no query for
   * changed statuses has succeeded within the last five seconds. Undefined if the user does not exist.
   */
  async prepare(userId: UserId): Promise<AccountStatus | undefined> {
    for (;;) {
      const cachedStatus = this.cachedStatus(userId);
      if (cachedStatus !== undefined) return cachedStatus;
      const changes = this.changes;
      const account = await this.accounts.byId(userId);
      if (account === undefined) return undefined;
      const master = account.master && (await this.accounts.byId(account.master));
      // An account status changed while this one was read, so the result may be outdated and is read again.
      if (changes !== this.changes) continue;
      const status = accountStatusOf(account, master);
      this.cache(userId, status);
      return status;
    }
  }

  /**
   * The account status in the cache; undefined if it is missing there, or if no query for changed statuses has succeeded
   * within the last five seconds. `prepare` then loads it.
   */
  cachedStatus(userId: UserId): AccountStatus | undefined {
    const isFresh = this.clock.monotonicMs() - this.confirmedMs < CONFIRMED_MS;
    return isFresh ? this.cached.get(userId) : undefined;
  }

  /**
   * Removes an account status from the cache, so that the next command reads the new one. The caller calls it after a
   * change is committed. The statuses of the account's sub-accounts are removed too.
   */
  forget(userId: UserId): void {
    this.changes += 1;
    this.drop(userId);
    for (const subAccount of this.cachedSubAccounts.get(userId) ?? []) this.drop(subAccount);
  }

  private cache(userId: UserId, status: AccountStatus): void {
    this.cached.set(userId, status);
    const { master } = status;
    if (master !== undefined) {
      const subAccounts = this.cachedSubAccounts.get(master) ?? new Set();
      this.cachedSubAccounts.set(master, subAccounts.add(userId));
    }
    if (this.cached.size <= CACHE_SIZE) return;
    const [oldest] = this.cached.keys();
    if (oldest !== undefined) this.drop(oldest);
  }

  private drop(userId: UserId): void {
    const master = this.cached.get(userId)?.master;
    this.cached.delete(userId);
    if (master === undefined) return;
    const subAccounts = this.cachedSubAccounts.get(master);
    subAccounts?.delete(userId);
    if (subAccounts?.size === 0) this.cachedSubAccounts.delete(master);
  }
}

/** A change of what a user may do; undefined fields stay unchanged. */
export interface Restriction {
  readonly frozen?: boolean;
  readonly mayPurchase?: boolean;
  /**
   * Reason of the operator, or a text that begins with `owner:` if the owner froze the account; it is stored
   * in the security log of the account.
   */
  readonly reason: string;
}

/**
 * Enqueues, in the caller's transaction, a mail to the owner that the account is frozen and how to reach the
 * customer service. The mail does not contain the reason.
 */
async function mailFrozen(parts: IdentityParts, tx: Tx, account: Account, at: Instant): Promise<void> {
  const { email, locale, uid } = account;
  const message = noticeMessage(locale, 'accountFrozen', { time: timeText(at), uid });
  await parts.mail.write(tx, { to: email, purpose: 'notice.accountFrozen', ...message });
}

/**
 * Changes what a user may do, and records the change in the security log; does nothing if `frozen` and
 * `mayPurchase` are both undefined. A freeze also ends every session of the user and, unless the account was
 * frozen already or has no email address, notifies the owner by mail and in the inbox. `onCommitted` is
 * called after the commit, before events are published.
 */
export async function restrict(
  parts: IdentityParts,
  userId: UserId,
  restriction: Restriction,
  onCommitted: () => void,
): Promise<void> {
  const { frozen, mayPurchase, reason } = restriction;
  if (frozen === undefined && mayPurchase === undefined) return;
  const account = frozen === true ? await parts.accounts.byId(userId) : undefined;
  const isNewlyFrozen = account !== undefined && !account.frozen && account.email !== '';
  const at = parts.clock.now();
  const ended = await parts.database.transaction(async (tx) => {
    await parts.accounts.change(tx, userId, {
      ...(frozen === undefined ? {} : { frozen }),
      ...(mayPurchase === undefined ? {} : { may_purchase: mayPurchase }),
    });
    const caller = { address: '', userAgent: '' };
    const detail = JSON.stringify({ frozen, mayPurchase, reason });
    await parts.security.write(tx, { userId, kind: 'restricted', caller, detail }, parts.clock.now());
    if (isNewlyFrozen) await mailFrozen(parts, tx, account, at);
    return frozen === true ? parts.sessions.endAll(tx, userId) : [];
  });
  onCommitted();
  parts.sessions.forget(ended);
  if (isNewlyFrozen) publishProtectionChange(parts.events, 'accountFrozen', { userId, at });
}
