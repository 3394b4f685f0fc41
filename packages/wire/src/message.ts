import * as z from 'zod/mini';
import { isUuid } from '@exchange/core/ids.ts';
import { MESSAGE_PLACES } from '@exchange/core/message-place.ts';
import { flag, flagNumber, id, instantMs, whole } from './codecs.ts';
import { endpoint, sessionAlone, signedInRead, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const change: Charge = { limit: 'transfer', weight: 1 };

/**
 * Topics for which users choose their notifications. A price alert is sent on a channel only if both the alert and the
 * topic allow the channel.
 */
export const NOTICE_TOPICS = [
  'account',
  'risk',
  'transfers',
  'fills',
  'products',
  'seconds',
  'alerts',
  'income',
  'rewards',
] as const;
export type NoticeTopic = (typeof NOTICE_TOPICS)[number];

/** Maximum number of message IDs in one request; a request that deletes all read messages has no limit. */
export const DELETE_MAX = 100;

/** Schema of 1 to `DELETE_MAX` message IDs, sent as text separated by commas; converted to a list. */
const ids = z.pipe(
  z.string('l.field_required').check(
    z.minLength(1, 'l.field_required'),
    z.maxLength(DELETE_MAX * 37 - 1, 'l.field_too_long'),
    z.refine((value) => value.split(',').every(isUuid), 'l.field_invalid'),
  ),
  z.transform((value: string) => value.split(',')),
);

/** Type of an inbox message: 1 system, 2 trade, 3 asset, 4 activity. */
const type = z.int();
const message = {
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  type,
  readFlag: flagNumber,
  createTime: instantMs,
};

export const messageCount = endpoint({
  path: '/index/getNoticeCount',
  summary: 'Number of unread messages, in total and by type; counted up to 1,000.',
  access: sessionAlone('reads'),
  charge: signedInRead(),
  fields: {},
  data: z.object({
    count: z.int(),
    byType: z.object({ 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int() }),
  }),
});

export const messagePage = endpoint({
  path: '/index/getNoticePage',
  summary: 'The inbox, newest first.',
  access: sessionAlone('reads'),
  charge: signedInRead(),
  fields: { type: z.optional(whole(1, 4)), readFlag: z.optional(flag), ...pagingFields },
  data: pageOf(z.object(message)),
});

export const messageDetail = endpoint({
  path: '/index/getNoticeDetail',
  summary: 'One message; the call marks it as read.',
  access: sessionAlone('personalises'),
  // A request for one message counts as a change for the rate limit, because it marks the message as read.
  charge: { limit: 'lightChange', weight: 1 },
  fields: { id },
  data: z.object({
    ...message,
    content: z.string(),
    place: z.enum(MESSAGE_PLACES),
    /**
     * The object that the message links to: the ID of an order (spot, finance, mining) or of a position (seconds
     * contract), or a pair such as `BTC_USDT`; empty if there is no such object.
     */
    item: z.string(),
  }),
});

export const readMessages = endpoint({
  path: '/index/readNotice',
  summary: 'Marks one message as read, or all.',
  access: sessionAlone('personalises'),
  charge: change,
  fields: { id: z.optional(id), all: z.optional(flag) },
  data: z.object({ count: z.int() }),
});

export const deleteMessages = endpoint({
  path: '/index/deleteNotice',
  summary: 'Deletes messages by id, or all that are read. Unknown ids are ignored.',
  access: sessionAlone('personalises'),
  charge: change,
  fields: { ids: z.optional(ids), all: z.optional(flag) },
  /** Number of the user's unread messages after the deletion. */
  data: z.object({ count: z.int() }),
});

const setting = z.object({
  topic: z.enum(NOTICE_TOPICS),
  inbox: flagNumber,
  mail: flagNumber,
  /** 1 if the user cannot switch the inbox for the topic on or off, otherwise 0; `mailFixed` says this for mails. */
  inboxFixed: flagNumber,
  mailFixed: flagNumber,
});

export const messageSettings = endpoint({
  path: '/index/getNoticeSetting',
  summary: 'The caller’s notification settings for inbox and mail.',
  access: sessionAlone('reads'),
  charge: signedInRead(),
  fields: {},
  data: z.object({ list: z.array(setting) }),
});

export const setMessageSetting = endpoint({
  path: '/index/setNoticeSetting',
  summary: 'Sets the notification channels of a topic; omitted fields stay unchanged.',
  access: sessionAlone('personalises'),
  charge: change,
  fields: { topic: z.enum(NOTICE_TOPICS, 'l.field_choice'), inbox: z.optional(flag), mail: z.optional(flag) },
  data: setting,
});
