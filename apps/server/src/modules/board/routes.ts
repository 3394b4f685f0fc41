import * as wire from '@exchange/wire/board.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { presentAnnouncement, presentBanner } from './present.ts';
import type { Board } from './service.ts';

/** Returns the public HTTP endpoints that list the announcements and banners that visitors see now. */
export function boardRoutes(board: Board): readonly Route[] {
  return [
    route(wire.announcements, async (_, { locale }) => ({
      list: (await board.announcements()).map((entry) => presentAnnouncement(entry, locale)),
    })),
    route(wire.banners, async (_, { locale }) => ({
      list: (await board.banners()).map((entry) => presentBanner(entry, locale)),
    })),
  ];
}
