import { MESSAGE_PLACES } from '@exchange/core/message-place.ts';
import { PUSH_DEVICES_MAX, PUSH_KINDS, type PushKind } from '@exchange/core/push.ts';
import * as z from 'zod/mini';
import { id, instantMs, text, whole } from './codecs.ts';
import { endpoint, sessionAlone, signedInRead, type Charge } from './endpoint.ts';

const change: Charge = { limit: 'transfer', weight: 1 };
const LONGEST_KINDS = PUSH_KINDS.join().length;
const LAST_MINUTE = 1_439;

/** Kinds of messages that cause pushes, separated by commas; empty for none. */
const kinds = z.pipe(
  z.string('l.field_required').check(
    z.maxLength(LONGEST_KINDS, 'l.field_too_long'),
    z.refine(
      (value) =>
        value === '' || value.split(',').every((kind) => (PUSH_KINDS as readonly string[]).includes(kind)),
      'l.field_choice',
    ),
  ),
  z.transform((value: string): readonly PushKind[] =>
    PUSH_KINDS.filter((kind) => value.split(',').includes(kind)),
  ),
);

/** Schema of a random value of 32 bytes as URL-safe Base64, such as the secret of a push subscription. */
const token = z.string('l.field_required').check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'l.field_invalid'));

const preferences = {
  kinds,
  /**
   * First minute of the quiet hours, as a minute of the day; `quietTo` is the first minute after them. Requests contain
   * both fields or neither.
   */
  quietFrom: z.optional(whole(0, LAST_MINUTE)),
  quietTo: z.optional(whole(0, LAST_MINUTE)),
  timeZone: text(64),
};

const pushDevice = z.object({
  id: z.string(),
  /** Name of the device's browser and operating system. */
  name: z.string(),
  kinds: z.array(z.enum(PUSH_KINDS)),
  /**
   * First minute of the quiet hours, as a minute of the day in `timeZone`; `quietTo` is the first minute after them.
   * Both are −1 if the device has no quiet hours.
   */
  quietFrom: z.int(),
  quietTo: z.int(),
  timeZone: z.string(),
  createTime: instantMs,
  /**
   * Time in milliseconds UTC of the last push that the push service accepted for the device; 0 if there was
   * none.
   */
  lastSentTime: z.int(),
});

/** Where a browser receives pushes, and the keys with which they are encrypted. */
const address = {
  endpoint: z
    .string('l.field_required')
    .check(z.minLength(1, 'l.field_required'), z.maxLength(1_000, 'l.field_too_long')),
  p256dh: z.string('l.field_required').check(z.regex(/^[A-Za-z0-9_-]{87}$/, 'l.field_invalid')),
  auth: z.string('l.field_required').check(z.regex(/^[A-Za-z0-9_-]{22}$/, 'l.field_invalid')),
};

export const pushDevices = endpoint({
  path: '/push/devices',
  summary:
    'The devices that receive pushes for the caller, newest first, and the key with which browsers subscribe (`publicKey`: a P-256 point in Base64 for URLs).',
  access: sessionAlone('reads'),
  charge: signedInRead(),
  fields: {},
  data: z.object({
    publicKey: z.string(),
    list: z.array(pushDevice).check(z.maxLength(PUSH_DEVICES_MAX)),
    limit: z.int(),
  }),
});

export const subscribePush = endpoint({
  path: '/push/subscribe',
  summary:
    'Subscribes the browser that has the push endpoint `endpoint` for the caller, or changes its subscription; whoever had that endpoint before no longer receives pushes there. `p256dh` and `auth` are the browser’s keys, `token` is a secret of its service worker, which reads the texts of pushes with it. The subscription ends with the session. Sending it again changes nothing.',
  access: {
    who: 'user',
    ownAccount: true,
    sessionAlone: 'personalises',
  },
  charge: change,
  fields: {
    ...address,
    token,
    ...preferences,
  },
  data: pushDevice,
});

export const renewPush = endpoint({
  path: '/push/renew',
  summary:
    'Replaces the push endpoint and the keys of a device, for the service worker whose browser has renewed its subscription: `token` is the secret of the subscription. What the device is notified of stays. Refused when the subscription or the session that made it has ended. Sending it again changes nothing.',
  access: { who: 'anyone' },
  charge: { limit: 'signIn', weight: 1 },
  fields: { token, ...address },
  data: z.object({}),
});

export const changePush = endpoint({
  path: '/push/change',
  summary: 'Changes what a device of the caller is notified of, and its quiet hours.',
  access: sessionAlone('personalises'),
  charge: change,
  fields: { id, ...preferences },
  data: pushDevice,
});

export const removePush = endpoint({
  path: '/push/remove',
  summary: 'Ends the pushes to a device of the caller. `count` is 0 if they had ended already.',
  access: sessionAlone('personalises'),
  charge: change,
  fields: { id },
  data: z.object({ count: z.int() }),
});

export const readPush = endpoint({
  path: '/push/read',
  summary:
    'The text of a push, for the service worker that received it: `nonce` is the content of the push, `token` the secret of the subscription. Refused when the subscription or the session that made it has ended.',
  access: { who: 'anyone' },
  charge: { limit: 'publicRead', weight: 1 },
  fields: { token, nonce: token },
  data: z.object({
    id: z.string(),
    title: z.string(),
    body: z.string(),
    place: z.enum(MESSAGE_PLACES),
    /**
     * The object to show on the screen `place`: the ID of an order or a position, or a pair; empty if the message is
     * about none.
     */
    item: z.string(),
    /** Number of the user's unread messages. */
    badge: z.int(),
    time: instantMs,
  }),
});
