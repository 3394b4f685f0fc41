import type { UserId } from '@exchange/core/ids.ts';
import { PUSH_DEVICES_MAX, PUSH_KINDS, type PushKind } from '@exchange/core/push.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import { oldestDelivery, type PushDevice, type PushPreferences } from './domain.ts';
import type { PushTables } from './tables.ts';

/** A device to store. */
export interface NewDevice extends PushPreferences {
  readonly id: string;
  readonly userId: UserId;
  readonly sessionId: string;
  readonly endpointDigest: Buffer;
  /** The encrypted `PushAddress` of the device. */
  readonly sealed: Buffer;
  readonly tokenDigest: Buffer;
  readonly name: string;
  readonly createdAt: Instant;
}

/** A message to store for a device. */
export interface NewDelivery {
  readonly id: string;
  readonly device: string;
  readonly messageId: string;
  readonly nonce: string;
  readonly nonceDigest: Buffer;
  readonly kind: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly createdAt: Instant;
}

/** A message for a device, as the device's service worker reads it. */
export interface ReadDelivery {
  readonly messageId: string;
  readonly userId: UserId;
  readonly kind: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Number of older messages that are combined in this one. */
  readonly folded: number;
  readonly createdAt: Instant;
}

/** Access to devices and to the messages that wait for them. */
export class PushRepository {
  private readonly database: Store;
  private readonly store: Kysely<PushTables>;
  private readonly isLive: (now: Instant) => RawBuilder<boolean>;

  /** `isLive` returns an SQL condition on rows of `user_session`: whether a session is live at an instant. */
  constructor(database: Store, isLive: (now: Instant) => RawBuilder<boolean>) {
    this.database = database;
    this.isLive = isLive;
    this.store = database.withTables<PushTables>();
  }

  /** The devices of a user whose sessions are live, newest first, at most `PUSH_DEVICES_MAX`. */
  async devicesOf(userId: UserId, now: Instant, reader: Reader = this.database): Promise<PushDevice[]> {
    const rows = await this.liveDevices(reader, now)
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(PUSH_DEVICES_MAX)
      .execute();
    return rows.map(deviceOf);
  }

  /** The devices of several users, in no order; only devices whose sessions are live. */
  async devicesOfAll(tx: Tx, users: readonly UserId[], now: Instant): Promise<PushDevice[]> {
    const rows = await this.liveDevices(tx, now).where('user_id', 'in', users).execute();
    return rows.map(deviceOf);
  }

  /** A device with its encrypted address; undefined if no device has this id or its session has ended. */
  async device(id: string, now: Instant): Promise<{ device: PushDevice; sealed: Buffer } | undefined> {
    const row = await this.liveDevices(this.database, now).where('id', '=', id).executeTakeFirst();
    return row && { device: deviceOf(row), sealed: row.sealed };
  }

