import type { Instant } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/tracking.ts';
import { type Route, route, submissionRoute } from '../../platform/http/route.ts';
import { presentTransfer } from './present.ts';
import type { Tracking } from './service.ts';

/** Returns the handlers of the tracking endpoints that `wire/tracking` declares. */
export function trackingRoutes(tracking: Tracking, now: () => Instant): readonly Route[] {
  return [
    route(wire.trackTransfers, async ({ query }, { session }) => {
      const found = await tracking.find(session.userId, query);
      const at = now();
      return { list: found.map(({ transfer, ...links }) => presentTransfer(transfer, links, at)) };
    }),
    submissionRoute(wire.askAboutTransfer, {
      operation: 'tracking.ask',
      serve: ({ transferKind, id, content }, caller) =>
        tracking.ask(caller, { kind: transferKind, id, content }),
    }),
  ];
}
