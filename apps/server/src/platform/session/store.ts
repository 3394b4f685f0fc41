import type { UserId } from '@exchange/core/ids.ts';
import type { SignInMethod } from '@exchange/core/passkeys.ts';
import { DAY_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely } from 'kysely';
import type { Tx } from '../database/database.ts';
import { addressGroup, addressNetwork } from '../limits/address-group.ts';
import type { Session } from '../http/route.ts';

export const SESSION_LIMITS = {
  idleMs: 7 * DAY_MS,
  absoluteMs: 30 * DAY_MS,
  /** Maximum number of sessions per user. Opening a further one ends the least recently used one. */
  perUser: 20,
  /**
   * Maximum number of sessions of the account that all visitors of a demo share. With the normal limit, visitors would
   * end each other's sessions.
   */
  perSharedUser: 1_000,
} as const;

const ENDED_STORED_MS = 60 * DAY_MS;
const ACTIVITY_DAYS = 30;

/** A session that has neither ended nor expired, as its user sees it. */
export interface LiveSession {
  readonly id: string;
  readonly device: string;
  readonly address: string;
  readonly method: SignInMethod;
  readonly createdAt: Instant;
  readonly seenAt: Instant;
}

interface NewSession extends Session {
  readonly tokenHash: Buffer;
  readonly device: string;
  readonly deviceMark: Buffer;
  readonly hasDeviceId: boolean;
  readonly address: string;
  readonly method: SignInMethod;
  readonly now: Instant;
}

/** Reads and writes the rows of sessions in the database. */
export class SessionStore {
  private readonly store: Kysely<SessionTables>;

  constructor(store: Kysely<unknown>) {
    this.store = store.withTables<SessionTables>();
  }

  async insert(tx: Tx, session: NewSession): Promise<void> {
    const db = tx.withTables<SessionTables>();
    await db
      .insertInto('user_session')
      .values({
        id: session.id,
        user_id: session.userId,
        token_hash: session.tokenHash,
        device: session.device,
        device_mark: session.deviceMark,
        has_device_id: session.hasDeviceId,
        address: session.address,
        address_group: addressGroup(session.address),
        address_network: addressNetwork(session.address),
        method: session.method,
        created_at: BigInt(session.now),
        seen_at: BigInt(session.now),
        ended_at: null,
      })
      .execute();
    await markActive(db, session.userId, session.now);
  }

  /**
   * Finds the session with this SHA-256 of its token; undefined if there is none that has neither ended nor expired at
   * `now`. Never writes.
   */
  async find(
    tokenHash: Buffer,
    now: Instant,
  ): Promise<{ session: Session; createdAt: Instant; seenAt: Instant } | undefined> {
    const row = await this.store
      .selectFrom('user_session')
      .select(['id', 'user_id', 'created_at', 'seen_at'])
      .where('token_hash', '=', tokenHash)
      .where(isLive(now))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const [createdAt, seenAt] = [instant(Number(row.created_at)), instant(Number(row.seen_at))];
    return { session: sessionOf(row), createdAt, seenAt };
  }

