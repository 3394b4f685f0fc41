import * as wire from '@exchange/wire/support.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import { mapPage, pageAnswer, type Route, route, submissionRoute } from '../../platform/http/route.ts';
import type { Support } from './service.ts';

/** Routes of wire/support. */
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
      const rows = mapPage(
        requests,
        ({ id, number, topic, content, status, createdAt, answer, decidedAt, about }) => ({
          id,
          number,
          about: about?.kind,
          aboutId: about?.id,
          topic,
          content: localised(content),
          status,
          createTime: createdAt,
          ...(status === 2 && { answer: localised(answer), answerTime: decidedAt! }),
        }),
      );
      return pageAnswer(rows, page);
    }),
  ];
}
