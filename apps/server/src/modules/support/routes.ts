import * as wire from '@exchange/wire/support.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import { mapPage, pageAnswer, type Route, route, submissionRoute } from '../../platform/http/route.ts';
import type { Support } from './service.ts';

/** Returns the handlers of the support endpoints that `wire/support` declares. */
export function supportRoutes(support: Support, demoTexts: DemoTexts): readonly Route[] {
  return [
    route(wire.supportChat, async (_, caller) => ({ url: await support.chatUrl(caller) })),
    submissionRoute(wire.askSupport, {
      operation: 'support.ask',
      serve: (fields, caller) => support.submit(caller, fields),
    }),
    route(wire.supportRequests, async (page, { session, locale }) => {
      const requests = await support.requestsOfUser(session.userId, page);
      const localised = (text: string) => demoTexts.read(session.userId, text, locale);
      const rows = mapPage(requests, ({ request, summary, canReply }) => ({
        id: request.id,
        number: request.number,
        about: request.about?.kind,
        aboutId: request.about?.id,
        topic: request.topic,
        content: localised(request.content),
        status: request.status,
        messages: 1 + (summary?.count ?? 0),
        canReply: canReply ? (1 as const) : (0 as const),
        createTime: request.createdAt,
        answer: summary?.lastAnswer === undefined ? undefined : localised(summary.lastAnswer),
        answerTime: summary?.answeredAt,
      }));
      return pageAnswer(rows, page);
    }),
    route(wire.supportThread, async ({ id }, { session, locale }) => {
      const { request, messages, canReply } = await support.threadOf(session.userId, id);
      return {
        number: request.number,
        status: request.status,
        canReply: canReply ? (1 as const) : (0 as const),
        list: messages.map(({ number, author, content, at }) => ({
          place: number,
          isOwn: author === 'customer' ? (1 as const) : (0 as const),
          content: demoTexts.read(session.userId, content, locale),
          createTime: at,
        })),
      };
    }),
    submissionRoute(wire.replySupport, {
      operation: 'support.reply',
      serve: ({ id, content }, { session, submission }) =>
        support.reply(session.userId, id, { content, submission }),
    }),
  ];
}
