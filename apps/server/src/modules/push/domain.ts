import type { UserId } from '@exchange/core/ids.ts';
import type { PushKind, QuietHours } from '@exchange/core/push.ts';
import { quietUntil } from '@exchange/core/push.ts';
import { DAY_MS, HOUR_MS, instant, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/** Milliseconds for which a message can wait for a device and for which its text can be read. */
export const DELIVERY_LIFE_MS = DAY_MS;
/**
 * Minimum milliseconds between two pushes to a device; the messages that arrive before that are sent as one push
 * afterwards.
 */
export const PUSH_GAP_MS = 5 * SECOND_MS;
/** A device whose pushes have failed this often in a row is removed. */
export const FAILURES_MAX = 40;
const FIRST_PAUSE_MS = 5 * SECOND_MS;
const LONGEST_PAUSE_MS = HOUR_MS;

/** The URL at which a browser receives pushes, and the keys with which they are encrypted. */
export interface PushAddress {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** The kinds of messages that a device receives, and the hours in which it receives none. */
export interface PushPreferences {
  readonly kinds: readonly PushKind[];
  readonly timeZone: string;
  /**
   * Start and end of the quiet hours in minutes after midnight in `timeZone`; undefined without quiet hours.
   */
  readonly quiet: Pick<QuietHours, 'from' | 'to'> | undefined;
}

/** A browser that receives pushes for a user. */
export interface PushDevice extends PushPreferences {
  readonly id: string;
  readonly userId: UserId;
  readonly sessionId: string;
  readonly name: string;
  readonly createdAt: Instant;
  /** Time of the last push that the push service accepted; 0 if there was none. */
  readonly lastSentAt: Instant;
  /**
   * Failed attempts in a row since the push service last accepted a push, or since the device's address was replaced.
   */
  readonly failures: number;
  /** Time before which nothing is sent to the device. */
  readonly retryAt: Instant;
}

/** The id of a message that waits for a device, and the nonce with which the device reads its text. */
export interface Delivery {
  readonly id: string;
  readonly nonce: string;
}

/**
 * The earliest time from `now` on at which a push to a device may be sent: at least `PUSH_GAP_MS` after the last push,
 * at or after `retryAt`, and outside the quiet hours.
 */
export function nextPushAt(
  { timeZone, quiet, lastSentAt, retryAt }: Pick<PushDevice, 'lastSentAt' | 'quiet' | 'retryAt' | 'timeZone'>,
  now: Instant,
): Instant {
  const soonest = instant(Math.max(now, lastSentAt + PUSH_GAP_MS, retryAt));
  if (quiet === undefined) return soonest;
  return quietUntil({ from: quiet.from, to: quiet.to, timeZone }, soonest) ?? soonest;
}

/**
 * The pause in milliseconds after the `failures`th failed attempt in a row. It begins at 5 seconds and doubles each
 * time, up to an hour; a push service can request a longer pause of up to a day.
 */
export function pauseAfter(failures: number, retryAfterSeconds: number | undefined): number {
  const growing = FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20);
  const requested = Math.min((retryAfterSeconds ?? 0) * SECOND_MS, DELIVERY_LIFE_MS);
  return Math.max(Math.min(growing, LONGEST_PAUSE_MS), requested);
}

/**
 * The outcome of a push by the HTTP status of the push service's answer: `sent` (2xx) means that the push
 * was accepted, `gone` (404, 410) that the subscription has ended, `retry` (429 and 5xx) that the push is
 * repeated later, `refused` (any other) that it never is.
 */
export function outcomeOf(status: number): 'gone' | 'refused' | 'retry' | 'sent' {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'retry' : 'refused';
}

/**
 * The time `DELIVERY_LIFE_MS` before `now`; messages that were created at or before it are no longer sent or
 * read.
 */
export function oldestDelivery(now: Instant): Instant {
  return later(now, -DELIVERY_LIFE_MS);
}
