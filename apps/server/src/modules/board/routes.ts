import { textIn } from '@exchange/core/locale.ts';
import * as wire from '@exchange/wire/board.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Board } from './service.ts';

/** The calls of wire/board and the use cases that serve them. */
export function boardRoutes(board: Board): readonly Route[] {
  return [
    route(wire.announcements, async (_, { locale }) => ({
      list: (await board.announcements()).map(({ code, version, body, fromAt }) => ({
        ...{ code, version, topic: body.topic ?? 'notice', publishTime: fromAt },
        ...{ title: textIn(body.title, locale), content: textIn(body.content, locale) },
      })),
    })),
    route(wire.banners, async (_, { locale }) => ({
      list: (await board.banners()).map(({ code, version, body }) => ({
        ...{ code, version, picture: body.picture ?? 'none', link: body.link ?? '' },
        ...{ title: textIn(body.title, locale), content: textIn(body.content, locale) },
      })),
    })),
  ];
}
