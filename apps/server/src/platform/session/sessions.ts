import { createHash, hash } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import type { SignInMethod } from '@exchange/core/passkeys.ts';
import { MINUTE_MS, later, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Session } from '../http/route.ts';
import type { Sessions } from '../http/sessions.ts';
import { RecentTimes } from '../recent-times.ts';
import { newId, type Random } from '../secrets/random.ts';
import { addressGroup } from '../limits/address-group.ts';
import { deviceName } from './device-name.ts';
import { SESSION_LIMITS, SessionStore, type LiveSession } from './store.ts';

/**
 * Milliseconds for which a cached session is used without a check in the database. The session's last use is recorded
 * at the same interval.
 */
const RECHECK_MS = MINUTE_MS;
const CACHE_SIZE = 50_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The device and the network address from which a session is opened. */
export interface Origin {
  readonly userAgent: string;
  readonly address: string;
  /** Id that an app assigns to its device. Without it, devices are distinguished by the `User-Agent`. */
  readonly deviceId?: string | undefined;
  /** Method by which the user has signed in; a password by default. */
  readonly method?: SignInMethod | undefined;
}

export interface OpenedSession {
  readonly session: Session;
  /** The token of the new session. The database stores only the token's SHA-256, so it cannot be read again later. */
  readonly token: string;
  readonly device: string;
  /** Whether the user has not signed in from this device before, as far as the stored sessions show. */
  readonly isNewDevice: boolean;
  /** Whether the user has not signed in from this network (/24 or /48) before, as far as the stored sessions show. */
  readonly isNewNetwork: boolean;
  /** The user's sessions that were ended because there were too many. Pass them to `forget` after the commit. */
  readonly displaced: readonly Session[];
}

interface CachedSession {
  readonly session: Session;
  readonly endsAt: Instant;
  checkedAt: Instant;
}

type EndListener = (sessionId: string, userId: UserId) => void;

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether uses of sessions are stored; default true. False if the process can only read the database. */
  readonly recordsUse?: boolean;
}

/**
 * The sessions of users, identified by opaque tokens. Ending a session takes two calls: `endOne` or `endAll` inside the
 * transaction, and `forget` directly after the commit, before the caller is answered.
 */
export class SignInSessions implements Sessions {
  private readonly deps: Deps;
  private readonly store: SessionStore;
  private readonly cache = new Map<string, CachedSession>();
  private readonly cacheKeys = new Map<string, string>();
  private readonly loading = new Map<string, Promise<Session | undefined>>();
  private readonly listeners: EndListener[] = [];
  /** Times at which this process last recorded the use of sessions at other processes, by session id. */
  private readonly uses = new RecentTimes<Instant>(CACHE_SIZE);
  private endingCount = 0;

  constructor(deps: Deps) {
    this.deps = deps;
    this.store = new SessionStore(deps.database.store);
  }

  remembered(token: string): Session | undefined {
    return TOKEN.test(token) ? this.trusted(hashOf(token).toString('base64')) : undefined;
  }

