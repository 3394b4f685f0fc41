import * as wire from '@exchange/wire/support.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import { mapPage, pageAnswer, type Route, route, submissionRoute } from '../../platform/http/route.ts';
import type { Support } from './service.ts';

/** The calls of wire/support and the use cases that serve them. */
export function supportRoutes(support: Support, demoTexts: DemoTexts): readonly Route[] {
  return [
    route(wire.supportChat, async (_, caller) => ({ url: await support.chatUrl(caller) })),
    submissionRoute(wire.askSupport, {
      operation: 'support.ask',
      serve: (fields, caller) => support.ask(caller, fields),
    }),
    route(wire.supportRequests, async (page, { session, locale }) => {
      const found = await support.mine(session.userId, page);
      const read = (text: string) => demoTexts.read(session.userId, text, locale);
      const rows = mapPage(found, ({ id, topic, content, status, createdAt, answer, decidedAt }) => ({
        id,
        topic,
        content: read(content),
        status,
        createTime: createdAt,
        ...(status === 2 && { answer: read(answer), answerTime: decidedAt! }),
      }));
      return pageAnswer(rows, page);
    }),
  ];
}
