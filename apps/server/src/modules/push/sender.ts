import { later } from '@exchange/core/time.ts';
import type { RequestDetails } from 'web-push';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { NotPublic } from '../../platform/outgoing/public-addresses.ts';
import type { PushAnswer, PushTransport } from '../../platform/outgoing/push-transport.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import {
  DELIVERY_LIFE_MS,
  FAILURES_MAX,
  nextPushAt,
  outcomeOf,
  pauseAfter,
  type Delivery,
  type PushDevice,
} from './domain.ts';
import type { PushRepository } from './repository.ts';
import type { Push } from './service.ts';
import { vapidKeys } from './vapid.ts';

export interface PushSenderParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly secret: ServerSecret;
  readonly repository: PushRepository;
  readonly push: Pick<Push, 'addressOf' | 'removeEnded' | 'schedule'>;
  readonly transport: PushTransport;
  /** Contact of the exchange that push services receive with each push, a `https:` or `mailto:` URL. */
  readonly contact: string;
  readonly sent: { add(amount?: number): void };
  readonly failed: { add(amount?: number): void };
}

/**
 * Sends the messages that wait for devices. A push contains only a nonce, with which the device's service worker reads
 * the text. An attempt with an unknown outcome is repeated, with the same nonce unless a newer message waits; a device
 * shows a message id only once.
 */
export class PushSender {
  private readonly parts: PushSenderParts;
  private readonly devices = new OnePerKey();

  constructor(parts: PushSenderParts) {
    this.parts = parts;
  }

  /**
   * Sends the messages that wait for a device as one push; if the device must not receive one yet, schedules it for the
   * earliest permitted time. Removes a device whose session has ended. Concurrent calls for one device run one after
   * another.
   */
  send(id: string): Promise<void> {
    return this.devices.run(id, () => this.sendAlone(id));
  }

  private async sendAlone(id: string): Promise<void> {
    const { clock, database, push, repository } = this.parts;
    const now = clock.now();
    const found = await repository.device(id, now);
    if (found === undefined) {
      await repository.remove(id);
      return;
    }
    const { device, sealed } = found;
    const at = nextPushAt(device, now);
    if (at > now) {
      await database.transaction((tx) => push.schedule(tx, id, at));
      return;
    }
    const delivery = await database.transaction((tx) => repository.fold(tx, id, now));
    if (delivery === undefined) return;
    await this.deliver(device, sealed, delivery);
  }

  private async deliver(device: PushDevice, sealed: Buffer, delivery: Delivery): Promise<void> {
    const { clock, database, log, push, repository } = this.parts;
    const details = await this.encrypted(device.id, sealed, delivery);
    const { host } = new URL(details.endpoint);
    let answer: PushAnswer | undefined;
    try {
      answer = await this.parts.transport.send(details);
    } catch (cause) {
      if (isNotPublic(cause)) {
        log.warn('push.not_public', { host });
        await push.removeEnded(device.id, details.endpoint);
        return;
      }
      return this.fail(device, { host, cause });
    }
    const { status, retryAfterSeconds } = answer;
    const outcome = outcomeOf(status);
    if (outcome === 'gone') {
      await push.removeEnded(device.id, details.endpoint);
      return;
    }
    if (outcome === 'retry') return this.fail(device, { host, status, retryAfterSeconds });
    if (outcome === 'refused') {
      this.parts.failed.add();
      log.warn('push.refused', { host, status });
      await database.transaction((tx) => repository.giveUp(tx, delivery.id));
      return;
    }
    this.parts.sent.add();
    await database.transaction((tx) => repository.markSent(tx, device.id, delivery.id, clock.now()));
  }

  /**
   * Schedules the push again after a pause, or removes the device if that was its `FAILURES_MAX`th failure in a row.
   */
  private async fail(
    device: PushDevice,
    failure: {
      readonly host: string;
      readonly status?: number;
      readonly retryAfterSeconds?: number | undefined;
      readonly cause?: unknown;
    },
  ): Promise<void> {
    const { clock, database, log, push, repository } = this.parts;
    const failures = device.failures + 1;
    this.parts.failed.add();
    log.warn('push.not_sent', { host: failure.host, status: failure.status, failures, cause: failure.cause });
    if (failures >= FAILURES_MAX) {
      await repository.remove(device.id);
      return;
    }
    const retryAt = later(clock.now(), pauseAfter(failures, failure.retryAfterSeconds));
    await database.transaction(async (tx) => {
      await repository.markFailed(tx, device.id, failures, retryAt);
      await push.schedule(tx, device.id, retryAt);
    });
  }

  private async encrypted(device: string, sealed: Buffer, delivery: Delivery): Promise<RequestDetails> {
    const { clock, contact, database, push, secret } = this.parts;
    const { endpoint, p256dh, auth } = push.addressOf(device, sealed);
    const { publicKey, privateKey } = await vapidKeys(database, secret, clock.now());
    const { default: webPush } = await import('web-push');
    return webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify({ nonce: delivery.nonce }),
      {
        vapidDetails: { subject: contact, publicKey, privateKey },
        TTL: DELIVERY_LIFE_MS / 1_000,
        urgency: 'high',
        contentEncoding: 'aes128gcm',
      },
    );
  }
}

function isNotPublic(cause: unknown): boolean {
  return cause instanceof NotPublic || (cause instanceof Error && cause.cause instanceof NotPublic);
}
