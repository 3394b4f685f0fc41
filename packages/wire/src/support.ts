import { SUPPORT_TEXT_MAX, SUPPORT_TOPICS } from '@exchange/core/support.ts';
import * as z from 'zod/mini';
import { keepCompatibilityForms } from './spelling.ts';
import { instantMs, text } from './codecs.ts';
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
  data: z.object({ id: z.string() }),
});

export const supportRequests = endpoint({
  path: '/support/page',
  summary: 'The caller’s requests to customer service, newest first, with the answers.',
  access: USER,
  charge: signedInRead(),
  fields: { ...pagingFields },
  data: pageOf(
    z.object({
      id: z.string(),
      topic: z.enum(SUPPORT_TOPICS),
      content: z.string(),
      /** State of the support request: 1 waiting, 2 answered, 3 closed without an answer. */
      status: z.union([z.literal(1), z.literal(2), z.literal(3)]),
      createTime: instantMs,
      answer: z.optional(z.string()),
      answerTime: z.optional(instantMs),
    }),
  ),
});
