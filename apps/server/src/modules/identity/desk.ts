import { isUuid, type UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { HOUR_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { RecordSource } from '../../platform/console/records.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Account, AccountRepository } from './account-repository.ts';
import { acceptancesOf, type Acceptance } from './agreement-repository.ts';
import {
  securityEventsOf,
  securityRecords,
  sharedSessions,
  usersBeginning,
  type FoundUser,
  type SharedSession,
} from './desk-repository.ts';
import type { IdentityParts } from './parts.ts';
import type { Passkey } from './passkey-repository.ts';
import { removePasskey } from './passkeys.ts';

const FOUND_MAX = 50;
/**
 * Greatest number of displayed accounts that share a device with an account, and of those that share an IP
 * network.
 */
const SHARED_MAX = 50;
const EVENTS_PAGE = 50;
/** Longest withdrawal hold that an operator can place, in hours. */
export const HOLD_HOURS_MAX = 720;

/** The operators' functions on accounts and sessions. Every change is recorded in the security log of the account. */
export class UserDesk {
  private readonly parts: IdentityParts;

  constructor(parts: IdentityParts) {
    this.parts = parts;
  }

  /** Source of logins and other security events for the timeline of a user. */
  get records(): readonly RecordSource[] {
    return [securityRecords(this.parts.database.reader)];
  }

  /**
   * Other accounts that share a device or an IP network with an account, at most 50 for devices and for
   * networks each: those whose shared sessions were used last.
   */
  sharedSessions(user: UserId): Promise<readonly SharedSession[]> {
    return sharedSessions(this.parts.database.reader, user, SHARED_MAX);
  }

  /**
   * The newest 50 users whose email address, account number, nickname or id starts with `text`, or who have a
   * sub-account with such a number, and the total number of such users, counted up to `PAGED_ROWS_MAX`.
   */
  find(text: string): Promise<BoundedRows<FoundUser>> {
    return usersBeginning(this.parts.database.reader, text, FOUND_MAX);
  }

  /** Returns the account of a user, including a frozen one; refuses unknown ids, system accounts and sub-accounts. */
  async require(id: UserId): Promise<Account> {
    const account = await this.parts.accounts.byId(id);
    if (account !== undefined && account.email !== '') return account;
    throw new Refused(refusal('generic', 'l.not_found'));
  }

  /**
   * The user agreement and the privacy policy in the versions that a user accepted at the registration. Empty for an
   * account that is older than these records, or that nobody registered.
   */
  acceptances(user: UserId): Promise<Acceptance[]> {
    return acceptancesOf(this.parts.database.reader, user);
  }

  sessions(user: UserId) {
    return this.parts.sessions.live(user);
  }

  /**
   * A page of a user's logins and other security events, newest first, before the event that `before` names; the newest
   * page if `before` is undefined or names no event.
   */
  async events(user: UserId, before: string | undefined) {
    const [time = '', id = ''] = (before ?? '').split('_');
    const cursor = /^\d{1,15}$/.test(time) && isUuid(id) ? { at: Number(time), id } : undefined;
    const rows = await securityEventsOf(this.parts.database.reader, user, {
      before: cursor,
      limit: EVENTS_PAGE,
    });
    const lastRow = rows.length < EVENTS_PAGE ? undefined : rows.at(-1);
    return { rows, next: lastRow && `${lastRow.at}_${lastRow.id}` };
  }

  /** The newest security event of a user of one of the kinds; undefined if the log has none. */
  async latestEvent(user: UserId, kinds: readonly string[]) {
    const [latest] = await securityEventsOf(this.parts.database.reader, user, { kinds, limit: 1 });
    return latest;
  }

  /**
   * Ends the session `only` of a user, or all sessions if it is undefined, and records the request in the security log
   * even if no session ends. Returns the number of ended sessions.
   */
  async endSessions(user: UserId, only: string | undefined, reason: string): Promise<number> {
    const { database, sessions, security, clock } = this.parts;
    const ended = await database.transaction(async (tx) => {
      const detail = JSON.stringify({ reason });
      const caller = { address: '', userAgent: '' };
      await security.write(tx, { userId: user, kind: 'sessionRevoked', caller, detail }, clock.now());
      return only === undefined ? sessions.endAll(tx, user) : sessions.endOne(tx, user, only);
    });
    sessions.forget(ended);
    return ended.length;
  }

  /** The passkeys of a user, newest first. */
  passkeys(user: UserId): Promise<readonly Passkey[]> {
    return this.parts.passkeys.ofUser(user);
  }

  /**
   * Removes a passkey that a user has lost. Ends all sessions of the user, places a hold of one day on withdrawals, and
   * notifies the user. Refuses an unknown user and an unknown passkey with `l.not_found`.
   */
  async removePasskey(user: UserId, id: string, reason: string): Promise<void> {
    const caller = { address: '', userAgent: '', submission: undefined };
    const removal = { id, isLast: true, caller, keptSession: undefined, reason };
    await removePasskey(this.parts, await this.require(user), removal);
  }

  /**
   * Places a hold of `hours` from now on a user's withdrawals, in place of any other hold; 0 ends the hold. The change
   * is recorded in the security log. Returns the end of the hold, which is 0 for no hold.
   */
  async hold(user: UserId, hours: number, reason: string): Promise<Instant> {
    const { database, accounts, security, clock } = this.parts;
    const now = clock.now();
    const until = hours === 0 ? instant(0) : later(now, hours * HOUR_MS);
    await database.transaction(async (tx) => {
      await accounts.change(tx, user, {
        hold_until: BigInt(until),
        hold_reason: hours === 0 ? '' : 'review',
      });
      const detail = JSON.stringify({ withdrawalsHeldUntil: until, reason });
      const caller = { address: '', userAgent: '' };
      await security.write(tx, { userId: user, kind: 'restricted', caller, detail }, now);
    });
    return until;
  }
}

/**
 * The account or sub-account with this account number, email address or id; undefined if there is none, and for a
 * system account.
 */
export async function accountNamed(accounts: AccountRepository, name: string): Promise<Account | undefined> {
  const text = name.trim().toLowerCase();
  const account = text.includes('@')
    ? await accounts.byEmail(text)
    : isUuid(text)
      ? await accounts.byId(text as UserId)
      : await accounts.byUid(text);
  // Only system accounts have neither an email address nor a main account, so these are left out.
  const isCustomer = account !== undefined && (account.email !== '' || account.master !== undefined);
  return isCustomer ? account : undefined;
}
