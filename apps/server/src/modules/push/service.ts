import { createHash, ECDH } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { PUSH_DEVICES_MAX, type PushKind } from '@exchange/core/push.ts';
import { isTimeZone } from '@exchange/core/recurring.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Session } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { isPushEndpoint } from '../../platform/outgoing/public-addresses.ts';
import { newId, type Random } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { deviceName } from '../../platform/session/device-name.ts';
import type { Identity } from '../identity/index.ts';
import type { Messages, PushChannel, PushedMessage } from '../messages/index.ts';
import { nextPushAt, type PushAddress, type PushDevice, type PushPreferences } from './domain.ts';
import type { PushRepository } from './repository.ts';
import { vapidKeys } from './vapid.ts';
import { foldedText } from './words/folded.ts';

/** Name of the job that sends the waiting messages of a device. */
export const SEND_JOB = 'push.send';
const SECRET_BYTES = 32;
const PURPOSE = 'push';

export interface PushParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly secret: ServerSecret;
  readonly repository: PushRepository;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly messages: Pick<Messages, 'isKind' | 'placeOf' | 'unreadCount' | 'words'>;
}

/** A browser's request to receive pushes; `token` is the secret with which its service worker reads texts. */
export interface Subscription extends PushAddress, PushPreferences {
  readonly token: string;
}

/** The use cases of pushes, and the delivery of messages to devices. */
export class Push implements PushChannel {
  private readonly parts: PushParts;

  constructor(parts: PushParts) {
    this.parts = parts;
  }

  /** The public key with which browsers subscribe, a P-256 point in base64url. */
  async publicKey(): Promise<string> {
    const { clock, database, secret } = this.parts;
    return (await vapidKeys(database, secret, clock.now())).publicKey;
  }

  /** The devices of a user whose sessions are live, newest first, at most `PUSH_DEVICES_MAX`. */
  devices(userId: UserId): Promise<PushDevice[]> {
    return this.parts.repository.devicesOf(userId, this.parts.clock.now());
  }

