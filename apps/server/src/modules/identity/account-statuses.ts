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
/** Interval at which changes of account statuses by other processes are polled. */
const LOOK_EVERY_MS = 1_000;
/** Maximum age of a cached account status without a successful poll. */
const CONFIRMED_MS = 5_000;

interface Deps {
  readonly accounts: AccountRepository;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * In-memory cache of account statuses, so that placing orders needs no database access. Other processes, or
 * an operator through SQL, may change a status too, so changes are polled every second, and `prepare` reads a
 * cached status again if no poll has succeeded for five seconds.
 */
export class AccountStatuses {
  private readonly accounts: AccountRepository;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly cached = new Map<UserId, AccountStatus>();
  /**
   * Cached sub-accounts by their main account: a change of the main account also drops them from
   * the cache.
   */
  private readonly cachedSubAccounts = new Map<UserId, Set<UserId>>();
  private changes = 0;
  /** Database snapshot of the latest poll for changed statuses; undefined before the first. */
  private seen: string | undefined;
  private confirmedMs = Number.NEGATIVE_INFINITY;
  private readonly polls = new PeriodicTask(() => this.pollChanges(), { everyMs: LOOK_EVERY_MS });

  constructor({ accounts, clock, log }: Deps) {
    this.accounts = accounts;
    this.clock = clock;
    this.log = log;
  }

  /** Starts polling for changed account statuses. */
  async start(): Promise<void> {
    await this.pollChanges();
    this.polls.start();
  }

  async stop(): Promise<void> {
    await this.polls.stop();
  }

  /** Drops cached account statuses that changed since the last poll. */
  async pollChanges(): Promise<void> {
    const startedMs = this.clock.monotonicMs();
    try {
      const { changed, seen } = await this.accounts.statusesChanged(this.seen);
      for (const user of changed) this.forget(user);
      this.seen = seen;
      this.confirmedMs = startedMs;
    } catch (cause) {
      // The failure is only logged, because the database may be briefly unavailable. Cached statuses expire soon if no
      // poll succeeds.
      this.log.warn('identity.account_statuses_unconfirmed', { cause });
    }
  }

  /** Loads a user's status unless it is cached; undefined if the user does not exist. */
  async prepare(userId: UserId): Promise<AccountStatus | undefined> {
    for (;;) {
      const cachedStatus = this.cached.get(userId);
      const isFresh = this.clock.monotonicMs() - this.confirmedMs < CONFIRMED_MS;
      if (cachedStatus !== undefined && isFresh) return cachedStatus;
      const changes = this.changes;
      const account = await this.accounts.byId(userId);
      if (account === undefined) return undefined;
      const master = account.master && (await this.accounts.byId(account.master));
      // The account status changed during the read, so the result may be stale and is read again.
      if (changes !== this.changes) continue;
      const status = accountStatusOf(account, master);
      this.cache(userId, status);
      return status;
    }
  }

  /**
   * The account status that `prepare` has loaded. Throws if it was not loaded, which is a bug in
   * the caller.
   */
  get(userId: UserId): AccountStatus {
    const status = this.cached.get(userId);
    if (status === undefined) throw new Error(`the account status of ${userId} was not prepared`);
    return status;
  }

  /**
   * Drops a cached account status. Call it after committing a change, so that the next command sees
   * it. The statuses of sub-accounts are dropped with their main account's.
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

/** A change of a user's permissions; undefined fields stay unchanged. */
export interface Restriction {
  readonly frozen?: boolean;
  readonly mayPurchase?: boolean;
  /** Reason of the operator, for the audit log. */
  readonly reason: string;
}

/** Mails the owner that the account is frozen and how to reach support. The mail does not contain the reason. */
async function mailFrozen(parts: IdentityParts, tx: Tx, account: Account, at: Instant): Promise<void> {
  const { email, locale, uid } = account;
  const message = noticeMessage(locale, 'accountFrozen', { time: timeText(at), uid });
  await parts.mail.write(tx, { to: email, purpose: 'notice.accountFrozen', ...message });
}

/**
 * Changes a user's permissions. A freeze also ends every session and, unless the account was frozen already,
 * notifies the owner by mail and inbox.
 * `onCommitted` runs before events are published.
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
