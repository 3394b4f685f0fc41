import * as calls from '@exchange/wire/public-api/calls.ts';
import { apiErrors } from '@exchange/wire/public-api/errors.ts';
import { handler, type Handler } from './handlers.ts';
import type { ListenKeys } from './listen-keys.ts';

/** Calls that create, prolong and end the keys by which streams name a user. */
export function listenKeyRoutes(listenKeys: ListenKeys): Handler[] {
  return [
    handler(calls.createListenKey, (_values, _path, caller) => ({ listenKey: listenKeys.issue(caller!) })),
    handler(calls.prolongListenKey, ({ listenKey }, _path, caller) => {
      if (!listenKeys.prolong(caller!.owner, listenKey)) throw apiErrors.unknownListenKey();
      return {};
    }),
    handler(calls.endListenKey, ({ listenKey }, _path, caller) => {
      if (!listenKeys.end(caller!.owner, listenKey)) throw apiErrors.unknownListenKey();
      return {};
    }),
  ];
}
