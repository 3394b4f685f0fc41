import { instant } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/stamps.ts';
import { mapPage, pageAnswer, type Route, route } from '../../platform/http/route.ts';
import { presentStamp, presentStampFile } from './present.ts';
import type { Stamps } from './service.ts';

/**
 * Returns the handlers of the endpoints that `wire/stamps` declares for the exchange's time stamps from
 * outside; all can be called without signing in.
 */
export function stampRoutes(stamps: Stamps): Route[] {
  return [
    route(wire.stamps, async (page) => pageAnswer(mapPage(await stamps.list(page), presentStamp), page)),
    route(wire.stampFile, async ({ hour }) => presentStampFile(await stamps.at(instant(hour)))),
  ];
}
