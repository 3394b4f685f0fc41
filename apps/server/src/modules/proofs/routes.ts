import * as wire from '@exchange/wire/proofs.ts';
import { mapPage, pageAnswer, type Route, route } from '../../platform/http/route.ts';
import { presentOwn, presentSnapshot } from './present.ts';
import type { Liabilities } from './service.ts';

/** The calls of wire/proofs: what is published is for all, leaves are their owner's. */
export function proofsRoutes(liabilities: Liabilities): Route[] {
  return [
    route(wire.liabilities, async (page) => {
      const snapshots = await liabilities.list(page);
      return pageAnswer(mapPage(snapshots, presentSnapshot), page);
    }),
    route(wire.inclusion, async ({ day }, { session }) =>
      presentOwn(await liabilities.own(session.userId, day)),
    ),
  ];
}
