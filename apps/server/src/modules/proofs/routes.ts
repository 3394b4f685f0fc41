import * as wire from '@exchange/wire/proofs.ts';
import { mapPage, pageAnswer, type Route, route } from '../../platform/http/route.ts';
import { presentOwn, presentSnapshot } from './present.ts';
import type { Liabilities } from './service.ts';

/** Routes of wire/proofs. Published snapshots are public; leaves are visible only to their owner. */
export function proofsRoutes(liabilities: Liabilities): Route[] {
  return [
    route(wire.liabilities, async (page) => {
      const snapshots = await liabilities.list(page);
      return pageAnswer(mapPage(snapshots, presentSnapshot), page);
    }),
    route(wire.inclusion, async ({ day }, { session }) =>
      presentOwn(await liabilities.proofOf(session.userId, day)),
    ),
  ];
}