  /**
   * Subscribes a browser for the user of a session, or replaces the subscription of the user's browser with the same
   * endpoint. Refuses an endpoint that does not belong to a push service, an invalid key, an unknown time zone, a token
   * that another device has, and more devices than `PUSH_DEVICES_MAX`.
   */
  async subscribe(session: Session, subscription: Subscription, userAgent: string): Promise<PushDevice> {
    const { clock, database, random, repository, secret } = this.parts;
    const { endpoint, token } = subscription;
    requireAddress(subscription);
    requireTimeZone(subscription.timeZone);
    const now = clock.now();
    const endpointDigest = digestOf(endpoint);
    return database.transaction(async (tx) => {
      await repository.lock(tx, session.userId);
      const existing = await repository.byEndpoint(tx, session.userId, endpointDigest);
      const devices = await repository.devicesOf(session.userId, now, tx);
      const others = devices.filter(({ id }) => id !== existing?.id);
      if (others.length >= PUSH_DEVICES_MAX)
        throw new Refused(refusal('aboveMaximum', 'l.push_devices_max', { limit: String(PUSH_DEVICES_MAX) }));
      const id = existing?.id ?? newId(random, now);
      const isStored = await repository.insert(tx, {
        id,
        userId: session.userId,
        sessionId: session.id,
        endpointDigest,
        sealed: sealed(secret, id, subscription),
        tokenDigest: digestOf(token),
        kinds: subscription.kinds,
        timeZone: subscription.timeZone,
        quiet: subscription.quiet,
        name: deviceName(userAgent),
        createdAt: now,
      });
      if (!isStored) throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'token' }));
      const stored = await repository.byEndpoint(tx, session.userId, endpointDigest);
      if (stored === undefined) throw new Error('the device of a push endpoint was not stored');
      return stored;
    });
  }

  /**
   * Replaces the address of the device whose secret is `token`, after its browser has renewed its subscription. What
   * waits for the device is sent to the new address without waiting for the pause after failures. Refuses an endpoint
   * that does not belong to a push service and an invalid key, and with `l.not_found` an unknown token and one of an
   * ended session.
   */
  async renew(token: string, address: PushAddress): Promise<void> {
    const { clock, database, repository, secret } = this.parts;
    requireAddress(address);
    const now = clock.now();
    await database.transaction(async (tx) => {
      const device = await repository.byToken(digestOf(token), now, tx);
      if (device === undefined) throw new Refused(refusal('generic', 'l.not_found'));
      await repository.lock(tx, device.userId);
      await repository.replaceAddress(tx, device.id, {
        endpointDigest: digestOf(address.endpoint),
        sealed: sealed(secret, device.id, address),
      });
      await this.schedule(tx, device.id, nextPushAt({ ...device, retryAt: now }, now));
    });
  }

  /**
   * Removes a device whose endpoint the push service no longer serves, unless its browser has replaced that endpoint
   * since.
   */
  async removeEnded(id: string, endpoint: string): Promise<void> {
    await this.parts.repository.removeEndpoint(id, digestOf(endpoint));
  }

  /**
   * Changes the preferences of a user's device. Refuses an unknown time zone, and with `l.not_found` a device
   * of another user or of an ended session.
   */
  async change(userId: UserId, id: string, preferences: PushPreferences): Promise<PushDevice> {
    requireTimeZone(preferences.timeZone);
    const isFound = await this.parts.repository.change(userId, id, preferences);
    const device = isFound ? (await this.devices(userId)).find((other) => other.id === id) : undefined;
    if (device === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return device;
  }

  /** Removes a user's device. Returns the number of removed devices: 0 if the user has no such device. */
  remove(userId: UserId, id: string): Promise<number> {
    return this.parts.repository.remove(id, userId);
  }

  /**
   * The text of a message in its user's language, for the service worker that received the message's nonce. Refuses
   * with `l.not_found` an unknown token or nonce, a token of an ended session, a message that is too old, and one of
   * a kind that this version does not know.
   */
  async read(token: string, nonce: string) {
    const { clock, identity, messages, repository } = this.parts;
    const delivery = await repository.read(digestOf(token), digestOf(nonce), clock.now());
    const user = delivery && (await identity.findUser(delivery.userId));
    if (delivery === undefined || user === undefined || !messages.isKind(delivery.kind))
      throw new Refused(refusal('generic', 'l.not_found'));
    const message = { kind: delivery.kind, parameters: delivery.parameters };
    const { title, summary } = messages.words(user.locale, message);
    const { place, item } = messages.placeOf(message);
    return {
      id: delivery.messageId,
      title,
      body: delivery.folded === 0 ? summary : foldedText(user.locale, summary, delivery.folded),
      place,
      item,
      badge: await messages.unreadCount(user.id),
      time: delivery.createdAt,
    };
  }

  async wantedKinds(tx: Tx, users: readonly UserId[]): Promise<ReadonlyMap<UserId, ReadonlySet<PushKind>>> {
    const wanted = new Map<UserId, Set<PushKind>>();
    for (const { userId, kinds } of await this.devicesOfAll(tx, users)) {
      const kindsOfUser = wanted.get(userId) ?? new Set();
      for (const kind of kinds) kindsOfUser.add(kind);
      wanted.set(userId, kindsOfUser);
    }
    return wanted;
  }

  async enqueue(tx: Tx, messages: readonly PushedMessage[]): Promise<void> {
    const { clock, random, repository } = this.parts;
    const devices = await this.devicesOfAll(tx, [...new Set(messages.map(({ userId }) => userId))]);
    const now = clock.now();
    const ids = messages.flatMap(() => devices.map(() => newId(random, now))).toSorted();
    const deliveries = messages.flatMap(({ id: messageId, userId, message, pushKind }) =>
      devices
        .filter((device) => device.userId === userId && device.kinds.includes(pushKind))
        .map((device) => {
          const nonce = random.bytes(SECRET_BYTES).toString('base64url');
          return {
            id: ids.shift()!,
            device: device.id,
            messageId,
            nonce,
            nonceDigest: digestOf(nonce),
            kind: message.kind,
            parameters: message.parameters,
            createdAt: now,
          };
        }),
    );
    if (deliveries.length === 0) return;
    await repository.insertDeliveries(tx, deliveries);
    const addressed = new Set(deliveries.map(({ device }) => device));
    for (const device of devices)
      if (addressed.has(device.id)) await this.schedule(tx, device.id, nextPushAt(device, now));
  }

  /** Schedules a push to a device at the time `at`, or at once if `at` has passed. Takes effect when `tx` commits. */
  async schedule(tx: Tx, device: string, at: Instant): Promise<void> {
    const { clock, jobs } = this.parts;
    const key = `push:${device}`;
    await jobs.add(tx, SEND_JOB, { device }, at <= clock.now() ? { key } : { key, runAt: at });
  }

  /** Decrypts the address at which a device receives pushes. */
  addressOf(device: string, sealed: Buffer): PushAddress {
    const text = this.parts.secret.decrypt(PURPOSE, sealed, aboutDevice(device)).toString();
    return JSON.parse(text) as PushAddress;
  }

  private devicesOfAll(tx: Tx, users: readonly UserId[]): Promise<PushDevice[]> {
    return this.parts.repository.devicesOfAll(tx, users, this.parts.clock.now());
  }
}

/** Whether a text is a point of the curve P-256 in base64url, which is required to encrypt pushes. */
function isPublicKey(text: string): boolean {
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url', 'hex', 'uncompressed');
    return true;
  } catch {
    // The library throws for bytes that are no point of the curve, so these are no public key.
    return false;
  }
}

/** The SHA-256 digest that is stored for a token, nonce or endpoint. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Encrypts the address of a device, so that it can be decrypted only for the device `id`. */
function sealed(secret: ServerSecret, id: string, { endpoint, p256dh, auth }: PushAddress): Buffer {
  const text = JSON.stringify({ endpoint, p256dh, auth });
  return secret.encrypt(PURPOSE, Buffer.from(text), aboutDevice(id));
}

function requireAddress({ endpoint, p256dh }: PushAddress): void {
  if (!isPushEndpoint(endpoint))
    throw new Refused(refusal('invalidField', 'l.push_endpoint', { field: 'endpoint' }));
  if (!isPublicKey(p256dh))
    throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'p256dh' }));
}

function aboutDevice(id: string): string {
  return `device ${id}`;
}

function requireTimeZone(timeZone: string): void {
  if (isTimeZone(timeZone)) return;
  throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'timeZone', value: timeZone }));
}