  find(token: string): Session | undefined | Promise<Session | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const hash = hashOf(token);
    const mark = hash.toString('base64');
    const cached = this.trusted(mark);
    if (cached !== undefined) return cached;
    const running = this.loading.get(mark);
    if (running !== undefined) return running;
    const load = this.load(mark, hash).finally(() => this.loading.delete(mark));
    this.loading.set(mark, load);
    return load;
  }

  onSessionEnded(listener: EndListener): void {
    this.listeners.push(listener);
  }

  /**
   * Opens a session inside a transaction. Ends the least recently used sessions of the user, so that at most `most`
   * remain, including the new one.
   */
  async open(
    tx: Tx,
    userId: UserId,
    origin: Origin,
    most: number = SESSION_LIMITS.perUser,
  ): Promise<OpenedSession> {
    const { clock, random } = this.deps;
    const now = clock.now();
    const token = random.bytes(32).toString('base64url');
    const session: Session = { id: newId(random, now), userId };
    const device = deviceName(origin.userAgent);
    const deviceMark = createHash('sha256')
      .update(origin.deviceId ?? origin.userAgent)
      .digest();
    const isNewDevice = !(await this.store.hasUsed(tx, userId, deviceMark));
    const isNewNetwork = !(await this.store.hasUsedNetwork(tx, userId, origin.address));
    const displaced = await this.store.endAllBut(tx, userId, most - 1, now);
    await this.store.insert(tx, {
      ...session,
      tokenHash: hashOf(token),
      device,
      deviceMark,
      hasDeviceId: origin.deviceId !== undefined,
      address: origin.address,
      method: origin.method ?? 'password',
      now,
    });
    return { session, token, device, isNewDevice, isNewNetwork, displaced };
  }

  /**
   * Ends a session of the user in the database and returns it, for `forget`. Returns an empty list if the session
   * belongs to another user or has already ended.
   */
  endOne(tx: Tx, userId: UserId, sessionId: string): Promise<readonly Session[]> {
    return this.store.end(tx, userId, { only: sessionId }, this.deps.clock.now());
  }

  /**
   * Ends all sessions of a user in the database, except the session `exceptId` if it is given, and returns them, for
   * `forget`.
   */
  endAll(tx: Tx, userId: UserId, exceptId?: string): Promise<readonly Session[]> {
    return this.store.end(tx, userId, { except: exceptId }, this.deps.clock.now());
  }

  /** Removes ended sessions from the cache and calls the listeners for each of them. */
  forget(ended: readonly Session[]): void {
    this.endingCount += 1;
    for (const session of ended) {
      const mark = this.cacheKeys.get(session.id);
      if (mark !== undefined) this.drop(mark, session.id);
    }
    for (const session of ended) for (const listener of this.listeners) listener(session.id, session.userId);
  }

  /**
   * Records that a session was used at another process, at most once a minute. Does nothing for a session that has
   * ended. A failure to record is ignored, because the session's next use is recorded.
   */
  recordUse(session: Session): void {
    const now = this.deps.clock.now();
    const notedBefore = later(now, -RECHECK_MS);
    const notedAt = this.uses.get(session.id);
    if (notedAt !== undefined && notedAt > notedBefore) return;
    this.uses.set(session.id, now);
    this.store.noteUse(session, now, notedBefore).catch(() => this.uses.delete(session.id));
  }

  /** Clears the cache, because messages about ended sessions may have been lost. */
  recheckAll(): void {
    this.endingCount += 1;
    this.cache.clear();
    this.cacheKeys.clear();
  }

  /**
   * Returns the user's sessions that have neither ended nor expired, at most 20, the last used one first.
   * With `only`, at most the session with this id.
   */
  live(userId: UserId, only?: string): Promise<readonly LiveSession[]> {
    return this.store.live(userId, this.deps.clock.now(), only);
  }

  /**
   * Returns whether the user has a stored session, ended or not, that was opened from the address group of this IP
   * address (see `addressGroup`).
   */
  hasBeenAt(userId: UserId, address: string): Promise<boolean> {
    return this.store.hasBeenAt(userId, addressGroup(address));
  }

  /** Returns the number of days on which the user was active, of the last 30 days (UTC, today included). */
  activeDays(userId: UserId): Promise<number> {
    return this.store.activeDays(userId, this.deps.clock.now());
  }

  /**
   * Ends expired sessions. Removes sessions that ended more than 60 days ago, and days of activity older than 30 days.
   */
  async cleanUp(): Promise<void> {
    this.forget(await this.store.endExpired(this.deps.clock.now()));
    await this.store.removeOld(this.deps.clock.now());
  }

  private trusted(mark: string): Session | undefined {
    const entry = this.cache.get(mark);
    const now = this.deps.clock.now();
    const isFresh = entry !== undefined && now < entry.endsAt && now - entry.checkedAt < RECHECK_MS;
    return isFresh ? entry.session : undefined;
  }

  private async load(mark: string, hash: Buffer): Promise<Session | undefined> {
    for (;;) {
      const endings = this.endingCount;
      const now = this.deps.clock.now();
      const stored = await this.store.find(hash, now);
      if (stored === undefined) {
        const stale = this.cache.get(mark);
        if (stale !== undefined) this.drop(mark, stale.session.id);
        return undefined;
      }
      // If any session has ended while the rows were read, the rows may be outdated and are read again.
      if (endings !== this.endingCount) continue;
      const notedBefore = later(now, -RECHECK_MS);
      if (this.deps.recordsUse !== false && stored.seenAt <= notedBefore)
        await this.store.noteUse(stored.session, now, notedBefore);
      if (endings !== this.endingCount) continue;
      const endsAt = later(stored.createdAt, SESSION_LIMITS.absoluteMs);
      this.remember(mark, { session: stored.session, endsAt, checkedAt: now });
      return stored.session;
    }
  }

  private remember(mark: string, entry: CachedSession): void {
    this.cache.set(mark, entry);
    this.cacheKeys.set(entry.session.id, mark);
    if (this.cache.size <= CACHE_SIZE) return;
    const [oldest] = this.cache;
    if (oldest !== undefined) this.drop(oldest[0], oldest[1].session.id);
  }

  private drop(mark: string, sessionId: string): void {
    this.cache.delete(mark);
    this.cacheKeys.delete(sessionId);
  }
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
