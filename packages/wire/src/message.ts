import * as z from 'zod/mini';
import { flag, flagNumber, id, instantMs, whole } from './codecs.ts';
import { endpoint, USER, signedInRead, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const change: Charge = { limit: 'transfer', weight: 1 };

/** 1 system, 2 trade, 3 asset, 4 activity. */
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
  summary: 'How many messages are unread.',
  access: USER,
  charge: signedInRead(),
  fields: {},
  data: z.object({ count: z.int() }),
});

export const messagePage = endpoint({
  path: '/index/getNoticePage',
  summary: 'The inbox, newest first.',
  access: USER,
  charge: signedInRead(),
  fields: { type: z.optional(whole(1, 4)), readFlag: z.optional(flag), ...pagingFields },
  data: pageOf(z.object(message)),
});

export const messageDetail = endpoint({
  path: '/index/getNoticeDetail',
  summary: 'One message; reading it marks it read.',
  access: USER,
  charge: signedInRead(),
  fields: { id },
  /** `orderId`: the order that the message is about; empty where it is about none. */
  data: z.object({ ...message, content: z.string(), orderId: z.string() }),
});

export const readMessages = endpoint({
  path: '/index/readNotice',
  summary: 'Marks one message read, or all of them.',
  access: USER,
  charge: change,
  fields: { id: z.optional(id), all: z.optional(flag) },
  data: z.object({ count: z.int() }),
});
