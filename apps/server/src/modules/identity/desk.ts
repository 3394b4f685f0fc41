import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { HOUR_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Account } from './account-repository.ts';
import { acceptancesOf, type Acceptance } from './agreement-repository.ts';
import { securityEventsOf, usersBeginning, type FoundUser } from './desk-repository.ts';
import type { IdentityParts } from './parts.ts';

const FOUND_MAX = 50;
const EVENTS_PAGE = 50;
/** The longest hold that an operator can put on withdrawals. */
export const HOLD_HOURS_MAX = 720;

/** What operators see of accounts, and end for them. Every deed is written into the account's own security log. */
export class UserDesk {
  private readonly parts: IdentityParts;

  constructor(parts: IdentityParts) {
    this.parts = parts;
  }

  /** The newest 50 people whose mail address, number or id begins with a text, and how many such people there are. */
  find(text: string): Promise<BoundedRows<FoundUser>> {
    return usersBeginning(this.parts.database.reader, text, FOUND_MAX);
  }

  /** A person's account; refuses where there is none, and for accounts of the house. */
  async require(id: UserId): Promise<Account> {
    const account = await this.parts.accounts.byId(id);
    if (account !== undefined && account.email !== '') return account;
    throw new Refused(refusal('generic', 'l.not_found'));
  }

  /** Which agreements a person accepted with the account; nothing where that was not kept yet. */
  acceptances(user: UserId): Promise<Acceptance[]> {
    return acceptancesOf(this.parts.database.reader, user);
  }

  sessions(user: UserId) {
    return this.parts.sessions.live(user);
  }

  /** Sign-ins and every other security event, newest first, from a cursor on. */
  async events(user: UserId, before: string | undefined) {
    const [at = '', id = ''] = (before ?? '').split('_');
    const from = /^\d{1,15}$/.test(at) ? { at: Number(at), id } : undefined;
    const rows = await securityEventsOf(this.parts.database.reader, user, {
      before: from,
      limit: EVENTS_PAGE,
    });
    const last = rows.length < EVENTS_PAGE ? undefined : rows.at(-1);
    return { rows, next: last && `${last.at}_${last.id}` };
  }

  /** Ends one session of a person, or all of them; gives how many ended. */
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

  /** Holds a person's withdrawals for so many hours from now; 0 ends a hold. Gives until when. */
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