  /**
   * Records the use of a session that has not ended, and that its user is active on the day of `now` (UTC).
   * Does nothing if a use was recorded after `notedBefore`.
   */
  async noteUse({ id, userId }: Session, now: Instant, notedBefore: Instant): Promise<void> {
    const row = await this.store
      .updateTable('user_session')
      .set({ seen_at: BigInt(now) })
      .where('id', '=', id)
      .where('seen_at', '<=', BigInt(notedBefore))
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row !== undefined) await markActive(this.store, userId, now);
  }

  async hasUsed(tx: Tx, userId: UserId, deviceMark: Buffer): Promise<boolean> {
    const row = await tx
      .withTables<SessionTables>()
      .selectFrom('user_session')
      .select('id')
      .where('user_id', '=', userId)
      .where('device_mark', '=', deviceMark)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Returns whether the user has a stored session, ended or not, from the network (/24 or /48) of this IP
   * address.
   */
  async hasUsedNetwork(tx: Tx, userId: UserId, address: string): Promise<boolean> {
    const row = await tx
      .withTables<SessionTables>()
      .selectFrom('user_session')
      .select('id')
      .where('user_id', '=', userId)
      .where('address_network', '=', addressNetwork(address))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns whether the user has a session, ended or not, from this address group (see `addressGroup`). */
  async hasBeenAt(userId: UserId, group: string): Promise<boolean> {
    const row = await this.store
      .selectFrom('user_session')
      .select('id')
      .where('user_id', '=', userId)
      .where('address_group', '=', group)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async end(
    tx: Tx,
    userId: UserId,
    filter: { readonly only?: string | undefined; readonly except?: string | undefined },
    now: Instant,
  ): Promise<readonly Session[]> {
    if (filter.only === undefined) await lockSessionsOf(tx, userId);
    let query = tx
      .withTables<SessionTables>()
      .updateTable('user_session')
      .set({ ended_at: BigInt(now) })
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null);
    if (filter.only !== undefined) query = query.where('id', '=', filter.only);
    if (filter.except !== undefined) query = query.where('id', '<>', filter.except);
    return (await query.returning(['id', 'user_id']).execute()).map(sessionOf);
  }

  /** Ends all sessions of a user except the `remaining` last used ones. Returns the ended sessions. */
  async endAllBut(tx: Tx, userId: UserId, remaining: number, now: Instant): Promise<readonly Session[]> {
    await lockSessionsOf(tx, userId);
    const db = tx.withTables<SessionTables>();
    const rows = await db
      .updateTable('user_session')
      .set({ ended_at: BigInt(now) })
      .where('id', 'in', (inner) =>
        inner
          .selectFrom('user_session')
          .select('id')
          .where('user_id', '=', userId)
          .where('ended_at', 'is', null)
          .orderBy('seen_at', 'desc')
          .orderBy('id', 'desc')
          .offset(remaining),
      )
      .returning(['id', 'user_id'])
      .execute();
    return rows.map(sessionOf);
  }

  async live(userId: UserId, now: Instant, only?: string): Promise<readonly LiveSession[]> {
    let query = this.store
      .selectFrom('user_session')
      .select(['id', 'device', 'address', 'method', 'created_at', 'seen_at'])
      .where('user_id', '=', userId)
      .where(isLive(now));
    if (only !== undefined) query = query.where('id', '=', only);
    const rows = await query
      .orderBy('seen_at', 'desc')
      .orderBy('id', 'desc')
      .limit(SESSION_LIMITS.perUser)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      device: row.device,
      address: row.address,
      method: row.method as SignInMethod,
      createdAt: instant(Number(row.created_at)),
      seenAt: instant(Number(row.seen_at)),
    }));
  }

  async activeDays(userId: UserId, now: Instant): Promise<number> {
    const row = await this.store
      .selectFrom('user_active_day')
      .select((count) => count.fn.countAll<bigint>().as('days'))
      .where('user_id', '=', userId)
      .where('day', '>', dayOf(now) - ACTIVITY_DAYS)
      .executeTakeFirstOrThrow();
    return Number(row.days);
  }

  async endExpired(now: Instant): Promise<readonly Session[]> {
    const rows = await this.store
      .updateTable('user_session')
      .set({ ended_at: BigInt(now) })
      .where('id', 'in', (inner) =>
        inner
          .selectFrom('user_session')
          .select('id')
          .where('ended_at', 'is', null)
          .where((not) => not.not(isLive(now)))
          // Rows that another transaction has locked, e.g. to end the session, are skipped, so that this
          // transaction does not wait for it.
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'user_id'])
      .execute();
    return rows.map(sessionOf);
  }

  async removeOld(now: Instant): Promise<void> {
    await this.store
      .deleteFrom('user_session')
      .where('ended_at', '<', BigInt(now - ENDED_STORED_MS))
      .execute();
    await this.store
      .deleteFrom('user_active_day')
      .where('day', '<=', dayOf(now) - ACTIVITY_DAYS)
      .execute();
  }
}

/**
 * Returns an SQL condition that selects the rows of `user_session` whose session has neither ended nor
 * expired at `now`.
 */
export function isLive(now: Instant) {
  return sql<boolean>`(ended_at is null
    and seen_at > ${BigInt(now - SESSION_LIMITS.idleMs)}
    and created_at > ${BigInt(now - SESSION_LIMITS.absoluteMs)})`;
}

async function markActive(db: Kysely<SessionTables>, userId: string, now: Instant): Promise<void> {
  await db
    .insertInto('user_active_day')
    .values({ user_id: userId, day: dayOf(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

function sessionOf(row: { readonly id: string; readonly user_id: string }): Session {
  return { id: row.id, userId: row.user_id as UserId };
}

/**
 * Serializes the transactions that end several sessions of a user. Otherwise they could lock rows in different orders
 * and cause a deadlock.
 */
async function lockSessionsOf(tx: Tx, userId: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sessions ${userId}`}, 0))`.execute(tx);
}

type SessionTables = {
  user_session: {
    id: string;
    user_id: string;
    token_hash: Buffer;
    device: string;
    device_mark: Buffer;
    has_device_id: boolean;
    address: string;
    address_group: string | null;
    address_network: string | null;
    method: string;
    created_at: bigint;
    seen_at: bigint;
    ended_at: bigint | null;
  };
  user_active_day: { user_id: string; day: number };
};
