import type { UserId } from '@exchange/core/ids.ts';
import * as wire from '@exchange/wire/proofs.ts';
import { mapPage, pageAnswer, type Route, route } from '../../platform/http/route.ts';
import { presentOwn, presentSnapshot } from './present.ts';
import type { Liabilities } from './service.ts';

/** Routes of wire/proofs. Published snapshots are public; leaves are visible only to their owner and its master. */
export function proofsRoutes(
  liabilities: Liabilities,
  ownerFor: (user: UserId, subAccount: string | undefined) => Promise<UserId>,
): Route[] {
  return [
    route(wire.liabilities, async (page) => {
      const snapshots = await liabilities.list(page);
      return pageAnswer(mapPage(snapshots, presentSnapshot), page);
    }),
    route(wire.inclusion, async ({ day, subAccount }, { session }) => {
      const owner = await ownerFor(session.userId, subAccount);
      return presentOwn(await liabilities.proofOf(owner, day));
    }),
  ];
}
