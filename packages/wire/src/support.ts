import { SUPPORT_REPLY_DAYS, SUPPORT_TEXT_MAX, SUPPORT_TOPICS } from '@exchange/core/support.ts';
import * as z from 'zod/mini';
import { TRANSFER_KINDS } from '@exchange/core/tracking.ts';
import { keepCompatibilityForms } from './spelling.ts';
import { flagNumber, id, instantMs, text } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

export const supportChat = endpoint({
  method: 'GET',
  path: '/support/getChat',
  summary:
    'The URL of the live chat; empty if there is none. For a signed-in user it contains the uid, signed for five minutes, and never the session.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({ url: z.string() }),
});

/** `status` of a support request: 1 waiting for a reply, 2 answered, 3 closed. */
export const ticketStatus = z.union([z.literal(1), z.literal(2), z.literal(3)]);

export const askSupport = endpoint({
  path: '/support/submit',
  summary:
    'Sends a request to customer service. Visitors must give an email address for the answer; for users the account’s address is used. At most five an hour.',
  access: ANYONE,
  charge: { limit: 'mail', weight: 1 },
  idempotent: true,
  fields: {
    topic: z.enum(SUPPORT_TOPICS, 'l.field_choice'),
    content: keepCompatibilityForms(text(SUPPORT_TEXT_MAX)),
    email: z.optional(text(254)),
  },
  data: z.object({ id: z.string(), number: z.int() }),
});

export const supportRequests = endpoint({
  path: '/support/page',
  summary: 'The caller’s requests to customer service, newest first, each with its latest answer.',
  access: USER,
  charge: signedInRead(),
  fields: { ...pagingFields },
  data: pageOf(
    z.object({
      id: z.string(),
      /** Number by which customer service refers to the support request. */
      number: z.int(),
      /**
       * Whether the support request is about a deposit or a withdrawal; absent if it is about neither. `aboutId` is the
       * ID of that transfer.
       */
      about: z.optional(z.enum(TRANSFER_KINDS)),
      aboutId: z.optional(z.string()),
      topic: z.enum(SUPPORT_TOPICS),
      content: z.string(),
      status: ticketStatus,
      /** Number of messages of the support request, including its first text. */
      messages: z.int(),
      /**
       * 1 if the user can reply: the support request waits for an answer or was answered at most 30 days ago, and the
       * conversation has less than the maximum number of messages; otherwise 0.
       */
      canReply: flagNumber,
      createTime: instantMs,
      /** The latest reply of customer service; absent if there is none. */
      answer: z.optional(z.string()),
      answerTime: z.optional(instantMs),
    }),
  ),
});

export const supportThread = endpoint({
  path: '/support/getThread',
  summary: 'The conversation about one of the caller’s requests, oldest first, beginning with the request.',
  access: USER,
  charge: signedInRead(2),
  fields: { id },
  data: z.object({
    number: z.int(),
    status: ticketStatus,
    /**
     * 1 if the user can reply: the support request waits for an answer or was answered at most 30 days ago, and the
     * conversation has less than the maximum number of messages; otherwise 0.
     */
    canReply: flagNumber,
    list: z.array(
      z.object({
        /** Number of the message within the support request; 0 for its first text. */
        place: z.int(),
        /** 1 if the message is the caller’s, 0 if it is from customer service. */
        isOwn: flagNumber,
        content: z.string(),
        createTime: instantMs,
      }),
    ),
  }),
});

export const replySupport = endpoint({
  path: '/support/reply',
  summary: `Adds a message to one of the caller’s requests, which then waits for an answer again. Possible while it waits, and for ${SUPPORT_REPLY_DAYS} days after an answer. At most five an hour.`,
  access: USER,
  charge: { limit: 'mail', weight: 1 },
  idempotent: true,
  fields: { id, content: keepCompatibilityForms(text(SUPPORT_TEXT_MAX)) },
  data: z.object({}),
});