  /**
   * Takes a lock on the user's devices that is held until the transaction ends, so that concurrent changes do not
   * exceed the limit of devices.
   */
  async lock(tx: Tx, userId: UserId): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`push ${userId}`}, 0))`.execute(tx);
  }

  /**
   * The user's device with the endpoint of this digest, even if its session has ended; undefined if the user
   * has none.
   */
  async byEndpoint(tx: Tx, userId: UserId, endpointDigest: Buffer): Promise<PushDevice | undefined> {
    const row = await tx
      .withTables<PushTables>()
      .selectFrom('push_subscription')
      .selectAll()
      .where('endpoint_digest', '=', endpointDigest)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row && deviceOf(row);
  }

  /** The device with this digest of its token; undefined if there is none or its session has ended. */
  async byToken(
    tokenDigest: Buffer,
    now: Instant,
    reader: Reader | Tx = this.database,
  ): Promise<PushDevice | undefined> {
    const row = await this.liveDevices(reader, now)
      .where('token_digest', '=', tokenDigest)
      .executeTakeFirst();
    return row && deviceOf(row);
  }

  /**
   * Replaces the address of a device, resets its failures and its pause after them, and deletes other devices with the
   * new endpoint.
   */
  async replaceAddress(
    tx: Tx,
    id: string,
    { endpointDigest, sealed }: Pick<NewDevice, 'endpointDigest' | 'sealed'>,
  ): Promise<void> {
    const db = tx.withTables<PushTables>();
    await this.removeOthers(tx, { id, endpointDigest });
    await db
      .updateTable('push_subscription')
      .set({ endpoint_digest: endpointDigest, sealed, failures: 0, retry_at: 0n })
      .where('id', '=', id)
      .execute();
  }

  /**
   * Stores a device, or replaces the data of the one with its id, and deletes other devices with its endpoint. Returns
   * false, without storing it, if another device has its token.
   */
  async insert(tx: Tx, device: NewDevice): Promise<boolean> {
    const db = tx.withTables<PushTables>();
    await this.removeOthers(tx, device);
    const changes = {
      session_id: device.sessionId,
      sealed: device.sealed,
      token_digest: device.tokenDigest,
      device: device.name,
      kinds: [...device.kinds],
      quiet_from: device.quiet?.from ?? null,
      quiet_to: device.quiet?.to ?? null,
      time_zone: device.timeZone,
    };
    const hasToken = await db
      .selectFrom('push_subscription')
      .select('id')
      .where('token_digest', '=', device.tokenDigest)
      .where('id', '<>', device.id)
      .executeTakeFirst();
    if (hasToken !== undefined) return false;
    await db
      .insertInto('push_subscription')
      .values({
        id: device.id,
        user_id: device.userId,
        session_id: device.sessionId,
        endpoint_digest: device.endpointDigest,
        sealed: device.sealed,
        token_digest: device.tokenDigest,
        device: device.name,
        kinds: [...device.kinds],
        quiet_from: device.quiet?.from ?? null,
        quiet_to: device.quiet?.to ?? null,
        time_zone: device.timeZone,
        created_at: BigInt(device.createdAt),
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
      .execute();
    return true;
  }

  /** Changes the preferences of a user's device. Returns false if the device is not the user's. */
  async change(userId: UserId, id: string, preferences: PushPreferences): Promise<boolean> {
    const { kinds, quiet, timeZone } = preferences;
    const row = await this.store
      .updateTable('push_subscription')
      .set({
        kinds: [...kinds],
        quiet_from: quiet?.from ?? null,
        quiet_to: quiet?.to ?? null,
        time_zone: timeZone,
      })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Removes a device with its messages; with `userId` only if the device belongs to that user. Returns the
   * number of removed devices.
   */
  async remove(id: string, userId?: UserId): Promise<number> {
    let query = this.store.deleteFrom('push_subscription').where('id', '=', id);
    if (userId !== undefined) query = query.where('user_id', '=', userId);
    return Number((await query.executeTakeFirst()).numDeletedRows);
  }

  /** Deletes a device, unless its address has been replaced by one with another endpoint. */
  async removeEndpoint(id: string, endpointDigest: Buffer): Promise<void> {
    await this.store
      .deleteFrom('push_subscription')
      .where('id', '=', id)
      .where('endpoint_digest', '=', endpointDigest)
      .execute();
  }

  async removeOfSession(sessionId: string): Promise<void> {
    await this.store.deleteFrom('push_subscription').where('session_id', '=', sessionId).execute();
  }

  async insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
    await tx
      .withTables<PushTables>()
      .insertInto('push_delivery')
      .values(
        deliveries.map((delivery) => ({
          id: delivery.id,
          subscription_id: delivery.device,
          message_id: delivery.messageId,
          nonce_digest: delivery.nonceDigest,
          nonce: delivery.nonce,
          kind: delivery.kind,
          parameters: JSON.stringify(delivery.parameters),
          created_at: BigInt(delivery.createdAt),
          sent_at: null,
        })),
      )
      .onConflict((conflict) => conflict.columns(['subscription_id', 'message_id']).doNothing())
      .execute();
  }

  /**
   * Combines the messages that wait for a device in the newest one; the older ones are not sent any more. Returns the
   * id and nonce of the newest one; undefined if no message waits.
   */
  async fold(tx: Tx, device: string, now: Instant): Promise<{ id: string; nonce: string } | undefined> {
    const db = tx.withTables<PushTables>();
    const rows = await db
      .selectFrom('push_delivery')
      .select(['id', 'nonce', 'folded'])
      .where('subscription_id', '=', device)
      .where('nonce', 'is not', null)
      .where('created_at', '>', BigInt(oldestDelivery(now)))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .forUpdate()
      .execute();
    const [newest, ...older] = rows;
    if (newest === undefined || newest.nonce === null) return undefined;
    if (older.length > 0) {
      const folded = older.reduce((sum, row) => sum + row.folded, newest.folded + older.length);
      await db
        .updateTable('push_delivery')
        .set({ nonce: null })
        .where('subscription_id', '=', device)
        .where('nonce', 'is not', null)
        .where('id', '<>', newest.id)
        .execute();
      await db.updateTable('push_delivery').set({ folded }).where('id', '=', newest.id).execute();
    }
    return { id: newest.id, nonce: newest.nonce };
  }

  /**
   * Records that a push service accepted a message: the message no longer waits, and the device's failures
   * and its pause after them are reset.
   */
  async markSent(tx: Tx, device: string, delivery: string, now: Instant): Promise<void> {
    const db = tx.withTables<PushTables>();
    await db
      .updateTable('push_delivery')
      .set({ nonce: null, sent_at: BigInt(now) })
      .where('id', '=', delivery)
      .execute();
    await db
      .updateTable('push_subscription')
      .set({ last_sent_at: BigInt(now), failures: 0, retry_at: 0n })
      .where('id', '=', device)
      .execute();
  }

  /**
   * Stores how many pushes to a device have failed in a row, and the time before which none is sent to it.
   */
  async markFailed(tx: Tx, device: string, failures: number, retryAt: Instant): Promise<void> {
    await tx
      .withTables<PushTables>()
      .updateTable('push_subscription')
      .set({ failures, retry_at: BigInt(retryAt) })
      .where('id', '=', device)
      .execute();
  }

  /** Marks a message as refused by the push service, so that it is not sent again. */
  async giveUp(tx: Tx, delivery: string): Promise<void> {
    await tx
      .withTables<PushTables>()
      .updateTable('push_delivery')
      .set({ nonce: null })
      .where('id', '=', delivery)
      .execute();
  }

  /**
   * A message by the digests of its device's token and of its nonce; undefined if either is unknown, the message is
   * older than `DELIVERY_LIFE_MS`, or the device's session has ended.
   */
  async read(tokenDigest: Buffer, nonceDigest: Buffer, now: Instant): Promise<ReadDelivery | undefined> {
    const device = await this.byToken(tokenDigest, now);
    if (device === undefined) return undefined;
    const row = await this.store
      .selectFrom('push_delivery')
      .selectAll()
      .where('nonce_digest', '=', nonceDigest)
      .where('subscription_id', '=', device.id)
      .where('created_at', '>', BigInt(oldestDelivery(now)))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      messageId: row.message_id,
      userId: device.userId,
      kind: row.kind,
      parameters: row.parameters as Readonly<Record<string, string>>,
      folded: row.folded,
      createdAt: instant(Number(row.created_at)),
    };
  }

  /** Deletes messages that are older than `DELIVERY_LIFE_MS`, and devices whose sessions have ended. */
  async cleanUp(now: Instant): Promise<void> {
    await this.store
      .deleteFrom('push_delivery')
      .where('created_at', '<=', BigInt(oldestDelivery(now)))
      .execute();
    await this.store
      .deleteFrom('push_subscription')
      .where((builder) => builder.not(this.hasLiveSession(now)))
      .execute();
  }

  /** Deletes other devices with a device's endpoint, because an endpoint belongs to one device. */
  private async removeOthers(
    tx: Tx,
    { id, endpointDigest }: Pick<NewDevice, 'endpointDigest' | 'id'>,
  ): Promise<void> {
    await tx
      .withTables<PushTables>()
      .deleteFrom('push_subscription')
      .where('endpoint_digest', '=', endpointDigest)
      .where('id', '<>', id)
      .execute();
  }

  private liveDevices(reader: Reader | Tx, now: Instant) {
    return reader
      .withTables<PushTables>()
      .selectFrom('push_subscription')
      .selectAll()
      .where(this.hasLiveSession(now));
  }

  private hasLiveSession(now: Instant) {
    return sql<boolean>`exists (
      select 1 from user_session where user_session.id = push_subscription.session_id and ${this.isLive(now)}
    )`;
  }
}

function deviceOf(row: Selectable<PushTables['push_subscription']>): PushDevice {
  const { quiet_from: from, quiet_to: to } = row;
  return {
    id: row.id,
    userId: row.user_id as UserId,
    sessionId: row.session_id,
    name: row.device,
    kinds: PUSH_KINDS.filter((kind: PushKind) => row.kinds.includes(kind)),
    timeZone: row.time_zone,
    quiet: from === null || to === null ? undefined : { from, to },
    createdAt: instant(Number(row.created_at)),
    lastSentAt: instant(Number(row.last_sent_at)),
    failures: row.failures,
    retryAt: instant(Number(row.retry_at)),
  };
}
