import { createHash, hash } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { MINUTE_MS, later, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Session } from '../http/route.ts';
import type { Sessions } from '../http/sessions.ts';
import { newId, type Random } from '../secrets/random.ts';
import { addressGroup } from '../limits/address-group.ts';
import { deviceName } from './device-name.ts';
import { SESSION_LIMITS, SessionStore, type LiveSession } from './store.ts';

/** How long a session is believed without asking the database; its last use is written down as seldom. */
const RECHECK_MS = MINUTE_MS;
const CACHE_SIZE = 50_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Where a session is opened from. */
export interface Origin {
  readonly userAgent: string;
  readonly address: string;
  /** What an app calls its device; without it the browser's own name tells devices apart. */
  readonly deviceId?: string | undefined;
}

export interface OpenedSession {
  readonly session: Session;
  /** Shown once and kept nowhere; the database has its SHA-256. */
  readonly token: string;
  readonly device: string;
  /** Whether the user has never been signed in on this device, as far as is still known. */
  readonly isNewDevice: boolean;
  /** Whether the user has never signed in from this network (/24 or /48), as far as is still known. */
  readonly isNewNetwork: boolean;
  /** Sessions that made room; `forget` them after the commit. */
  readonly displaced: readonly Session[];
}

interface Known {
  readonly session: Session;
  readonly endsAt: Instant;
  checkedAt: Instant;
}

type EndListener = (sessionId: string, userId: UserId) => void;

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Opaque sign-in tokens. Ending one takes two calls: `end…` inside the transaction that ends it, and
 * `forget` right after the commit, before anybody is answered.
 */
export class SignInSessions implements Sessions {
  private readonly deps: Deps;
  private readonly store: SessionStore;
  private readonly known = new Map<string, Known>();
  private readonly markOf = new Map<string, string>();
  private readonly loading = new Map<string, Promise<Session | undefined>>();
  private readonly listeners: EndListener[] = [];
  private endings = 0;

  constructor(deps: Deps) {
    this.deps = deps;
    this.store = new SessionStore(deps.database.store);
  }

  remembered(token: string): Session | undefined {
    return TOKEN.test(token) ? this.believed(hashOf(token).toString('base64')) : undefined;
  }

  find(token: string): Session | undefined | Promise<Session | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const hash = hashOf(token);
    const mark = hash.toString('base64');
    const believed = this.believed(mark);
    if (believed !== undefined) return believed;
    const underWay = this.loading.get(mark);
    if (underWay !== undefined) return underWay;
    const load = this.load(mark, hash).finally(() => this.loading.delete(mark));
    this.loading.set(mark, load);
    return load;
  }

  onSessionEnded(listener: EndListener): void {
    this.listeners.push(listener);
  }

  /**
   * Opens a session within the transaction that decided to. Of a user's sessions, this one included, the
   * `most` that were used last stay.
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
      now,
    });
    return { session, token, device, isNewDevice, isNewNetwork, displaced };
  }

  /** Ends one of the user's sessions; none when it is not his or has ended already. */
  endOne(tx: Tx, userId: UserId, sessionId: string): Promise<readonly Session[]> {
    return this.store.end(tx, userId, { only: sessionId }, this.deps.clock.now());
  }

  /** Ends all sessions of a user, or all but one. */
  endAll(tx: Tx, userId: UserId, exceptId?: string): Promise<readonly Session[]> {
    return this.store.end(tx, userId, { except: exceptId }, this.deps.clock.now());
  }

  /** Makes ended sessions dead in this process and tells those who follow. */
  forget(ended: readonly Session[]): void {
    this.endings += 1;
    for (const session of ended) {
      const mark = this.markOf.get(session.id);
      if (mark !== undefined) this.drop(mark, session.id);
    }
    for (const session of ended) for (const listener of this.listeners) listener(session.id, session.userId);
  }

  /** The user's live sessions, the last used first, or `only` one of them. */
  live(userId: UserId, only?: string): Promise<readonly LiveSession[]> {
    return this.store.live(userId, this.deps.clock.now(), only);
  }

  /** Whether the user has signed in from this network address, within what is kept of sessions. */
  hasBeenAt(userId: UserId, address: string): Promise<boolean> {
    return this.store.hasBeenAt(userId, addressGroup(address));
  }

  /** On how many of the last 30 days the user was here. */
  activeDays(userId: UserId): Promise<number> {
    return this.store.activeDays(userId, this.deps.clock.now());
  }

  /** Ends what has expired and removes what is long over. */
  async cleanUp(): Promise<void> {
    this.forget(await this.store.endExpired(this.deps.clock.now()));
    await this.store.removeOld(this.deps.clock.now());
  }

  private believed(mark: string): Session | undefined {
    const known = this.known.get(mark);
    const now = this.deps.clock.now();
    const isFresh = known !== undefined && now < known.endsAt && now - known.checkedAt < RECHECK_MS;
    return isFresh ? known.session : undefined;
  }

  private async load(mark: string, hash: Buffer): Promise<Session | undefined> {
    for (;;) {
      const endings = this.endings;
      const now = this.deps.clock.now();
      const found = await this.store.find(hash, now);
      if (found === undefined) {
        const stale = this.known.get(mark);
        if (stale !== undefined) this.drop(mark, stale.session.id);
        return undefined;
      }
      // A session that ended while we read must not be remembered as live: read again.
      if (endings !== this.endings) continue;
      const notedBefore = later(now, -RECHECK_MS);
      if (found.seenAt <= notedBefore) await this.store.noteUse(found.session, now, notedBefore);
      if (endings !== this.endings) continue;
      const endsAt = later(found.createdAt, SESSION_LIMITS.absoluteMs);
      this.remember(mark, { session: found.session, endsAt, checkedAt: now });
      return found.session;
    }
  }

  private remember(mark: string, known: Known): void {
    this.known.set(mark, known);
    this.markOf.set(known.session.id, mark);
    if (this.known.size <= CACHE_SIZE) return;
    const [oldest] = this.known;
    if (oldest !== undefined) this.drop(oldest[0], oldest[1].session.id);
  }

  private drop(mark: string, sessionId: string): void {
    this.known.delete(mark);
    this.markOf.delete(sessionId);
  }
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
