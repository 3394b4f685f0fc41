import type { UserId } from '@exchange/core/ids.ts';
import * as wire from '@exchange/wire/proofs.ts';
import { mapPage, pageAnswer, type Route, route } from '../../platform/http/route.ts';
import { presentOwn, presentSnapshot } from './present.ts';
import type { Liabilities } from './service.ts';

/**
 * Routes of the proof of liabilities. Published snapshots are public. A user's leaves are visible only
 * to the user and, for a sub-account, to its main account.
 */
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
