import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { IdentityParts } from './parts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { timeText } from '../../platform/time-text.ts';
import { type Account, type AccountRepository, accountStatusOf } from './account-repository.ts';
import { tellProtection } from './events.ts';
import { noticeMessage } from './words/mails.ts';
import type { AccountStatus } from './domain/account-status.ts';

const CACHE_SIZE = 200_000;
/** How often it is asked what others have changed. */
const LOOK_EVERY_MS = 1_000;
/** What has not been confirmed for so long is read again: the bound on how old an answer is. */
const CONFIRMED_MS = 5_000;

interface Deps {
  readonly accounts: AccountRepository;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What users may do, in memory: the order path asks without touching the database. Another process, or an
 * operator by SQL, may change it as well: every second the database is asked for whom, and an answer is never
 * older than five seconds.
 */
export class AccountStatuses {
  private readonly accounts: AccountRepository;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly known = new Map<UserId, AccountStatus>();
  private changes = 0;
  /** All changes of earlier transactions have been seen; undefined until the first look. */
  private seen: string | undefined;
  private confirmedMs = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();

  constructor({ accounts, clock, log }: Deps) {
    this.accounts = accounts;
    this.clock = clock;
    this.log = log;
  }

  /** Begins to look for what others change. */
  async start(): Promise<void> {
    await this.look();
    this.timer = setInterval(() => {
      this.looking = this.look();
    }, LOOK_EVERY_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  /** Forgets those whose account status was changed since the last look, by whomever. */
  async look(): Promise<void> {
    const beganMs = this.clock.monotonicMs();
    try {
      const { changed, seen } = await this.accounts.statusesChanged(this.seen);
      for (const user of changed) this.forget(user);
      this.seen = seen;
      this.confirmedMs = beganMs;
    } catch (cause) {
      // The database may be away for a moment. What is known is not used for long without it.
      this.log.warn('identity.account_statuses_unconfirmed', { cause });
    }
  }

  /** Loads a user's account status unless it is in memory; undefined when there is no such user. */
  async prepare(userId: UserId): Promise<AccountStatus | undefined> {
    for (;;) {
      const known = this.known.get(userId);
      if (known !== undefined && this.clock.monotonicMs() - this.confirmedMs < CONFIRMED_MS) return known;
      const changes = this.changes;
      const account = await this.accounts.byId(userId);
      if (account === undefined) return undefined;
      // Changed while it was read: what was read may be the old state.
      if (changes !== this.changes) continue;
      const status = accountStatusOf(account);
      this.remember(userId, status);
      return status;
    }
  }

  /** The account status that `prepare` has loaded. Throws when it has not been: that is a bug of the caller. */
  of(userId: UserId): AccountStatus {
    const status = this.known.get(userId);
    if (status === undefined) throw new Error(`the account status of ${userId} was not prepared`);
    return status;
  }

  /** Call after the commit of a change: the next command already sees it. */
  forget(userId: UserId): void {
    this.changes += 1;
    this.known.delete(userId);
  }

  private remember(userId: UserId, status: AccountStatus): void {
    this.known.set(userId, status);
    if (this.known.size <= CACHE_SIZE) return;
    const [oldest] = this.known.keys();
    if (oldest !== undefined) this.known.delete(oldest);
  }
}

/** What is changed about what a user may do; what is left out stays. */
export interface Restriction {
  readonly frozen?: boolean;
  readonly mayPurchase?: boolean;
  /** Why, for the audit. */
  readonly reason: string;
}

/** Mails an owner that the account is frozen and how to reach customer service; nothing of why. */
async function mailFrozen(parts: IdentityParts, tx: Tx, account: Account, at: Instant): Promise<void> {
  const { email, locale, uid } = account;
  const message = noticeMessage(locale, 'accountFrozen', { time: timeText(at), uid });
  await parts.mail.write(tx, { to: email, purpose: 'notice.accountFrozen', ...message });
}

/**
 * Changes what a user may do. A freeze also ends every session, and is told to its owner by mail and in the inbox;
 * `onCommitted` runs before anybody hears of it.
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
  if (isNewlyFrozen) tellProtection(parts.events, 'accountFrozen', { userId, at });
}
